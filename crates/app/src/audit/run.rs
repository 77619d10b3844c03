//! The sequencer's loop: places for events that wait, checkpoints for what has its place, for every
//! organization. One instance does it at a time, by lease, which saves work; two would do no harm.

use std::{collections::BTreeSet, time::Duration};

use domain::{
    id::OrganizationId,
    lease::LeaseKey,
    limits::{
        AUDIT_BATCHES_PER_ROUND_MAX, AUDIT_CHECKPOINT_EVENTS, AUDIT_CHECKPOINT_EVERY, AUDIT_LEASE,
        AUDIT_ROUND_EVERY, AUDIT_SEQUENCE_BATCH_MAX,
    },
};
use store::{AuditCheckpoint, PendingAuditEvent};
use tokio_util::sync::CancellationToken;

use super::{
    checkpoint,
    heartbeat::heartbeat,
    sequence,
    sequence::{place, waiting},
};
use crate::{context::App, error::Result};

const SEQUENCER: LeaseKey = LeaseKey::Sweeper("audit");

/// Works until `stop`, then once more, so that what was done last is signed before the process ends.
pub async fn run(app: App, stop: CancellationToken) {
    let mut swept: Option<Duration> = None;
    loop {
        let last = stop.is_cancelled();
        let mut busy = false;
        if holds_lease(&app).await {
            for organization_id in app.due().take() {
                sign(&app, &organization_id).await;
            }
            busy = round(&app).await;
            let now = app.clock.monotonic();
            let due = swept.is_none_or(|at| now.saturating_sub(at) >= AUDIT_CHECKPOINT_EVERY);
            if due || last {
                sweep(&app).await;
                swept = Some(now);
            }
        }
        if last {
            break;
        }
        if busy {
            continue;
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = app.due().added() => {}
            () = tokio::time::sleep(AUDIT_ROUND_EVERY) => {}
        }
    }
    // Another instance may go on at once.
    if let Err(error) = app.coordination.release(SEQUENCER, app.instance.id).await {
        tracing::debug!(%error, "the sequencer's lease was not released; it expires by itself");
    }
}

async fn holds_lease(app: &App) -> bool {
    let held = app
        .coordination
        .acquire(SEQUENCER, app.instance.id, AUDIT_LEASE)
        .await;
    match held {
        Ok(coord::Acquisition::HeldBy(_)) => false,
        Ok(_) => true,
        // Without coordination every instance sequences: slower, and the database keeps it right.
        Err(error) => {
            tracing::warn!(%error, "sequencing the audit log without a lease");
            true
        }
    }
}

/// Places for what waits, oldest first, and a checkpoint where enough came together. Says whether more is known to wait.
async fn round(app: &App) -> bool {
    let mut after = 0;
    for _ in 0..AUDIT_BATCHES_PER_ROUND_MAX {
        let events = match waiting(app, None, after).await {
            Ok(events) => events,
            Err(error) => {
                tracing::warn!(%error, "events that wait for their places cannot be found");
                return false;
            }
        };
        let (count, last) = (events.len(), events.last().map(|event| event.arrival));
        advance(app, events).await;
        match last {
            // What could not be placed is left behind until the next round.
            Some(last) if count == AUDIT_SEQUENCE_BATCH_MAX as usize => after = last,
            _ => return false,
        }
    }
    true
}

/// All of them at once; if that fails, each log by itself: a broken one must not keep the others waiting.
async fn advance(app: &App, events: Vec<PendingAuditEvent>) {
    let of = { events.iter() }.map(|waiting| waiting.event.organization_id.clone());
    let logs: BTreeSet<OrganizationId> = of.collect();
    let together = place(app, events).await;
    for organization_id in logs {
        let on = async {
            if together.is_err() {
                sequence(app, &organization_id).await?;
            }
            checkpoint(app, &organization_id, AUDIT_CHECKPOINT_EVENTS).await
        };
        if let Err(error) = on.await {
            tracing::error!(%error, %organization_id, "the audit log does not go on");
        }
    }
}

/// A checkpoint for whatever of the log has none.
async fn sign(app: &App, organization_id: &OrganizationId) {
    if let Err(error) = checkpoint(app, organization_id, 1).await {
        tracing::error!(%error, %organization_id, "the audit log cannot be signed");
    }
}

/// A heartbeat for every quiet log, and a checkpoint for every log that grew since its last.
async fn sweep(app: &App) {
    let mut after: Option<OrganizationId> = None;
    // Ends: ids only grow.
    loop {
        let next = async {
            let mut conn = app.db.read().await?;
            store::audit_organization_next(&mut conn, after.as_ref()).await
        };
        let organization_id = match next.await {
            Ok(Some(organization_id)) => organization_id,
            Ok(None) => return,
            Err(error) => {
                tracing::warn!(%error, "logs without a checkpoint cannot be found");
                return;
            }
        };
        if let Err(error) = heartbeat(app, &organization_id).await {
            tracing::error!(%error, %organization_id, "the audit log gives no sign of life");
        }
        sign(app, &organization_id).await;
        after = Some(organization_id);
    }
}

/// Gives everything that waits its place and signs it. `None` for an organization without a log.
pub async fn sign_pending(
    app: &App,
    organization_id: &OrganizationId,
) -> Result<Option<AuditCheckpoint>> {
    // Ends with the first batch that is not full: what comes in meanwhile is the next call's.
    while sequence(app, organization_id).await? >= AUDIT_SEQUENCE_BATCH_MAX as usize {}
    checkpoint(app, organization_id, 1).await?;
    let mut conn = app.db.read().await?;
    Ok(store::audit_checkpoint_last(&mut conn, organization_id).await?)
}
