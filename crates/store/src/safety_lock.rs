//! Safety locks of organizations.
//!
//! INVARIANT: an organization has at most one that is engaged (a unique index says so).

use std::collections::BTreeSet;

use domain::{
    clock::Timestamp,
    id::OrganizationId,
    policy::LaneId,
    safety_lock::{SafetyLock, Turn},
};

use crate::{
    conn::{Conn, Tx},
    error::{Error, Result},
    row::Row,
    statement::statements,
    value::{Rows, values},
};

macro_rules! columns {
    () => {
        "id, organization_id, engaged_by, engaged_at, engaged_reason, released_by, released_at, released_reason"
    };
}

statements! {
    SAFETY_LOCK_INSERT = "INSERT INTO safety_locks (id, organization_id, engaged_by, engaged_at, engaged_reason)
        VALUES ($1, $2, $3, $4, $5)";
    SAFETY_LOCK_RELEASE = "UPDATE safety_locks SET released_by = $3, released_at = $4, released_reason = $5
        WHERE organization_id = $1 AND id = $2 AND released_at IS NULL";
    SAFETY_LOCK_FETCH = concat!("SELECT ", columns!(), " FROM safety_locks
        WHERE organization_id = $1 AND released_at IS NULL");
    /// Serialises changes of what belongs to a lock with its release.
    SAFETY_LOCK_HOLD = concat!("SELECT ", columns!(), " FROM safety_locks
        WHERE organization_id = $1 AND released_at IS NULL"), pg: " FOR NO KEY UPDATE";
    /// A row for a lock that holds, and one for each lane that is lifted out of it.
    FACT_LOCK = "SELECT given.row_number, t.lane_id FROM ",
        rows(organization_id: TEXT, moment: TIMESTAMPTZ)
        "JOIN safety_locks l ON l.organization_id = given.organization_id AND l.released_at IS NULL
        LEFT JOIN override_tickets t ON t.organization_id = l.organization_id AND t.lock_id = l.id
        AND t.status = 'active' AND t.expires_at > given.moment";
}

/// The lock that holds, if one does.
pub async fn safety_lock_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
) -> Result<Option<SafetyLock>> {
    let values = values![organization_id];
    let row = conn
        .fetch_optional("safety_locks", &SAFETY_LOCK_FETCH, values)
        .await?;
    row.map(|row| lock(&row)).transpose()
}

/// For each organization: the lanes that are lifted out of its lock at this moment, or `None` if it has locked
/// nothing. One statement for all.
pub async fn fact_locks(
    conn: &mut Conn,
    asked: &[&OrganizationId],
    now: Timestamp,
) -> Result<Vec<Option<BTreeSet<LaneId>>>> {
    let mut found = vec![None; asked.len()];
    if asked.is_empty() {
        return Ok(found);
    }
    let given = Rows(asked.iter().map(|id| values![*id, now]).collect());
    let rows = conn
        .fetch_all("safety_locks", &FACT_LOCK, values![given])
        .await?;
    for row in &rows {
        if let Some(place) = found.get_mut(crate::fact::row_number(row)?) {
            let lifted = place.get_or_insert_with(BTreeSet::new);
            lifted.extend(row.parsed_opt::<LaneId>("lane_id")?);
        }
    }
    Ok(found)
}

/// Engages the lock. `false` if one was engaged already.
pub async fn safety_lock_insert(tx: &mut Tx, lock: &SafetyLock) -> Result<bool> {
    let turn = &lock.engaged;
    let values = values![
        lock.id,
        &lock.organization_id,
        &turn.by,
        turn.at,
        &turn.reason
    ];
    match tx.execute(&SAFETY_LOCK_INSERT, values).await {
        Err(Error::Conflict { .. }) => Ok(false),
        other => other.map(|inserted| inserted == 1),
    }
}

/// The lock that holds, kept as it is until the end of the transaction.
pub async fn safety_lock_hold(
    tx: &mut Tx,
    organization_id: &OrganizationId,
) -> Result<Option<SafetyLock>> {
    let values = values![organization_id];
    let row = tx
        .fetch_optional("safety_locks", &SAFETY_LOCK_HOLD, values)
        .await?;
    row.map(|row| lock(&row)).transpose()
}

/// Releases the lock. `false` if it was released already.
pub async fn safety_lock_release(tx: &mut Tx, lock: &SafetyLock, turn: &Turn) -> Result<bool> {
    let values = values![
        &lock.organization_id,
        lock.id,
        &turn.by,
        turn.at,
        &turn.reason
    ];
    Ok(tx.execute(&SAFETY_LOCK_RELEASE, values).await? == 1)
}

fn lock(row: &Row) -> Result<SafetyLock> {
    let released = match row.time_opt("released_at")? {
        None => None,
        Some(at) => Some(Turn {
            by: row.parsed("released_by")?,
            at,
            reason: row.text("released_reason")?,
        }),
    };
    Ok(SafetyLock {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        engaged: Turn {
            by: row.parsed("engaged_by")?,
            at: row.time("engaged_at")?,
            reason: row.text("engaged_reason")?,
        },
        released,
    })
}
