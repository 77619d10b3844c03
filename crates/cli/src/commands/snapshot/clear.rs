//! `proliferate snapshot clear`.

use domain::id::ConfigurationId;
use wire::{
    configuration::{ConfigurationView, UpdateConfigurationRequest},
    patch::Patch,
};

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Let new sessions of a configuration start from its repositories alone. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The configuration's id, a part of it, or its name
    #[arg(long, value_name = "CONFIGURATION")]
    configuration: Selector<ConfigurationId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!(
        "/v1/configurations/{}",
        args.configuration.resolve(&client).await?
    );
    let request = UpdateConfigurationRequest {
        snapshot_id: Patch::Clear,
        ..UpdateConfigurationRequest::default()
    };
    let updated: ConfigurationView = client.patch(&path, &request).await?;
    context.printer.changed(&updated, |updated| {
        format!("sessions of {} start without a snapshot", updated.id)
    });
    Ok(Exit::Ok)
}
