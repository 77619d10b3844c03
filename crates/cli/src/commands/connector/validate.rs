//! `proliferate connector validate`.

use domain::id::{ConfigurationId, ConnectorId};
use wire::connector::{ValidateConnectorRequest, ValidateConnectorResponse};

use super::{
    described::Described,
    requests::{config_of, fetch},
    tools,
};
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// Try an MCP server out, saved or not, and list what it offers.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A connector that is saved, by its id, a part of it, or its name; or a server's address (default: the preset's)
    #[arg(value_name = "ID|SERVER")]
    target: Option<String>,
    /// As one of this configuration
    #[arg(long, value_name = "ID")]
    configuration: Option<Selector<ConfigurationId>>,
    #[command(flatten)]
    described: Described,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    // Only an address has a slash; a connector is named by its id, a part of it, or its name.
    let saved = args.target.as_ref().filter(|text| !text.contains('/'));
    let saved: Option<Selector<ConnectorId>> = saved.and_then(|text| text.parse().ok());
    let client = connect(context, args.endpoint)?;
    let connector = if let Some(saved) = saved {
        config_of(fetch(&client, saved.resolve(&client).await?).await?)
    } else {
        let id = ConnectorId::generate(context.clock.now(), &*context.entropy);
        args.described.config(id, args.target)?
    };
    let path = match args.configuration {
        None => "/v1/connectors/validate".to_owned(),
        Some(configuration) => {
            let id = configuration.resolve(&client).await?;
            format!("/v1/configurations/{id}/connectors/validate")
        }
    };
    let request = ValidateConnectorRequest { connector };
    let found: ValidateConnectorResponse = client.post(&path, &request).await?;
    if context.printer.output == Output::Json {
        context.printer.json(&found);
        return Ok(tools::failure(&found).map_or(Exit::Ok, |failure| failure.exit));
    }
    if let Some(failure) = tools::failure(&found) {
        return Err(failure);
    }
    tools::print(context, &found);
    Ok(Exit::Ok)
}
