//! Running until told to stop, then stopping in order: no new connections, requests under way
//! answered within a bound, leases given back, the instance withdrawn, the database closed.

use std::{io, time::Duration};

use app::{App, audit, installation::CheckRunner, jobs, mail, maintenance, mediation, webhooks};
use config::{Forwarding, SandboxProvider, Settings};
use domain::limits::HUB_CLOSE_MAX;
use gateway::{ConnectionBounds, Gateway, Listeners, Loopback, Stopped};
use hub::{Hub, HubLimits};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::{
    dashboard, descriptors,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// How long the last steps may take together: withdrawing takes one coordination call, and closing
/// waits for connections of abandoned requests.
const CLOSE_MAX: Duration = Duration::from_secs(5);

/// What one process does.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) app: App,
    /// Serves HTTP here, if at all.
    pub(crate) gateway: Option<Served>,
    /// Whether it also runs the sweeps: they end what killed processes left open.
    pub(crate) sweeps: bool,
}

/// What it serves.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) listeners: Listeners,
    pub(crate) options: gateway::Options,
    pub(crate) hub: Hub,
}

pub(crate) fn gateway_options(settings: &Settings, checks: CheckRunner) -> gateway::Options {
    let server = &settings.server;
    // Only containers are kept from choosing the address they come from.
    let loopback = match settings.sandbox.provider {
        SandboxProvider::Container => Loopback::PeerPerAddress,
        _ => Loopback::OnePeer,
    };
    gateway::Options {
        cors_allowed_origins: server
            .cors_allowed_origins
            .iter()
            .map(|origin| origin.as_str().to_owned())
            .collect(),
        request_timeout: server.request_timeout,
        request_body_bytes_max: server.request_body_bytes_max,
        requests_in_flight_max: server.requests_in_flight_max,
        people: descriptors::within(ConnectionBounds::people()),
        sandboxes: ConnectionBounds {
            loopback,
            ..descriptors::within(ConnectionBounds::sandboxes())
        },
        trusted_proxies: server.trusted_proxies.clone(),
        shutdown_drain: server.shutdown_drain,
        forward: settings.live.forward == Forwarding::On,
        public_url: server
            .public_url
            .as_ref()
            .map(|url| url.as_str().to_owned()),
        installation_checks: Some(checks),
        dashboard: dashboard::built(),
        ..gateway::Options::default()
    }
}

/// A token that is cancelled by the first Ctrl-C or SIGTERM. The second one ends the process at
/// once: a user who asks twice does not want to wait.
pub(crate) fn stop_on_signal() -> Result<CancellationToken, Failure> {
    let failed =
        |error: io::Error| Failure::caused(Exit::Failed, "cannot listen for signals", &error);
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let stop = CancellationToken::new();
    let first = stop.clone();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if first.is_cancelled() {
                std::process::exit(i32::from(Exit::Interrupted.code()));
            }
            tracing::info!("stopping; once more to stop at once");
            first.cancel();
        }
    });
    Ok(stop)
}

