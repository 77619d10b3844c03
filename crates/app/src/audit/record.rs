//! Recording an event in the transaction of the change it speaks of.

use std::sync::atomic::{AtomicU64, Ordering};

use domain::{
    audit::Event,
    clock::Timestamp,
    id::{InstanceId, OrganizationId, SessionId},
    invalid::Invalid,
    limits::AUDIT_EVENT_BYTES_MAX,
};
use store::{NewAuditEvent, Tx};
use uuid::Uuid;

use crate::error::Result;

/// Makes ids of events: UUIDs of version 7 that grow in the order they are asked for, also after the clock was set back:
/// lists of records, which go by them, show what one process did in the order it happened in.
///
/// INVARIANT: no id twice. Within a process the count decides; between processes their own ids do, whose
/// random end every event of theirs has.
#[derive(Debug)]
pub struct EventIds {
    instance: InstanceId,
    /// Milliseconds in the upper 52 bits, a count in the lower 12.
    last: AtomicU64,
}

impl EventIds {
    pub fn new(instance: InstanceId) -> Self {
        let last = AtomicU64::new(0);
        Self { instance, last }
    }

    pub fn next(&self, now: Timestamp) -> Uuid {
        let millis = u64::try_from(now.micros() / 1000).unwrap_or(0);
        let after = |last: u64| (last + 1).max(millis << 12);
        // More than 4,096 in a millisecond run into the next one, which does no harm.
        let updated = self
            .last
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| {
                Some(after(last))
            });
        let now = after(updated.unwrap_or_default());
        let count = u16::try_from(now & 0xfff).unwrap_or_default();
        let mut bytes = [0; 10];
        bytes[..2].copy_from_slice(&count.to_be_bytes());
        bytes[2..].copy_from_slice(&self.instance.uuid().as_bytes()[8..]);
        uuid::Builder::from_unix_timestamp_millis(now >> 12, &bytes).into_uuid()
    }
}

/// The event as it goes into the database: pure, so that a caller with many to record prepares them before it
/// opens a transaction. Its id must come from the app's [`EventIds`].
pub fn prepare(
    event: Event,
    organization_id: &OrganizationId,
    session_id: Option<SessionId>,
) -> Result<NewAuditEvent> {
    let bytes = event.canonical_bytes();
    if bytes.len() > AUDIT_EVENT_BYTES_MAX {
        let message = format!("must have at most {AUDIT_EVENT_BYTES_MAX} bytes");
        return Err(Invalid::new("event", message).into());
    }
    let text = String::from_utf8(bytes).map_err(|_| Invalid::new("event", "must be UTF-8"))?;
    Ok(NewAuditEvent {
        id: event.id,
        organization_id: organization_id.clone(),
        case_id: event.case_id,
        session_id,
        run_id: event.run_id.map(|id| id.as_str().to_owned()),
        actor_id: Some(event.actor.id.as_str().to_owned()),
        action_type: event.action.as_str().into(),
        outcome: event.outcome.as_str().into(),
        event: text,
        created_at: event.at,
    })
}

/// Records prepared events with whatever else `tx` does.
pub async fn record_all(tx: &mut Tx, events: &[NewAuditEvent]) -> Result<()> {
    store::audit_event_insert_all(tx, events).await?;
    metrics::counter!("proliferate_audit_events_total").increment(events.len() as u64);
    Ok(())
}

/// Records `event` with whatever else `tx` does.
pub async fn record(
    tx: &mut Tx,
    event: Event,
    organization_id: &OrganizationId,
    session_id: Option<SessionId>,
) -> Result<()> {
    record_all(tx, &[prepare(event, organization_id, session_id)?]).await
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use testkit::clock::{FakeClock, SeededEntropy};

    use super::*;

    #[test]
    fn ids_grow_in_the_order_they_are_asked_for() {
        let start = domain::clock::Clock::now(&FakeClock::new());
        let ids = EventIds::new(InstanceId::generate(start, &SeededEntropy::new(1)));
        let hour = Duration::from_hours(1);
        let moments = [start, start.plus(hour), start, start.plus(hour)];
        let made: Vec<Uuid> = (0..20_000)
            .map(|n: usize| ids.next(moments[n % moments.len()]))
            .collect();
        assert!(made.is_sorted_by(|a, b| a < b));
        assert!(made.iter().all(|id| id.get_version_num() == 7));
    }
}
