//! `proliferate action show`.

use chrono::{DateTime, Utc};
use domain::id::InvocationId;
use wire::action::{ActionStatus, AuthorityKind, InvocationView};

use super::{client, fetch, name, open, opened_as, risk, status};
use crate::{
    call_text::CallText,
    client::EndpointArgs,
    commands::session::seconds,
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, printable},
    screen_rows,
};

/// Show what an agent asked for, without secrets, and what became of it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invocation's id
    id: InvocationId,
    /// Open the whole call, as it would run, before deciding about it; the gateway records that it was opened
    #[arg(long)]
    whole: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let invocation = fetch(&client, args.id).await?;
    if args.whole {
        let opened = open(&client, invocation.session_id, invocation.id).await?;
        if context.printer.output == Output::Json {
            context.printer.json(&opened);
            return Ok(Exit::Ok);
        }
        context.printer.data(&text(&invocation));
        context.printer.data(&opened_as(&opened));
        let call = CallText::new(&opened.params, screen_rows::columns());
        context.printer.data(&call.whole().join("\n"));
        return Ok(Exit::Ok);
    }
    match context.printer.output {
        Output::Json => context.printer.json(&invocation),
        Output::Table => context.printer.data(&text(&invocation)),
    }
    Ok(Exit::Ok)
}

/// One line per fact that is there.
pub(super) fn text(invocation: &InvocationView) -> String {
    let at = |at: Option<DateTime<Utc>>| at.map(seconds);
    let returned = &invocation.returned_because;
    let is_open = invocation.status == ActionStatus::Pending;
    let facts = [
        ("id", Some(invocation.id.to_string())),
        ("action", Some(name(invocation))),
        ("risk", Some(risk(invocation))),
        ("status", Some(status(invocation))),
        ("session", Some(invocation.session_id.to_string())),
        ("run", Some(invocation.run_id.to_string())),
        ("created", Some(seconds(invocation.created_at))),
        ("expires", at(invocation.expires_at)),
        ("params", Some(invocation.params.to_string())),
        (
            "left out",
            (is_open && !invocation.params_complete)
                .then(|| "parts of the parameters: `--whole` opens all of them".to_owned()),
        ),
        ("digest", is_open.then(|| invocation.call_sha256.clone())),
        (
            "asked again",
            (!returned.is_empty()).then(|| returned.join(", ")),
        ),
        (
            "waits because",
            invocation.suspended_grant.as_ref().map(|grant| {
                let (id, why) = (grant.grant_id, &grant.message);
                format!("grant {id} does not cover it: {why}")
            }),
        ),
        ("allowed by", authority(invocation)),
        ("decided by", invocation.approved_by.clone()),
        ("ended", at(invocation.completed_at)),
        ("error", invocation.error.clone()),
        (
            "outcome",
            invocation
                .outcome_unknown
                .then(|| "unknown: it may have happened".to_owned()),
        ),
        (
            "result",
            invocation.result.as_ref().map(ToString::to_string),
        ),
        (
            "whole result",
            invocation.result_artifact_id.map(|id| id.to_string()),
        ),
    ];
    let lines: Vec<String> = facts
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name:<14} {}", printable(&value?))))
        .collect();
    lines.join("\n")
}

/// Who or what let it run.
fn authority(invocation: &InvocationView) -> Option<String> {
    let authority = invocation.authority.as_ref()?;
    Some(match authority.kind {
        AuthorityKind::Read => "nobody: it only reads".to_owned(),
        AuthorityKind::Approval => "an approval".to_owned(),
        AuthorityKind::Grant => match authority.grant_id {
            Some(id) => format!("grant {id}"),
            None => "a grant".to_owned(),
        },
    })
}
