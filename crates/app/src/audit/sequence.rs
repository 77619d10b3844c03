//! Giving events their places: after they were committed, or with them (`at_once.rs`).
//!
//! INVARIANT: numbers have no gap, in the log and in each trail, and each record names the leaf before it.
//! One transaction per batch: a crash leaves whole batches. Two sequencers at once are harmless: both want
//! the same next number, or a second place for the same event, and the database refuses one of them.

use std::collections::{BTreeMap, btree_map::Entry};

use domain::{
    audit::{Envelope, GENESIS, Trail},
    clock::Timestamp,
    id::OrganizationId,
    limits::{AUDIT_CLOCK_STEP_MIN, AUDIT_SEQUENCE_BATCH_MAX, AUDIT_SEQUENCE_TRIES_MAX},
    merkle::{Hash, leaf_hash},
};
use store::{AuditEnd, AuditPosition, Conn, NewAuditEvent, PendingAuditEvent, TrailPosition};

use crate::{context::App, error::Result};

/// The next free number of a chain and the leaf it follows, as the ledger stores it.
#[derive(Debug, Clone)]
struct Next {
    seq: i64,
    prev: String,
}

/// The ends of the chains that a batch goes on with.
struct Chains {
    log: Next,
    /// When the last event of the log happened.
    at: Option<Timestamp>,
    trails: BTreeMap<Trail, Next>,
    /// The record that is being hashed; kept for its room.
    record: String,
}

/// Gives the oldest events of the organization that wait their places, and says how many: fewer than a batch has only
/// if no more wait.
pub async fn sequence(app: &App, organization_id: &OrganizationId) -> Result<usize> {
    let mut tries = 0;
    loop {
        tries += 1;
        let events = waiting(app, Some(organization_id), 0).await?;
        let count = events.len();
        match place(app, events).await {
            // Another sequencer was faster, and less is left.
            Err(crate::Error::Store(store::Error::Conflict { .. }))
                if tries < AUDIT_SEQUENCE_TRIES_MAX =>
            {
                tracing::debug!(%organization_id, "another sequencer was faster");
            }
            placed => return placed.map(|()| count),
        }
    }
}

/// A batch of the events that came in after `after`, of one organization or of all.
pub(super) async fn waiting(
    app: &App,
    organization_id: Option<&OrganizationId>,
    after: i64,
) -> Result<Vec<PendingAuditEvent>> {
    let mut conn = app.db.read().await?;
    let limit = AUDIT_SEQUENCE_BATCH_MAX;
    let events = store::audit_pending_list(&mut conn, organization_id, after, limit);
    Ok(events.await?)
}

/// Gives events their places, those of an organization in the order they are given in: all of them, or none.
///
/// Read and hashed before anything is written, so that other writers wait for the writing alone. What another sequencer
/// places meanwhile takes these numbers or these events, and the database refuses them here.
pub(super) async fn place(app: &App, events: Vec<PendingAuditEvent>) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let waited = { events.into_iter() }.map(|waited| (Some(waited.arrival), waited.event));
    let mut conn = app.db.read().await?;
    let places = next_places(&mut conn, waited).await?;
    drop(conn);
    let mut tx = app.db.write().await?;
    store::audit_position_insert_all(&mut tx, &places).await?;
    tx.commit().await?;
    Ok(())
}

/// The places that events get, each with the number of its arrival if it waited.
pub(super) async fn next_places(
    conn: &mut Conn,
    events: impl Iterator<Item = (Option<i64>, NewAuditEvent)>,
) -> Result<Vec<AuditPosition>> {
    let mut logs: BTreeMap<OrganizationId, Chains> = BTreeMap::new();
    let mut places = Vec::with_capacity(events.size_hint().0);
    for (arrival, event) in events {
        let chains = match logs.entry(event.organization_id.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let chains = Chains::of(conn, unknown.key()).await?;
                unknown.insert(chains)
            }
        };
        places.push(chains.place(conn, arrival, event).await?);
    }
    Ok(places)
}

