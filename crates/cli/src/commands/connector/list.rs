//! `proliferate connector list`.

use domain::id::ConfigurationId;
use uuid::Uuid;
use wire::{
    connector::{ConnectorList, ConnectorView},
    page::{ListQuery, Page},
};

use super::client;
use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// List the tool servers of the organization, newest first, or those of a configuration.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Those of this configuration
    #[arg(long, value_name = "ID", conflicts_with_all = ["limit", "cursor"])]
    configuration: Option<ConfigurationId>,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let printer = &context.printer;
    if let Some(id) = args.configuration {
        let path = format!("/v1/configurations/{id}/connectors");
        let list: ConnectorList = client.get(&path, &()).await?;
        match printer.output {
            Output::Json => printer.json(&list),
            Output::Table => {
                let rows = list.connectors.into_iter();
                let rows = rows.map(|it| row(it.id, it.name, it.enabled, it.trusted, it.url));
                print(context, &rows.collect::<Vec<_>>());
            }
        }
        return Ok(Exit::Ok);
    }
    let query = ListQuery {
        cursor: args.page.cursor,
        limit: args.page.limit,
    };
    let page: Page<ConnectorView> = client.get("/v1/connectors", &query).await?;
    if printer.output == Output::Json {
        printer.json(&page);
        return Ok(Exit::Ok);
    }
    let rows = page.items.into_iter();
    let rows = rows.map(|it| row(it.id, it.name, it.enabled, it.trusted, it.url));
    print(context, &rows.collect::<Vec<_>>());
    printer.more(page.next_cursor.as_deref());
    Ok(Exit::Ok)
}

fn row(id: Uuid, name: String, enabled: bool, trusted: bool, url: String) -> Vec<String> {
    let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
    vec![id.to_string(), name, yes(enabled), yes(trusted), url]
}

fn print(context: &Context, rows: &[Vec<String>]) {
    let headings = ["ID", "NAME", "ENABLED", "TRUSTED", "SERVER"];
    context.printer.table(&headings, rows, "no connectors");
}
