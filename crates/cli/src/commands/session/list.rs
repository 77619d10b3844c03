//! `proliferate session list`.

use clap::builder::ValueParser;
use domain::{limits::PAGE_SIZE_MAX, session::SessionStatus};
use wire::{
    page::Page,
    session::{ListSessionsQuery, SessionView},
};

use super::{client, one_of, seconds, status};
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// List sessions, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only sessions in this state
    #[arg(long)]
    #[arg(value_parser = ValueParser::new(one_of(SessionStatus::ALL, SessionStatus::as_str)))]
    status: Option<SessionStatus>,
    #[command(flatten)]
    page: PageArgs,
    /// All of them, page after page
    #[arg(long, conflicts_with_all = ["limit", "cursor"])]
    all: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Pages that `--all` reads: a million sessions. Beyond it somebody wants the API.
const PAGES_MAX: u32 = 10_000;

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let mut query = ListSessionsQuery {
        status: args.status.map(Into::into),
        cursor: args.page.cursor,
        limit: if args.all {
            Some(PAGE_SIZE_MAX)
        } else {
            args.page.limit
        },
        ..ListSessionsQuery::default()
    };
    let mut items: Vec<SessionView> = Vec::new();
    let mut pages = 0;
    let next_cursor = loop {
        let page: Page<SessionView> = client.get("/v1/sessions", &query).await?;
        items.extend(page.items);
        pages += 1;
        if !args.all || page.next_cursor.is_none() || pages == PAGES_MAX {
            break page.next_cursor;
        }
        query.cursor = page.next_cursor;
    };
    report(context, &Page { items, next_cursor });
    Ok(Exit::Ok)
}

fn report(context: &Context, page: &Page<SessionView>) {
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(page);
        return;
    }
    let rows: Vec<Vec<String>> = page
        .items
        .iter()
        .map(|session| {
            vec![
                session.id.to_string(),
                status(session),
                domain::session::SessionType::from(session.session_type).to_string(),
                seconds(session.created_at),
                session.title.clone().unwrap_or_else(|| "-".to_owned()),
            ]
        })
        .collect();
    let headings = ["ID", "STATUS", "TYPE", "CREATED", "TITLE"];
    printer.table(&headings, &rows, "no sessions");
    if let Some(cursor) = &page.next_cursor {
        printer.note(&format!("more follow: add `--cursor {cursor}`, or `--all`"));
    }
}
