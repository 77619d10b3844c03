//! Periodic work of a process: reports that the process is alive, and ends what no request ends.
//!
//! Every task is idempotent and bounded per run. A sweep runs on one instance at a time (by lease),
//! which saves work; running on two would do no harm.

use domain::{
    lease::LeaseKey,
    limits::{
        INSTANCE_HEARTBEAT_EVERY, INSTANCE_TTL, POLICY_RELOAD_EVERY, SESSION_SWEEP_EVERY,
        SESSION_SWEEP_LEASE, TIDY_EVERY,
    },
};
use tokio_util::sync::CancellationToken;

use crate::{
    actions, automations, context::App, fleet, grants, identity, invitations, jobs, locks, mail,
    mediation, organization_limits, sessions, sharing, webhooks,
};

const SWEEPER: LeaseKey = LeaseKey::Sweeper("sessions");

/// Announces this instance until `stop`, then takes the entry back.
pub async fn heartbeat(app: App, stop: CancellationToken) {
    loop {
        let instance = fleet::this_instance(&app).await;
        if let Err(error) = app.coordination.announce(&instance, INSTANCE_TTL).await {
            tracing::warn!(%error, "this instance could not be announced");
        }
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            () = tokio::time::sleep(INSTANCE_HEARTBEAT_EVERY) => {}
        }
    }
    if let Err(error) = app.coordination.withdraw(app.instance.id).await {
        tracing::warn!(%error, "this instance could not be withdrawn; its entry expires by itself");
    }
}

/// Sweeps until `stop`.
pub async fn sweep(app: App, stop: CancellationToken) {
    loop {
        sweep_once(&app).await;
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            () = tokio::time::sleep(SESSION_SWEEP_EVERY) => {}
        }
    }
    // Another instance may go on at once.
    if let Err(error) = app.coordination.release(SWEEPER, app.instance.id).await {
        tracing::debug!(%error, "the sweeper's lease was not released; it expires by itself");
    }
}

async fn sweep_once(app: &App) {
    if !is_to_sweep(app).await {
        return;
    }
    end_overdue(app).await;
    remove_old(app).await;
}

/// Puts away sandboxes of this instance. Returns whether it is the one that sweeps the rest for all.
async fn is_to_sweep(app: &App) -> bool {
    // Each instance with a provider removes sandboxes, whether or not another instance sweeps.
    match sessions::sweep_released(app).await {
        Ok(0) => {}
        Ok(released) => tracing::info!(released, "put away sandboxes of sessions that were over"),
        Err(error) => tracing::warn!(%error, "the sweep of sandboxes failed"),
    }
    let held = app
        .coordination
        .acquire(SWEEPER, app.instance.id, SESSION_SWEEP_LEASE)
        .await;
    match held {
        Ok(coord::Acquisition::HeldBy(_)) => false,
        Ok(_) => true,
        // Without coordination every instance sweeps: harmless, and better than none.
        Err(error) => {
            tracing::warn!(%error, "sweeping without a lease");
            true
        }
    }
}

async fn end_overdue(app: &App) {
    let ended = [
        (
            "sessions that were stuck starting",
            sessions::sweep_stuck(app).await,
        ),
        ("calls that were cut off", mediation::sweep(app).await),
        (
            "actions without a decision in time",
            actions::expire(app).await,
        ),
        ("overrides whose time was over", locks::sweep(app).await),
        ("grants that are long over", grants::sweep(app).await),
        ("logins that were over", identity::sweep_logins(app).await),
        (
            "share links that were long over",
            sharing::sweep_links(app).await,
        ),
        (
            "logins of terminals that were over",
            identity::sweep_device_logins(app).await,
        ),
        (
            "automation runs whose agents did not say how they ended",
            automations::finalize(app).await,
        ),
    ];
    for (what, ended) in ended {
        match ended {
            Ok(0) => {}
            Ok(ended) => tracing::info!(ended, "ended {what}"),
            Err(error) => tracing::warn!(%error, "the sweep of {what} failed"),
        }
    }
}

async fn remove_old(app: &App) {
    match webhooks::sweep(app).await {
        Ok(0) => {}
        Ok(removed) => tracing::info!(removed, "removed old deliveries of webhooks"),
        Err(error) => tracing::warn!(%error, "the sweep of old deliveries failed"),
    }
    for (what, removed) in [
        ("invitations", invitations::sweep(app).await),
        ("mails", mail::sweep(app).await),
    ] {
        match removed {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "removed old {what}"),
            Err(error) => tracing::warn!(%error, "the sweep of old {what} failed"),
        }
    }
    match organization_limits::sweep_storage(app).await {
        Ok(0) => {}
        Ok(counted) => tracing::debug!(counted, "counted what organizations have stored"),
        Err(error) => tracing::warn!(%error, "the count of what organizations have stored failed"),
    }
    match jobs::sweep(app).await {
        Ok(0) => {}
        Ok(forgotten) => tracing::info!(forgotten, "forgot jobs that were over long ago"),
        Err(error) => tracing::warn!(%error, "the sweep of old jobs failed"),
    }
}

/// Reads the policy again and again until `stop`. A mistake is logged and changes nothing.
pub async fn reload_policy(app: App, stop: CancellationToken) {
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            () = tokio::time::sleep(POLICY_RELOAD_EVERY) => {}
        }
        if let Err(error) = app.reload_policy().await {
            tracing::error!(%error, "the old policy stays");
        }
    }
}

/// Removes what this process owns and does not use any more, until `stop`: connections to MCP servers, and
/// directories of calls that were cut off.
pub async fn tidy(app: App, stop: CancellationToken) {
    loop {
        match mediation::sweep_scratch(&app).await {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "removed what calls left on the disk"),
            Err(error) => tracing::warn!(%error, "the sweep of calls' directories failed"),
        }
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            () = tokio::time::sleep(TIDY_EVERY) => {}
        }
        app.connectors().sweep();
    }
}
