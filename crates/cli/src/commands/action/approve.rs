//! `proliferate action approve`.

use std::io::{BufRead as _, IsTerminal as _, stdin};

use domain::{action::GrantScopeKind, id::InvocationId};
use rustix::termios::{QueueSelector, tcflush};
use wire::action::{ActionStatus, GrantTerms, InvocationView};

use super::fields::{name, risk, status};
use crate::{
    call_text::CallText,
    client::{Client, EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    invocations::{self, SeenCall},
    printer::printable,
    screen_rows,
    value_parsers::one_of,
};

/// What stands before each row of a call here.
const INDENT: &str = "  ";

/// Approve what an agent asked for, and do it.
///
/// Approves the call that was on the screen and no other. In a terminal the command shows the call, `v` shows the next
/// page of what is folded, and `y` approves the call after all of it was shown. Elsewhere `--call` names the digest of
/// the call that was looked at, which `action show --whole` shows.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invocation's id, or a part of it
    id: Selector<InvocationId>,
    /// The digest of the call that was looked at; if another call waits, nothing is approved
    #[arg(long, value_name = "SHA256")]
    call: Option<String>,
    /// Make a grant with it, so that calls of the same action run without asking
    #[arg(long, value_name = "SCOPE")]
    #[arg(value_parser = one_of(GrantScopeKind::ALL, GrantScopeKind::as_str))]
    grant: Option<GrantScopeKind>,
    /// How many calls that grant is for (default: no limit)
    #[arg(long, value_name = "NUMBER", requires = "grant")]
    max_calls: Option<i64>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let shown = invocations::fetch(&client, id).await?;
    let printer = &context.printer;
    printer.note(&format!(
        "{} ({}) in session {}",
        printable(&name(&shown)),
        risk(&shown),
        shown.session_id
    ));
    let call_sha256 = match args.call {
        Some(digest) => {
            print_call(context, call_text(&shown.params).whole());
            digest
        }
        None => confirm(context, &client, &shown).await?,
    };
    let terms = args.grant.map(|scope| GrantTerms {
        scope: Some(scope.into()),
        max_calls: args.max_calls,
    });
    let seen = SeenCall {
        session_id: shown.session_id,
        invocation_id: shown.id,
        call_sha256,
    };
    let approved = invocations::approve(&client, &seen, terms).await?;
    printer.result(&approved, |approved| {
        status(&approved.invocation).to_string()
    });
    if let Some(grant) = &approved.grant {
        printer.note(&format!("grant {} was made with it", grant.id));
    }
    outcome(context, &approved.invocation)
}

/// Shows all of the call and asks the user to approve it. Returns the digest of what was shown.
async fn confirm(
    context: &Context,
    client: &Client,
    shown: &InvocationView,
) -> Result<String, Failure> {
    // A digest that was not shown is not sent, even where the gateway would refuse it.
    if shown.status != ActionStatus::Pending {
        let message = format!("the call waits for no decision: it is {}", status(shown));
        let hint = format!(
            "`proliferate action show {}` says what became of it",
            shown.id
        );
        return Err(Failure::new(Exit::Conflict, message).hint(hint));
    }
    if !(stdin().is_terminal() && std::io::stderr().is_terminal()) {
        let message =
            "`--call` is missing: an approval names the digest of the call that was looked at";
        let hint = format!(
            "`proliferate action show {} --whole` shows the call and its digest",
            shown.id
        );
        return Err(Failure::new(Exit::Usage, message).hint(hint));
    }
    let printer = &context.printer;
    let (mut text, call_sha256) = if shown.params_complete {
        (call_text(&shown.params), shown.call_sha256.clone())
    } else {
        let opened = invocations::open(client, shown.session_id, shown.id).await?;
        printer.note(&invocations::title_of(&opened));
        (call_text(&opened.params), opened.call_sha256)
    };
    let ask = |question: &str| read_answer(context, question);
    if ask_about_each_page(&mut text, |lines| print_call(context, lines), ask)? {
        Ok(call_sha256)
    } else {
        Err(Failure::new(Exit::Failed, "nothing was approved"))
    }
}

