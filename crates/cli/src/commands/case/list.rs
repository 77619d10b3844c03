//! `proliferate case list`.

use wire::{
    case::CaseView,
    page::{ListQuery, Page},
};

use super::client;
use crate::{
    client::EndpointArgs, context::Context, exit::Exit, failure::Outcome, printer::Output,
};

/// List the cases you are a member of, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many at most, 1 to 100 (default 50)
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u32>,
    /// Continue where an earlier page ended
    #[arg(long)]
    cursor: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let query = ListQuery {
        cursor: args.cursor,
        limit: args.limit,
    };
    let page: Page<CaseView> = client.get("/v1/cases", &query).await?;
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&page);
        return Ok(Exit::Ok);
    }
    let row = |case: &CaseView| {
        vec![
            case.id.clone(),
            case.created_at.format("%Y-%m-%d %H:%M:%S").to_string(),
            case.title.clone().unwrap_or_else(|| "-".to_owned()),
        ]
    };
    let rows: Vec<_> = page.items.iter().map(row).collect();
    printer.table(&["ID", "CREATED", "TITLE"], &rows, "no cases");
    if let Some(cursor) = &page.next_cursor {
        printer.note(&format!("more follow: add `--cursor {cursor}`"));
    }
    Ok(Exit::Ok)
}
