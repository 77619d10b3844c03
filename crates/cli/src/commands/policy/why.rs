//! `proliferate policy why`: what would be decided about a call, and which checks speak against it; or what
//! was decided about one that was made.

use std::collections::BTreeMap;

use app::policy::{Explanation, Policy, PolicyQuestion, why};
use domain::{
    id::{OrganizationId, RunId},
    policy::{LaneId, Operation, RoleId, RuleId, ScopeKey, TableName, WriteTarget},
};
use serde_json::{Value, json};

use super::{
    recorded,
    source::{PolicyArgs, load},
};
use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    operator::{Operator, OperatorArgs},
    printer::{Output, Tone},
    value_parsers::scope_entry,
};

/// Say why a call was decided as it was, or how one would be decided.
///
/// With the id of a run: what is on record about it, from the database, as an operator. With a role, a lane
/// and an operation: what the policy would decide. What a gateway would look up is then taken to be in
/// order: the run is running, scope values are real and the caller's, nothing refers to another case and
/// nothing is sent anywhere. Exits 1 when the call was or would be denied.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run of a call that was made
    #[arg(value_name = "RUN")]
    run: Option<RunId>,
    /// Whose run; the demo organization's in a data directory of `dev`
    #[arg(long, value_name = "ORG", requires = "run")]
    org: Option<OrganizationId>,
    /// Who calls, as a role
    #[arg(long, value_name = "ROLE", conflicts_with = "run")]
    role: Option<RoleId>,
    /// In which lane
    #[arg(long, value_name = "LANE", conflicts_with = "run")]
    lane: Option<LaneId>,
    /// What is called, for example `ocr.extract`
    #[arg(long, value_name = "OPERATION", conflicts_with = "run")]
    operation: Option<Operation>,
    /// What `record.write` writes to, for example `case_notes:append`
    #[arg(long, value_name = "TABLE:MODE", value_parser = write_target, conflicts_with = "run")]
    write: Option<WriteTarget>,
    /// What the call is about, for example `case_id=CASE_1`; may be given again
    #[arg(long, value_name = "KEY=VALUE", value_parser = scope_entry)]
    #[arg(conflicts_with = "run")]
    scope: Vec<(ScopeKey, String)>,
    #[command(flatten)]
    policy: PolicyArgs,
    #[command(flatten)]
    operator: OperatorArgs,
}

fn write_target(text: &str) -> Result<WriteTarget, String> {
    let Some((table, mode)) = text.split_once(':') else {
        return Err("not of the form TABLE:MODE".to_owned());
    };
    Ok(WriteTarget {
        table: TableName::new(table).map_err(|error| error.to_string())?,
        mode: mode.parse().map_err(|error| format!("{error}"))?,
    })
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    if let Some(id) = args.run {
        let operator = Operator::open(context, &args.operator).await?;
        let organization_id = operator.organization(args.org)?;
        return recorded::run(context, operator, &organization_id, id).await;
    }
    let (Some(role), Some(operation)) = (args.role, args.operation) else {
        let message = "no call is given";
        return Err(Failure::new(Exit::Usage, message).hint(
            "name the run of one that was made, or `--role`, `--lane` and `--operation` of one \
             that might be",
        ));
    };
    let policy = load(context, &args.policy.policy).await?;
    let question = PolicyQuestion {
        role,
        lane: args.lane,
        operation,
        write: args.write,
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

/// Scope values the lane requires and the call does not have. The gateway makes the run.
fn missing(policy: &Policy, question: &PolicyQuestion) -> Vec<ScopeKey> {
    let lane = question.lane.as_ref();
    let lane = lane.and_then(|id| policy.snapshot().lane(id));
    let given = |scope: &BTreeMap<ScopeKey, String>, key| {
        scope.get(key).is_some_and(|value| !value.trim().is_empty())
    };
    lane.iter()
        .flat_map(|lane| &lane.requires)
        .filter(|key| **key != ScopeKey::RunId && !given(&question.scope, key))
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