/// Works until `stop`.
pub(crate) async fn run(work: Work, stop: CancellationToken) -> Outcome {
    let Work {
        app,
        gateway,
        sweeps,
    } = work;
    // The entry stays while requests are answered: it says who is alive, not who takes on more.
    let withdraw = CancellationToken::new();
    let heartbeat = tokio::spawn(maintenance::heartbeat(app.clone(), withdraw.clone()));
    let sweep = sweeps.then(|| tokio::spawn(maintenance::sweep(app.clone(), stop.clone())));
    let policy = Some(tokio::spawn(maintenance::reload_policy(
        app.clone(),
        stop.clone(),
    )));
    let tidy = Some(tokio::spawn(maintenance::tidy(app.clone(), stop.clone())));
    // Calls go on while requests are answered, and can be stopped as long.
    let cancels = mediation::apply_cancels(app.clone(), None, withdraw.clone());
    let cancels = Some(tokio::spawn(cancels));
    // Goes on while requests are answered: they record events, and what they record is to be signed.
    let sequence = sweeps.then(|| tokio::spawn(audit::run(app.clone(), withdraw.clone())));
    let copies = sweeps.then(|| tokio::spawn(audit::copy_until(app.clone(), withdraw.clone())));
    let refusals = Some(tokio::spawn(audit::fold_until(
        app.clone(),
        withdraw.clone(),
    )));
    let mail = sweeps.then(|| tokio::spawn(mail::run(app.clone(), withdraw.clone())));
    let webhooks = sweeps.then(|| tokio::spawn(webhooks::run(app.clone(), withdraw.clone())));
    // An instance with sandboxes does the jobs about them.
    let jobs = Some(tokio::spawn(jobs::run(app.clone(), stop.clone())));
    let served = if let Some(served) = gateway {
        serve(&app, served, &stop).await
    } else {
        stop.cancelled().await;
        Ok(Stopped::Drained)
    };
    // Also when serving failed: then the other tasks were not told to stop.
    stop.cancel();
    match &served {
        Ok(Stopped::Abandoned) => {
            tracing::warn!("some requests were not answered within the drain and are abandoned");
        }
        Ok(Stopped::Drained) => {}
        Err(error) => tracing::error!(%error, "serving failed"),
    }
    let background = [
        ("sweep", sweep),
        ("sequence", sequence),
        ("copies", copies),
        ("refusals", refusals),
        ("mail", mail),
        ("webhooks", webhooks),
        ("policy", policy),
        ("tidy", tidy),
        ("jobs", jobs),
        ("cancels", cancels),
    ];
    let closed = tokio::time::timeout(CLOSE_MAX, close(&app, heartbeat, withdraw, background));
    let closed = closed.await;
    if closed.is_err() {
        tracing::warn!("closing took too long; the rest is left to the operating system");
    }
    served.map_err(|error| Failure::caused(Exit::Failed, "serving failed", &error))?;
    tracing::info!("stopped");
    Ok(Exit::Ok)
}

/// How many sessions are live at once, and for how long.
pub(crate) fn bounds(settings: &Settings) -> HubLimits {
    HubLimits {
        hubs_max: settings.live.hubs_max,
        idle_ttl: settings.live.idle_ttl,
    }
}

/// Serves until it is stopped and every session is paused or handed off. Sessions are released while requests are still
/// answered: a client that watches one is answered when it ends.
async fn serve(app: &App, served: Served, stop: &CancellationToken) -> io::Result<Stopped> {
    let Served {
        listeners,
        options,
        hub,
    } = served;
    let gateway = Gateway::new(app.clone(), options).with_hub(hub.clone());
    // Sessions first: clients stay connected until another instance has what they watch, and an agent that ends its turn
    // asks its model through this gateway.
    let sessions_released = CancellationToken::new();
    let closing = async {
        hub.fleet.run(stop.clone()).await;
        let closed = tokio::time::timeout(HUB_CLOSE_MAX, hub.fleet.close());
        if closed.await.is_err() {
            tracing::warn!(
                "some sessions were not put away in time; `proliferate doctor --clean` does it"
            );
        }
        sessions_released.cancel();
    };
    let serving = async {
        let served = gateway::serve(listeners, gateway, sessions_released.clone()).await;
        // Also when serving failed: then the other tasks were not told to stop.
        stop.cancel();
        served
    };
    let (served, ()) = tokio::join!(serving, closing);
    served
}

async fn close(
    app: &App,
    heartbeat: JoinHandle<()>,
    withdraw: CancellationToken,
    background: impl IntoIterator<Item = (&str, Option<JoinHandle<()>>)>,
) {
    withdraw.cancel();
    for (name, task) in background {
        if let Some(task) = task {
            ended(name, task).await;
        }
    }
    ended("heartbeat", heartbeat).await;
    // What was asked of models is counted before the database is gone.
    app.models.settled().await;
    app.db.close().await;
}

async fn ended(name: &str, task: JoinHandle<()>) {
    if let Err(error) = task.await {
        tracing::error!(%error, task = name, "a task ended badly");
    }
}
