//! `proliferate connector update`.

use domain::id::ConnectorId;
use wire::connector::UpdateConnectorRequest;

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Rename an MCP server, move it to another address, disable it or trust it. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The connector's id, a part of it, or its name
    id: Selector<ConnectorId>,
    #[command(flatten)]
    change: Change,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// What is not given stays as it is.
#[derive(Debug, clap::Args)]
struct Change {
    /// What it is called
    #[arg(long)]
    name: Option<String>,
    /// The server's address
    #[arg(long, value_name = "ADDRESS")]
    server: Option<String>,
    /// Its tools can be called
    #[arg(long, conflicts_with = "disable")]
    enable: bool,
    /// They cannot
    #[arg(long)]
    disable: bool,
    /// Believe the server where it says that a tool only reads
    #[arg(long, conflicts_with = "distrust")]
    trust: bool,
    /// Do not believe it
    #[arg(long)]
    distrust: bool,
}

impl Change {
    fn request(self) -> UpdateConnectorRequest {
        UpdateConnectorRequest {
            name: self.name,
            url: self.server,
            enabled: (self.enable || self.disable).then_some(self.enable),
            trusted: (self.trust || self.distrust).then_some(self.trust),
            ..UpdateConnectorRequest::default()
        }
    }
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let request = args.change.request();
    if request == UpdateConnectorRequest::default() {
        let hint = "`proliferate connector update --help` lists what can be changed.";
        return Err(Failure::new(Exit::Usage, "say what to change").hint(hint));
    }
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/connectors/{}", args.id.resolve(&client).await?);
    let updated = client.patch(&path, &request).await?;
    RECORD.print(context.printer, &updated);
    Ok(Exit::Ok)
}
