//! Gives events their places at once, in the transaction that records them.

use std::collections::BTreeSet;

use domain::{
    id::OrganizationId,
    limits::{AUDIT_CHECKPOINT_EVENTS, AUDIT_PLACED_AT_ONCE_MIN, AUDIT_SEQUENCE_BATCH_MAX},
};
use store::{AuditPosition, NewAuditEvent, PendingAuditEvent, Tx};

use super::{
    record_all,
    sequence::{next_places, unsigned},
};
use crate::{context::App, error::Result};

/// Logs that a transaction made grow by enough to be signed, once it is committed.
#[derive(Debug, Default, PartialEq, Eq)]
#[must_use = "the sequencer has to be notified"]
pub struct GrownLogs(BTreeSet<OrganizationId>);

impl GrownLogs {
    /// Notifies the sequencer, once the transaction is committed.
    pub fn committed(self, app: &App) {
        if !self.0.is_empty() {
            app.due().add(self.0);
        }
    }
}

/// Records many events with whatever else `tx` does.
///
/// If no other transaction can write until `tx` ends, no other can take the next places. Then events that are enough to
/// be worth it get their places here, behind those that wait, and are written once. Fewer events are recorded to wait,
/// which is faster; so are all of them while more wait than one batch takes.
pub async fn record_batch(tx: &mut Tx, events: Vec<NewAuditEvent>) -> Result<GrownLogs> {
    let Some(waiting) = ahead(tx, events.len()).await? else {
        record_all(tx, &events).await?;
        return Ok(GrownLogs::default());
    };
    metrics::counter!("proliferate_audit_events_total").increment(events.len() as u64);
    let waiting = waiting.into_iter().map(|at| (Some(at.arrival), at.event));
    let events = waiting.chain(events.into_iter().map(|event| (None, event)));
    let places = next_places(tx, events).await?;
    store::audit_position_insert_all(tx, &places).await?;
    let due = places
        .into_iter()
        .filter(completes)
        .map(|place| place.event);
    Ok(GrownLogs(due.map(|event| event.organization_id).collect()))
}

/// What waits before `count` events that could get their places now; `None` if they are to wait as well.
async fn ahead(tx: &mut Tx, count: usize) -> Result<Option<Vec<PendingAuditEvent>>> {
    if count < AUDIT_PLACED_AT_ONCE_MIN || !tx.is_only_writer() {
        return Ok(None);
    }
    let limit = AUDIT_SEQUENCE_BATCH_MAX;
    let waiting = store::audit_pending_list(tx, None, 0, limit).await?;
    Ok((waiting.len() < limit as usize).then_some(waiting))
}

/// Whether a checkpoint is due after it.
fn completes(place: &AuditPosition) -> bool {
    (unsigned(place.seq) + 1).is_multiple_of(AUDIT_CHECKPOINT_EVENTS)
}