impl Chains {
    async fn of(conn: &mut Conn, organization_id: &OrganizationId) -> Result<Self> {
        let end = store::audit_end(conn, organization_id).await?;
        Ok(Self {
            at: end.as_ref().map(|end| end.at),
            log: Next::after(end),
            trails: BTreeMap::new(),
            record: String::new(),
        })
    }

    async fn place(
        &mut self,
        conn: &mut Conn,
        arrival: Option<i64>,
        event: NewAuditEvent,
    ) -> Result<AuditPosition> {
        let organization_id = &event.organization_id;
        let case = event.case_id.clone().map(Trail::Case);
        let case_place = self.end(conn, organization_id, case.as_ref()).await?;
        let session = event.session_id.map(Trail::Session);
        let session_place = self.end(conn, organization_id, session.as_ref()).await?;
        let (seq, prev) = (self.log.seq, self.log.prev.clone());
        let clock_regression = self.clock_went_back(event.created_at);
        let envelope = Envelope {
            ledger: organization_id.as_str(),
            seq,
            prev: &prev,
            case: case_place.as_ref().map(|at| (at.seq, &*at.prev)),
            session: { event.session_id.zip(session_place.as_ref()) }
                .map(|(id, at)| (id, at.seq, &*at.prev)),
            clock_regression,
        };
        self.record.clear();
        envelope.write(&event.event, &mut self.record);
        let leaf = hex::encode(leaf_hash(self.record.as_bytes()));
        self.log.follow(&leaf);
        self.at = Some(event.created_at);
        for trail in [case, session].iter().flatten() {
            if let Some(next) = self.trails.get_mut(trail) {
                next.follow(&leaf);
            }
        }
        Ok(AuditPosition {
            arrival,
            event,
            seq,
            prev,
            case: case_place,
            session: session_place,
            clock_regression,
            leaf,
        })
    }

    /// Where the trail stands within this batch; asked of the database once.
    async fn end(
        &mut self,
        conn: &mut Conn,
        organization_id: &OrganizationId,
        trail: Option<&Trail>,
    ) -> Result<Option<TrailPosition>> {
        let Some(trail) = trail else {
            return Ok(None);
        };
        let next = match self.trails.entry(trail.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let end = store::audit_end_of_trail(conn, organization_id, trail).await?;
                unknown.insert(Next::after(end))
            }
        };
        Ok(Some(TrailPosition {
            seq: next.seq,
            prev: next.prev.clone(),
        }))
    }

    /// Whether an event of this time says an earlier time than the record before it. Machines' clocks
    /// differ a little; that is no news.
    fn clock_went_back(&self, at: Timestamp) -> bool {
        self.at
            .is_some_and(|last| at.plus(AUDIT_CLOCK_STEP_MIN) < last)
    }
}

impl Next {
    fn after(end: Option<AuditEnd>) -> Self {
        let (seq, prev) =
            end.map_or_else(|| (0, hex::encode(GENESIS)), |end| (end.seq + 1, end.leaf));
        Self { seq, prev }
    }

    fn follow(&mut self, leaf: &str) {
        self.seq += 1;
        leaf.clone_into(&mut self.prev);
    }
}

/// A hash as the ledger stores it.
pub(super) fn stored_hash(column: &'static str, seq: i64, text: &str) -> Result<Hash> {
    let mut hash = [0; 32];
    hex::decode_to_slice(text, &mut hash)
        .map_err(|_| inconsistent("audit_ledger", column, &seq, "not a hash".to_owned()))?;
    Ok(hash)
}

/// A row of the log that cannot be.
pub(super) fn inconsistent(
    table: &'static str,
    column: &'static str,
    id: &impl ToString,
    reason: String,
) -> crate::Error {
    let id = id.to_string();
    crate::Error::Store(store::Error::Inconsistent {
        table,
        column,
        id,
        reason,
    })
}

/// The database's numbers are never negative; it checks.
pub(super) fn unsigned(seq: i64) -> u64 {
    u64::try_from(seq).unwrap_or_default()
}
