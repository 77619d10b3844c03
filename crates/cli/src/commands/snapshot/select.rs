//! `proliferate snapshot use`.

use domain::id::ConfigurationId;
use wire::{
    configuration::{ConfigurationView, SnapshotsResponse, UpdateConfigurationRequest},
    patch::Patch,
};

use crate::{
    client::{EndpointArgs, Selector, connect, select_id},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Let new sessions of a configuration start from a snapshot. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The snapshot's id or a part of it, as `snapshot list` shows it
    snapshot: String,
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
    let listed: SnapshotsResponse = client.get(&format!("{path}/snapshots"), &()).await?;
    let ids = listed
        .items
        .into_iter()
        .map(|snapshot| snapshot.id)
        .collect();
    let snapshot = select_id("snapshot of this configuration", &args.snapshot, ids)?;
    let request = UpdateConfigurationRequest {
        snapshot_id: Patch::Set(snapshot.clone()),
        ..UpdateConfigurationRequest::default()
    };
    let updated: ConfigurationView = client.patch(&path, &request).await?;
    context.printer.changed(&updated, |updated| {
        format!("sessions of {} start from {snapshot}", updated.id)
    });
    Ok(Exit::Ok)
}
