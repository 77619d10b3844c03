//! `proliferate connector list`.

use domain::id::ConfigurationId;
use wire::{
    connector::{ConnectorConfig, ConnectorList, ConnectorView},
    page::{ListQuery, Page},
};

use super::{fields::LIST, requests::config_of};
use crate::{
    client::{EndpointArgs, PageArgs, Pages, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// List the MCP servers of the organization, newest first, or those of a configuration.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Those of this configuration
    #[arg(long, value_name = "ID", conflicts_with_all = ["limit", "cursor"])]
    configuration: Option<Selector<ConfigurationId>>,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let printer = context.printer;
    if let Some(configuration) = args.configuration {
        let id = configuration.resolve(&client).await?;
        let path = format!("/v1/configurations/{id}/connectors");
        let list: ConnectorList = client.get(&path, &()).await?;
        match printer.output {
            Output::Json => printer.json(&list),
            Output::Table => LIST.print_table(printer, &list.connectors),
        }
        return Ok(Exit::Ok);
    }
    let pages = Pages::One(args.page);
    let page: Page<ConnectorView> = client
        .pages("/v1/connectors", pages, ListQuery::from)
        .await?;
    if printer.output == Output::Json {
        printer.json(&page);
        return Ok(Exit::Ok);
    }
    let connectors: Vec<ConnectorConfig> = page.items.into_iter().map(config_of).collect();
    LIST.print_table(printer, &connectors);
    printer.more(page.next_cursor.as_deref());
    Ok(Exit::Ok)
}
