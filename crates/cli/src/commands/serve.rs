//! `proliferate serve`: a gateway for production. Makes nothing up: secrets come from the
//! environment or from files, the schema from `proliferate migrate`.

use std::sync::Arc;

use domain::instance::InstanceRole;
use hub::{Hub, HubSlot};

use crate::{
    commands::{doctor, setup},
    context::Context,
    descriptors,
    failure::Outcome,
    flags::{AllFlags, Flags},
    listening::{self, IfTaken},
    load::load,
    models::{self, ServedBy},
    sandboxes,
    serving::{self, Served, Work},
    wiring::{self, Absent, OpenedServices},
};

/// Run a gateway.
///
/// Needs its secrets from the environment or from files, and a database that `proliferate migrate`
/// has brought up to date. Any number of gateways may share one PostgreSQL and one Redis.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Also do the periodic work, as `proliferate worker` does
    #[arg(long)]
    with_worker: bool,
    #[command(flatten)]
    flags: Flags<AllFlags>,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let loaded = Arc::new(load(context, &args.flags.overrides)?);
    let settings = &loaded.settings;
    settings.require_secrets()?;
    context.start_telemetry(&settings.telemetry)?;
    let stop = serving::stop_on_signal()?;

    let db = wiring::open_database(&settings.database, Absent::Refuse).await?;
    wiring::require_schema(&db).await?;
    let coordination = wiring::open_coordination(context, settings)?;
    descriptors::raise();
    let listening = listening::bind(context, settings, IfTaken::Refuse).await?;
    let (bound, for_sandboxes) = (listening.people, listening.sandboxes);
    let url = settings.server.advertised(bound);
    let role = if args.with_worker {
        InstanceRole::All
    } else {
        InstanceRole::Gateway
    };
    let (models, _running) = models::start(context, &settings.model, ServedBy::Serve).await?;
    let slot = Arc::new(HubSlot::default());
    let opened = OpenedServices {
        db,
        blobs: wiring::open_storage(context, settings)?,
        coordination,
        instance: wiring::instance(context, role, url.clone()),
        models,
        slot: Some(Arc::clone(&slot)),
    };
    let app = wiring::app(context, settings, opened).await?;
    let hub = Hub::new(
        app.clone(),
        sandboxes::lazy_machine(context, settings, for_sandboxes),
    )
    .with_limits(serving::bounds(settings));
    slot.fill(hub.clone());
    let for_sandboxes = for_sandboxes.map(tracing::field::display);
    tracing::info!(%bound, for_sandboxes, url, instance_id = %app.instance.id, "serving");
    let public_url = settings.server.public_url.as_ref();
    let public_url = public_url.map_or(url.as_str(), |given| given.as_str());
    setup::announce(context, &app, public_url).await?;
    let work = Work {
        app,
        gateway: Some(Served {
            listeners: listening.listeners,
            options: serving::gateway_options(settings, doctor::runner(context, &loaded)),
            hub,
        }),
        sweeps: args.with_worker,
    };
    serving::run(work, stop).await
}
