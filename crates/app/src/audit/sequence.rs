//! Giving events their places, after they were committed.
//!
//! INVARIANT: numbers have no gap, in the log and in each case, and each record names the leaf before it.
//! One transaction per batch: a crash leaves whole batches. Two sequencers at once are harmless: both want
//! the same next number, and the database gives it to one.

use std::collections::{BTreeMap, btree_map::Entry};

use domain::{
    audit::{CasePlace, GENESIS, Record},
    canonical,
    id::OrganizationId,
    limits::AUDIT_SEQUENCE_BATCH_MAX,
    merkle::Hash,
};
use store::{AuditEnd, AuditPlace, Tx};

use crate::{context::App, error::Result};

/// The next free number of a chain and the leaf it follows.
#[derive(Debug, Clone, Copy)]
struct Next {
    seq: i64,
    prev: Hash,
}

/// Gives the oldest events of the organization that wait their places, and says how many. Zero when none
/// waits, or when another sequencer was faster: then the next call finds what is left.
pub async fn sequence(app: &App, organization_id: &OrganizationId) -> Result<usize> {
    match batch(app, organization_id).await {
        Err(crate::Error::Store(store::Error::Conflict { .. })) => {
            tracing::debug!(%organization_id, "another sequencer was faster");
            Ok(0)
        }
        outcome => outcome,
    }
}

async fn batch(app: &App, organization_id: &OrganizationId) -> Result<usize> {
    let mut tx = app.db.write().await?;
    let pending = tx
        .audit_pending_list(organization_id, AUDIT_SEQUENCE_BATCH_MAX)
        .await?;
    if pending.is_empty() {
        return Ok(0);
    }
    let mut log = next(tx.audit_end(organization_id).await?)?;
    let (mut cases, mut places) = (BTreeMap::new(), Vec::new());
    for event in &pending {
        let broken = |reason: String| inconsistent("audit_events", "event", &event.id, reason);
        let value = canonical::parse(event.event.as_bytes()).map_err(|e| broken(e.to_string()))?;
        let case = match &event.case_id {
            None => None,
            Some(case_id) => Some(case_end(&mut tx, organization_id, &mut cases, case_id).await?),
        };
        let record = Record {
            ledger: organization_id.as_str().to_owned(),
            seq: unsigned(log.seq),
            prev: log.prev,
            case: case.as_ref().map(|next| CasePlace {
                seq: unsigned(next.seq),
                prev: next.prev,
            }),
            event: value,
        };
        let leaf = record.leaf();
        places.push(AuditPlace {
            seq: log.seq,
            event_id: event.id,
            prev: hex::encode(log.prev),
            case: match (&event.case_id, &case) {
                (Some(id), Some(next)) => Some((id.clone(), next.seq, hex::encode(next.prev))),
                _ => None,
            },
            leaf: hex::encode(leaf),
        });
        log.follow(leaf);
        if let Some(next) = case {
            next.follow(leaf);
        }
    }
    tx.audit_place(organization_id, &places).await?;
    tx.commit().await?;
    Ok(places.len())
}

/// Where the case stands within this batch; asked of the database once.
async fn case_end<'a>(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    cases: &'a mut BTreeMap<String, Next>,
    case_id: &str,
) -> Result<&'a mut Next> {
    match cases.entry(case_id.to_owned()) {
        Entry::Occupied(known) => Ok(known.into_mut()),
        Entry::Vacant(unknown) => {
            let end = tx.audit_end_of_case(organization_id, case_id).await?;
            Ok(unknown.insert(next(end)?))
        }
    }
}

impl Next {
    fn follow(&mut self, leaf: Hash) {
        self.seq += 1;
        self.prev = leaf;
    }
}

fn next(end: Option<AuditEnd>) -> Result<Next> {
    match end {
        None => Ok(Next {
            seq: 0,
            prev: GENESIS,
        }),
        Some(end) => Ok(Next {
            seq: end.seq + 1,
            prev: stored_hash("leaf", end.seq, &end.leaf)?,
        }),
    }
}

/// A hash as the ledger stores it.
pub(super) fn stored_hash(column: &'static str, seq: i64, text: &str) -> Result<Hash> {
    let hash = hex::decode(text)
        .ok()
        .and_then(|bytes| Hash::try_from(bytes).ok());
    hash.ok_or_else(|| inconsistent("audit_ledger", column, &seq, "not a hash".to_owned()))
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
