//! Giving events their places, after they were committed.
//!
//! INVARIANT: numbers have no gap, in the log and in each trail, and each record names the leaf before it.
//! One transaction per batch: a crash leaves whole batches. Two sequencers at once are harmless: both want
//! the same next number, and the database gives it to one.

use std::collections::{BTreeMap, btree_map::Entry};

use domain::{
    audit::{Envelope, GENESIS, Trail},
    clock::Timestamp,
    id::OrganizationId,
    limits::{AUDIT_CLOCK_STEP_MIN, AUDIT_SEQUENCE_BATCH_MAX, AUDIT_SEQUENCE_TRIES_MAX},
    merkle::{Hash, leaf_hash},
};
use store::{AuditEnd, AuditPlace, Conn, PendingAuditEvent, TrailPlace};

use crate::{context::App, error::Result};

/// The next free number of a chain and the leaf it follows, as the ledger stores it.
#[derive(Debug, Clone)]
struct Next {
    seq: i64,
    prev: String,
}

/// The ends of the chains that a batch goes on with.
struct Chains<'a> {
    organization_id: &'a OrganizationId,
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
        match batch(app, organization_id).await {
            // Who was faster has gone on, and what is left is less.
            Err(crate::Error::Store(store::Error::Conflict { .. }))
                if tries < AUDIT_SEQUENCE_TRIES_MAX =>
            {
                tracing::debug!(%organization_id, "another sequencer was faster");
            }
            outcome => return outcome,
        }
    }
}

async fn batch(app: &App, organization_id: &OrganizationId) -> Result<usize> {
    let places = next_places(app, organization_id).await?;
    if places.is_empty() {
        return Ok(0);
    }
    let mut tx = app.db.write().await?;
    tx.audit_place(organization_id, &places).await?;
    tx.commit().await?;
    Ok(places.len())
}

/// Read and hashed before anything is written, so that whoever writes waits for the writing alone.
///
/// INVARIANT: the end of the log is read first. Whatever another sequencer places from then on takes the numbers that are
/// given out here, and the database refuses these.
async fn next_places(app: &App, organization_id: &OrganizationId) -> Result<Vec<AuditPlace>> {
    let mut conn = app.db.read().await?;
    let end = conn.audit_end(organization_id).await?;
    let pending = conn
        .audit_pending_list(organization_id, AUDIT_SEQUENCE_BATCH_MAX)
        .await?;
    let mut chains = Chains {
        organization_id,
        at: end.as_ref().map(|end| end.at),
        log: Next::after(end),
        trails: BTreeMap::new(),
        record: String::new(),
    };
    let mut places = Vec::with_capacity(pending.len());
    for event in pending {
        places.push(chains.place(&mut conn, event).await?);
    }
    Ok(places)
}

impl Chains<'_> {
    async fn place(&mut self, conn: &mut Conn, event: PendingAuditEvent) -> Result<AuditPlace> {
        let case = match event.case_id {
            None => None,
            Some(id) => Some((id.clone(), self.end(conn, Trail::Case(id)).await?)),
        };
        let session = match event.session_id {
            None => None,
            Some(id) => Some((id, self.end(conn, Trail::Session(id)).await?)),
        };
        let (seq, prev) = (self.log.seq, self.log.prev.clone());
        let clock_regression = self.clock_went_back(event.created_at);
        let envelope = Envelope {
            ledger: self.organization_id.as_str(),
            seq,
            prev: &prev,
            case: case.as_ref().map(|(_, at)| (at.seq, &*at.prev)),
            session: { session.as_ref() }.map(|(id, at)| (*id, at.seq, &*at.prev)),
            clock_regression,
        };
        self.record.clear();
        envelope.write(&event.event, &mut self.record);
        let leaf = hex::encode(leaf_hash(self.record.as_bytes()));
        self.log.follow(&leaf);
        self.at = Some(event.created_at);
        let trails = [
            case.as_ref().map(|(id, _)| Trail::Case(id.clone())),
            session.as_ref().map(|(id, _)| Trail::Session(*id)),
        ];
        for trail in trails.iter().flatten() {
            if let Some(next) = self.trails.get_mut(trail) {
                next.follow(&leaf);
            }
        }
        Ok(AuditPlace {
            seq,
            event_id: event.id,
            prev,
            case,
            session,
            clock_regression,
            leaf,
            marks: event.marks,
        })
    }

    /// Where the trail stands within this batch; asked of the database once.
    async fn end(&mut self, conn: &mut Conn, trail: Trail) -> Result<TrailPlace> {
        let next = match self.trails.entry(trail) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let end = conn
                    .audit_end_of_trail(self.organization_id, unknown.key())
                    .await?;
                unknown.insert(Next::after(end))
            }
        };
        Ok(TrailPlace {
            seq: next.seq,
            prev: next.prev.clone(),
        })
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
