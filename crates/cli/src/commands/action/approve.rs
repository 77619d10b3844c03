//! `proliferate action approve`.

use clap::builder::ValueParser;
use domain::{action::GrantScopeKind, id::InvocationId};
use wire::action::{
    ActionStatus, ApprovalMode, ApproveRequest, ApproveResponse, GrantTerms, InvocationView,
};

use super::{client, decision, fetch, name, risk, status};
use crate::{
    client::{Client, EndpointArgs},
    commands::session::one_of,
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::{Output, printable},
};

/// Approve what an agent asked for, and do it.
///
/// Says first what it is. If it is another call by the time the approval arrives, nothing is approved.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invocation's id
    id: InvocationId,
    /// Make a grant with it, so that calls of the same action run without asking
    #[arg(long, value_name = "SCOPE")]
    #[arg(value_parser = ValueParser::new(one_of(GrantScopeKind::ALL, GrantScopeKind::as_str)))]
    grant: Option<GrantScopeKind>,
    /// How many calls that grant is for (default: no limit)
    #[arg(long, value_name = "NUMBER", requires = "grant")]
    max_calls: Option<i64>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let shown = fetch(&client, args.id).await?;
    let printer = &context.printer;
    printer.note(&format!(
        "{} ({}) in session {}",
        printable(&name(&shown)),
        risk(&shown),
        shown.session_id
    ));
    printer.note(&format!("  {}", printable(&shown.params.to_string())));
    let terms = args.grant.map(|scope| GrantTerms {
        scope: Some(scope.into()),
        max_calls: args.max_calls,
    });
    let answer = decide(&client, &shown, terms).await?;
    match printer.output {
        Output::Json => printer.json(&answer),
        Output::Table => printer.data(&status(&answer.invocation)),
    }
    if let Some(grant) = &answer.grant {
        printer.note(&format!("grant {} was made with it", grant.id));
    }
    outcome(context, &answer.invocation)
}

/// Approves it as it is now, once.
pub(crate) async fn approve_once(client: &Client, id: InvocationId) -> Result<(), Failure> {
    let shown = fetch(client, id).await?;
    decide(client, &shown, None).await.map(drop)
}

async fn decide(
    client: &Client,
    shown: &InvocationView,
    terms: Option<GrantTerms>,
) -> Result<ApproveResponse, Failure> {
    let request = ApproveRequest {
        mode: match terms {
            None => ApprovalMode::Once,
            Some(_) => ApprovalMode::Grant,
        },
        grant: terms,
        call_sha256: Some(shown.call_sha256.clone()),
    };
    // A second decision is refused by itself; the key is for the log.
    let key = shown.id.to_string();
    let path = decision(shown, "approve");
    client.answered(&path, &(), &key, &request).await
}

/// How the command ends: whether it was done.
fn outcome(context: &Context, invocation: &InvocationView) -> Outcome {
    let why = invocation.error.clone().unwrap_or_default();
    match invocation.status {
        ActionStatus::Completed => Ok(Exit::Ok),
        ActionStatus::Approved | ActionStatus::Executing => {
            let note = format!("under way: `proliferate action show {}`", invocation.id);
            context.printer.note(&note);
            Ok(Exit::Ok)
        }
        ActionStatus::Pending => {
            let why = invocation.returned_because.join(", ");
            let message = format!("it changed meanwhile and waits again: {why}");
            let hint = "look at it with `proliferate action show`, then approve it once more";
            Err(Failure::new(Exit::Conflict, message).hint(hint))
        }
        ActionStatus::Denied => Err(Failure::new(
            Exit::PolicyDenied,
            format!("it was denied: {why}"),
        )),
        ActionStatus::Expired => Err(Failure::new(Exit::Conflict, why)),
        ActionStatus::Failed => {
            let failure = Failure::new(Exit::Failed, format!("it was approved and failed: {why}"));
            Err(if invocation.outcome_unknown {
                failure.hint("the outcome is unknown: look whether it happened")
            } else {
                failure
            })
        }
    }
}
