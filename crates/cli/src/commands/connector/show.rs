//! `proliferate connector show`.

use domain::id::ConnectorId;
use serde_json::json;

use super::{
    fields::RECORD,
    requests::{fetch, fetch_tools},
    tools,
};
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// Show an MCP server and what it offers.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The connector's id, a part of it, or its name
    id: Selector<ConnectorId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let connector = fetch(&client, id).await?;
    let offered = fetch_tools(&client, id).await?;
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&json!({ "connector": connector, "offer": offered }));
        return Ok(Exit::Ok);
    }
    printer.data(&RECORD.text(&connector));
    if let Some(failure) = tools::failure(&offered) {
        printer.warning(&failure.message);
    } else {
        printer.data("");
        tools::print(context, &offered);
    }
    Ok(Exit::Ok)
}
