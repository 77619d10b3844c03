//! `proliferate connector add`.

use domain::id::{ConfigurationId, ConnectorId};
use wire::connector::{ConnectorView, CreateConnectorRequest};

use super::{described::Described, requests::fetch_tools, tools};
use crate::{
    client::{EndpointArgs, Selector, connect, resolve_option},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Add an MCP server and print its id.
///
/// Its tools are looked at right away; a server that does not answer is added all the same.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The server's address (default: the preset's)
    #[arg(value_name = "SERVER")]
    server: Option<String>,
    /// Only for sessions of this configuration (default: for all of the organization)
    #[arg(long, value_name = "ID")]
    configuration: Option<Selector<ConfigurationId>>,
    #[command(flatten)]
    described: Described,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    // Chosen here, so that sending it again cannot add a second one.
    let id = ConnectorId::generate(context.clock.now(), &*context.entropy);
    let config = args.described.config(id, args.server)?;
    let client = connect(context, args.endpoint)?;
    let configuration = resolve_option(&client, args.configuration.as_ref()).await?;
    let request = CreateConnectorRequest {
        id: Some(config.id),
        configuration_id: configuration.map(ConfigurationId::uuid),
        name: config.name,
        transport: config.transport,
        url: config.url,
        auth: config.auth,
        risk_policy: config.risk_policy,
        enabled: config.enabled,
        trusted: config.trusted,
    };
    let connector: ConnectorView = client.post("/v1/connectors", &request).await?;
    context
        .printer
        .result(&connector, |connector| connector.id.to_string());
    let offered = fetch_tools(&client, id).await?;
    match tools::failure(&offered) {
        Some(failure) => {
            let message = format!("it was added, but {}", failure.message);
            context.printer.warning(&message);
        }
        None => context.printer.note(&tools::summary(&offered)),
    }
    Ok(Exit::Ok)
}
