//! `proliferate session list`.

use domain::session::SessionStatus;
use wire::{
    page::Page,
    session::{ListSessionsQuery, SessionView},
};

use super::fields::LIST;
use crate::{
    client::{EndpointArgs, PageArgs, Pages, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
    value_parsers::one_of,
};

/// List sessions, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only sessions in this state
    #[arg(long)]
    #[arg(value_parser = one_of(SessionStatus::ALL, SessionStatus::as_str))]
    status: Option<SessionStatus>,
    #[command(flatten)]
    page: PageArgs,
    /// All of them, page after page
    #[arg(long, conflicts_with_all = ["limit", "cursor"])]
    all: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let pages = if args.all {
        Pages::All
    } else {
        Pages::One(args.page)
    };
    let query = |page: PageArgs| ListSessionsQuery {
        status: args.status.map(Into::into),
        cursor: page.cursor,
        limit: page.limit,
        ..ListSessionsQuery::default()
    };
    let page: Page<SessionView> = client.pages("/v1/sessions", pages, query).await?;
    let printer = context.printer;
    if printer.output == Output::Json {
        printer.json(&page);
        return Ok(Exit::Ok);
    }
    LIST.print_table(printer, &page.items);
    if let Some(cursor) = &page.next_cursor {
        printer.note(&format!("more follow: add `--cursor {cursor}`, or `--all`"));
    }
    Ok(Exit::Ok)
}
