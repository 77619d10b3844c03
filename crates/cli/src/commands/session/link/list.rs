//! `proliferate session link list`.

use domain::id::SessionId;
use wire::sharing::{ShareLinkView, ShareLinksResponse};

use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    fields::{List, seconds, text},
    printer::Output,
};

/// List the share links of a session, newest first. Their addresses are not kept.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

const LIST: List<ShareLinkView> = List {
    columns: &[
        ("ID", |link| text(&link.id)),
        ("CREATED BY", |link| Some(link.created_by.clone())),
        ("CREATED", |link| Some(seconds(link.created_at))),
        ("EXPIRES", |link| Some(seconds(link.expires_at))),
        ("REVOKED", |link| link.revoked_at.map(seconds)),
        ("OPENINGS", |link| text(&link.openings)),
        ("LAST OPENED", |link| link.opened_at.map(seconds)),
    ],
    none: "no share links",
};

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/sessions/{}/share-links", args.id);
    let links: ShareLinksResponse = client.get(&path, &()).await?;
    let printer = context.printer;
    if printer.output == Output::Json {
        printer.json(&links);
        return Ok(Exit::Ok);
    }
    LIST.print_table(printer, &links.items);
    if !links.allowed {
        printer.note("the organization has switched share links off: none of them works");
    }
    Ok(Exit::Ok)
}
