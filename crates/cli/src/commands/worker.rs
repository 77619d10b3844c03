//! `proliferate worker`: the periodic work, without serving.

use config::CoordinationUrl;
use domain::instance::InstanceRole;

use crate::{
    context::Context,
    failure::Outcome,
    flags::{AllFlags, Flags},
    load::load,
    models,
    serving::{self, Work},
    wiring::{self, Absent, OpenedServices},
};

/// Do the periodic work of a deployment, until stopped.
///
/// Ends sessions that were left open and calls that were cut off, and puts the audit log in order and signs
/// it. Several workers share the work; gateways started with `--with-worker` do it too.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    flags: Flags<AllFlags>,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let loaded = load(context, &args.flags.overrides)?;
    let settings = &loaded.settings;
    settings.require_secrets()?;
    context.start_telemetry(&settings.telemetry)?;
    let stop = serving::stop_on_signal()?;
    if matches!(settings.coordination.url, CoordinationUrl::Memory) {
        context.printer.warning(
            "coordination is `memory://`, so this worker and other processes do not see each other",
        );
    }
    let db = wiring::open_database(&settings.database, Absent::Refuse).await?;
    wiring::require_schema(&db).await?;
    let coordination = wiring::open_coordination(context, settings)?;
    // A worker serves nothing; it has a URL only if the settings name one.
    let url = settings.server.advertise_url.as_ref();
    let url = url.map_or_else(String::new, |url| url.as_str().to_owned());
    let opened = OpenedServices {
        db,
        blobs: wiring::open_storage(context, settings)?,
        coordination,
        instance: wiring::instance(context, InstanceRole::Worker, url),
        models: models::none(&settings.model)?,
        slot: None,
    };
    let app = wiring::app(context, settings, opened).await?;
    tracing::info!(instance_id = %app.instance.id, "working");
    let work = Work {
        app,
        gateway: None,
        sweeps: true,
    };
    serving::run(work, stop).await
}
