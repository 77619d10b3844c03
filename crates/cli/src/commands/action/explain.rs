//! `proliferate action explain`.

use domain::id::InvocationId;
use wire::grant::{ExplainResponse, GrantVerdictView};

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    fields::{List, text},
    printer::Output,
};

/// Say why an action ran without an approval, or what every grant says about it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invocation's id, or a part of it
    id: Selector<InvocationId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// What a grant says about the call.
struct Verdict {
    grant: GrantVerdictView,
    /// Whether the call ran under it.
    is_used: bool,
}

const VERDICTS: List<Verdict> = List {
    columns: &[
        ("GRANT", |verdict| text(&verdict.grant.grant_id)),
        ("COVERS", |verdict| {
            text(match (verdict.is_used, verdict.grant.applies) {
                (true, _) => "used",
                (false, true) => "applies",
                (false, false) => "no",
            })
        }),
        ("BY", |verdict| text(&verdict.grant.created_by)),
        ("REASON", |verdict| text(&verdict.grant.reason)),
    ],
    none: "no grant is for such calls",
};

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/actions/{id}/explain");
    let explained: ExplainResponse = client.get(&path, &()).await?;
    let printer = context.printer;
    if printer.output == Output::Json {
        printer.json(&explained);
        return Ok(Exit::Ok);
    }
    printer.data(&RECORD.text(&explained.invocation));
    let used = explained.used_grant_id;
    let verdicts = explained.grants.into_iter().map(|grant| Verdict {
        is_used: used == Some(grant.grant_id),
        grant,
    });
    VERDICTS.print_table(printer, &verdicts.collect::<Vec<_>>());
    Ok(Exit::Ok)
}