/// Shows a call page by page and asks after each. Returns whether the user approved it; a yes counts once all of it was shown.
fn ask_about_each_page(
    text: &mut CallText,
    print: impl Fn(&[String]),
    ask: impl Fn(&str) -> Result<String, Failure>,
) -> Result<bool, Failure> {
    print(&text.first());
    loop {
        let unseen = text.unseen();
        let answer = match &unseen {
            None => ask("approve this call? [y/N]")?,
            Some(size) => ask(&format!("{size} were not shown: show the next? [v/N]"))?,
        };
        match (answer.trim(), unseen) {
            ("y" | "yes", None) => return Ok(true),
            // Not all of it was on the screen: asked again.
            ("y" | "yes", Some(_)) => {}
            ("v" | "show", Some(_)) => {
                if let Some((title, page)) = text.next_page() {
                    print(&[title]);
                    print(&page);
                }
            }
            _ => return Ok(false),
        }
    }
}

/// A line that was typed after the question was asked.
fn read_answer(context: &Context, question: &str) -> Result<String, Failure> {
    let unreadable =
        |error: std::io::Error| Failure::caused(Exit::Usage, "the input cannot be read", &error);
    // What was typed before is no answer to what was not on the screen yet.
    tcflush(stdin(), QueueSelector::IFlush).map_err(|error| unreadable(error.into()))?;
    context.printer.note(question);
    let mut answer = String::new();
    let read = stdin().lock().read_line(&mut answer);
    read.map_err(unreadable)?;
    Ok(answer)
}

fn call_text(params: &serde_json::Value) -> CallText {
    let columns = screen_rows::columns().saturating_sub(INDENT.len());
    CallText::new(params, columns)
}

fn print_call(context: &Context, lines: &[String]) {
    for line in lines {
        context.printer.note(&format!("{INDENT}{line}"));
    }
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

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use serde_json::json;

    use super::*;

    /// Whether a call with a body of this length is approved by these answers, and what was shown and asked.
    fn decided(length: usize, answers: &[&str]) -> (bool, Vec<String>) {
        let mut text = CallText::new(&json!({"body": "a".repeat(length)}), 80);
        let (seen, next) = (RefCell::new(Vec::new()), Cell::new(0));
        let approved = ask_about_each_page(
            &mut text,
            |lines| seen.borrow_mut().extend_from_slice(lines),
            |question| {
                seen.borrow_mut().push(question.to_owned());
                let answer = answers.get(next.replace(next.get() + 1));
                Ok(answer.map_or_else(String::new, |answer| format!("{answer}\n")))
            },
        );
        (approved.unwrap(), seen.into_inner())
    }

    #[test]
    fn a_call_is_approved_once_all_of_it_was_shown() {
        for (length, answers, approved) in [
            (10, &["y"][..], true),
            (10, &["n"], false),
            (10, &["v"], false),
            (10, &[], false),
            // 13 and 129 rows: the latter are folded, in two pages.
            (1000, &["y"], true),
            (10_000, &["y"], false),
            (10_000, &["y", "y", "y"], false),
            (10_000, &["v"], false),
            (10_000, &["v", "y"], true),
            (10_000, &["v", "n"], false),
            (20_000, &["v", "y"], false),
            (20_000, &["v", "y", "v", "v", "y"], true),
            (10_000, &[""], false),
        ] {
            let (found, seen) = decided(length, answers);
            assert_eq!(found, approved, "{length} {answers:?}: {seen:#?}");
            if approved {
                let shown = seen.iter().filter(|row| row.starts_with(['|', ':']));
                let shown: usize = shown.map(|row| row.matches('a').count()).sum();
                assert_eq!(shown, length, "all of it");
            }
        }
    }
}
