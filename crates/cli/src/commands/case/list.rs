//! `proliferate case list`.

use wire::{
    case::CaseView,
    page::{ListQuery, Page},
};

use super::client;
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// List the cases you are a member of, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let query = ListQuery {
        cursor: args.page.cursor,
        limit: args.page.limit,
    };
    let page: Page<CaseView> = client.get("/v1/cases", &query).await?;
    let row = |case: &CaseView| {
        vec![
            case.id.clone(),
            case.created_at.format("%Y-%m-%d %H:%M:%S").to_string(),
            case.title.clone().unwrap_or_else(|| "-".to_owned()),
        ]
    };
    context
        .printer
        .page(&page, &["ID", "CREATED", "TITLE"], row, "no cases");
    Ok(Exit::Ok)
}
