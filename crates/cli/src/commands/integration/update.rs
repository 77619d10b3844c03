//! `proliferate integration update`.

use domain::id::IntegrationId;
use wire::integration::{IntegrationStatusChange, UpdateIntegrationRequest};

use super::fields::RECORD;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    secret_input::SecretArgs,
};

/// Rename a connection, suspend it, use it again, or replace its token. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The integration's id, a part of it, or its name, or its service
    #[arg(value_name = "INTEGRATION")]
    id: Selector<IntegrationId>,
    /// What it is called
    #[arg(long)]
    name: Option<String>,
    /// Its actions cannot be called until it is activated
    #[arg(long, conflicts_with = "activate")]
    suspend: bool,
    /// Its actions can be called again
    #[arg(long)]
    activate: bool,
    /// Read a new token for it
    #[arg(long)]
    new_token: bool,
    #[command(flatten)]
    value: SecretArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    if args.name.is_none() && !args.suspend && !args.activate && !args.new_token {
        let hint = "`proliferate integration update --help` lists what can be changed.";
        return Err(Failure::new(Exit::Usage, "say what to change").hint(hint));
    }
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/integrations/{}", args.id.resolve(&client).await?);
    let token = if args.new_token {
        Some(args.value.read(context.printer, "the new token")?)
    } else {
        None
    };
    let request = UpdateIntegrationRequest {
        display_name: args.name,
        token,
        status: match (args.suspend, args.activate) {
            (true, _) => Some(IntegrationStatusChange::Suspended),
            (_, true) => Some(IntegrationStatusChange::Active),
            _ => None,
        },
    };
    let updated = client.patch(&path, &request).await?;
    RECORD.print(context.printer, &updated);
    Ok(Exit::Ok)
}
