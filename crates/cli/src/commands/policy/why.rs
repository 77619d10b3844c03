//! `proliferate policy why`: what would be decided about a call, and which checks speak against it.

use std::collections::BTreeMap;

use app::policy::{Explanation, Policy, Question, why};
use domain::policy::{LaneId, Operation, RoleId, RuleId, ScopeKey};
use serde_json::{Value, json};

use super::{Which, load};
use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, Tone},
};

/// Decide about a call and say why.
///
/// What a gateway would look up is taken to be in order: the run is running, scope values are real and
/// the caller's, nothing refers to another case and nothing is sent anywhere. Exits 1 when the call
/// would be denied.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Who calls, as a role
    #[arg(long, value_name = "ROLE")]
    role: RoleId,
    /// In which lane
    #[arg(long, value_name = "LANE")]
    lane: LaneId,
    /// What is called, for example `ocr.extract`
    #[arg(long, value_name = "OPERATION")]
    operation: Operation,
    /// What the call is about, for example `case_id=CASE_1`; may be given again
    #[arg(long, value_name = "KEY=VALUE", value_parser = scope_entry)]
    scope: Vec<(ScopeKey, String)>,
    #[command(flatten)]
    which: Which,
}

fn scope_entry(text: &str) -> Result<(ScopeKey, String), String> {
    let Some((key, value)) = text.split_once('=') else {
        return Err("not of the form KEY=VALUE".to_owned());
    };
    let key: ScopeKey = key.parse().map_err(|error| format!("{error}"))?;
    Ok((key, value.to_owned()))
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let policy = load(context, &args.which.policy).await?;
    let question = Question {
        role: args.role,
        lane: Some(args.lane),
        operation: args.operation,
        scope: args.scope.into_iter().collect(),
    };
    let answer = why(&policy, &question);
    let missing = missing(&policy, &question);
    match context.printer.output {
        Output::Json => context.printer.json(&answer_json(&answer, &missing)),
        Output::Table => print(context, &answer, &missing),
    }
    Ok(if answer.allowed {
        Exit::Ok
    } else {
        Exit::Failed
    })
}

/// Scope values the lane requires and the call does not have.
fn missing(policy: &Policy, question: &Question) -> Vec<ScopeKey> {
    let lane = question.lane.as_ref();
    let lane = lane.and_then(|id| policy.snapshot().lane(id));
    let given = |scope: &BTreeMap<ScopeKey, String>, key| {
        scope.get(key).is_some_and(|value| !value.trim().is_empty())
    };
    lane.iter()
        .flat_map(|lane| &lane.requires)
        .filter(|key| !given(&question.scope, key))
        .copied()
        .collect()
}

fn answer_json(answer: &Explanation, missing: &[ScopeKey]) -> Value {
    let failed: Vec<Value> = answer
        .failed
        .iter()
        .map(|check| json!({"rule": check.rule.as_str(), "meaning": check.meaning}))
        .collect();
    let missing: Vec<&str> = missing.iter().map(|key| key.as_str()).collect();
    json!({
        "allowed": answer.allowed,
        "rule": answer.rule.map(RuleId::as_str),
        "failed": failed,
        "missing_scope": missing,
    })
}

fn print(context: &Context, answer: &Explanation, missing: &[ScopeKey]) {
    let printer = &context.printer;
    let Some(rule) = answer.rule else {
        let word = printer.paint("allowed", Tone::Good);
        printer.data(&format!("{word}: every check that can be made here passes"));
        return;
    };
    let word = printer.paint("denied", Tone::Bad);
    let mut lines = vec![format!("{word}: {rule}")];
    let width = answer.failed.iter().map(|check| check.rule.as_str().len());
    let width = width.max().unwrap_or_default();
    for check in &answer.failed {
        lines.push(format!("  {:<width$}  {}", check.rule, check.meaning));
    }
    printer.data(&lines.join("\n"));
    if !missing.is_empty() {
        let flags: Vec<String> = missing
            .iter()
            .map(|key| format!("--scope {key}=VALUE"))
            .collect();
        printer.note(&format!("\nhint: the lane wants {}", flags.join(" ")));
    }
}
