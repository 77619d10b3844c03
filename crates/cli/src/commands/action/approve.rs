//! `proliferate action approve`.

use std::io::{BufRead as _, IsTerminal as _};

use clap::builder::ValueParser;
use domain::{action::GrantScopeKind, id::InvocationId};
use wire::action::{
    ActionStatus, ApprovalMode, ApproveRequest, ApproveResponse, GrantTerms, InvocationView,
};

use super::{Seen, client, fetch, name, open, opened_as, risk, status};
use crate::{
    call_text::CallText,
    client::{Client, EndpointArgs},
    commands::session::one_of,
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::{Output, printable},
};

/// Approve what an agent asked for, and do it.
///
/// Approves the call that was on the screen and no other. In a terminal the whole call is shown and `y` approves it.
/// Elsewhere `--call` names the digest of the call that was looked at, which `action show --whole` shows.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invocation's id
    id: InvocationId,
    /// The digest of the call that was looked at; if another call waits, nothing is approved
    #[arg(long, value_name = "SHA256")]
    call: Option<String>,
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
    let call_sha256 = match args.call {
        Some(digest) => {
            print_call(context, &CallText::new(&shown.params));
            digest
        }
        None => asked(context, &client, &shown).await?,
    };
    let terms = args.grant.map(|scope| GrantTerms {
        scope: Some(scope.into()),
        max_calls: args.max_calls,
    });
    let seen = Seen {
        session_id: shown.session_id,
        invocation_id: shown.id,
        call_sha256,
    };
    let answer = approve_seen(&client, &seen, terms).await?;
    match printer.output {
        Output::Json => printer.json(&answer),
        Output::Table => printer.data(&status(&answer.invocation)),
    }
    if let Some(grant) = &answer.grant {
        printer.note(&format!("grant {} was made with it", grant.id));
    }
    outcome(context, &answer.invocation)
}

/// Shows the whole call, and has the person who looks at it say yes. The digest is that of what was shown.
async fn asked(
    context: &Context,
    client: &Client,
    shown: &InvocationView,
) -> Result<String, Failure> {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    // What is over is refused by the gateway, which says why.
    if shown.status != ActionStatus::Pending {
        return Ok(shown.call_sha256.clone());
    }
    if !is_terminal {
        let message =
            "`--call` is missing: an approval names the digest of the call that was looked at";
        let hint = format!(
            "`proliferate action show {} --whole` shows the call and its digest",
            shown.id
        );
        return Err(Failure::new(Exit::Usage, message).hint(hint));
    }
    let printer = &context.printer;
    let call_sha256 = if shown.params_complete {
        print_call(context, &CallText::new(&shown.params));
        shown.call_sha256.clone()
    } else {
        let opened = open(client, shown.session_id, shown.id).await?;
        printer.note(&opened_as(&opened));
        print_call(context, &CallText::new(&opened.params));
        opened.call_sha256
    };
    printer.note("approve this call? [y/N]");
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.map_err(|error| Failure::caused(Exit::Usage, "the input cannot be read", &error))?;
    match answer.trim() {
        "y" | "yes" => Ok(call_sha256),
        _ => Err(Failure::new(Exit::Failed, "nothing was approved")),
    }
}

fn print_call(context: &Context, text: &CallText) {
    for line in text.whole() {
        context.printer.note(&format!("  {line}"));
    }
}

/// Approves a call that was on the screen.
pub(crate) async fn approve_seen(
    client: &Client,
    seen: &Seen,
    terms: Option<GrantTerms>,
) -> Result<ApproveResponse, Failure> {
    let request = ApproveRequest {
        mode: match terms {
            None => ApprovalMode::Once,
            Some(_) => ApprovalMode::Grant,
        },
        grant: terms,
        call_sha256: seen.call_sha256.clone(),
    };
    // A second decision is refused by itself; the key is for the log.
    let key = seen.invocation_id.to_string();
    let path = seen.path("approve");
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
