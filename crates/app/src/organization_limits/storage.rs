//! The bytes that an organization has stored: counted up where they begin, and counted again by a sweep.
//!
//! What a person or an agent adds is refused at the limit. What the gateway itself must keep is not: results of calls,
//! which are their record, and the snapshot of a sandbox that is paused or moved, which may be the only copy of
//! a person's work.

use domain::{
    id::OrganizationId,
    limits::{STORAGE_COUNT_BATCH_MAX, STORAGE_COUNT_EVERY},
    organization_limits::LimitKind,
};
use store::{Conn, Tx};

use super::start::reached;
use crate::{context::App, error::Result};

/// Fails if the storage of the organization is used up: before a byte is sent.
pub async fn check_storage(conn: &mut Conn, organization_id: &OrganizationId) -> Result<()> {
    let limits = store::organization_limits_fetch(conn, organization_id).await?;
    let Some(limit) = limits.in_force(LimitKind::StorageBytes) else {
        return Ok(());
    };
    let used = store::storage_fetch(conn, organization_id).await?.byte_size;
    limit.check(used, 1).map_err(|exceeded| reached(&exceeded))
}

/// Adds stored bytes; fails if they are more than the organization may have. The transaction is the one that records them.
pub(crate) async fn add_stored(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    bytes: u64,
) -> Result<()> {
    add(tx, organization_id, (bytes, 0)).await
}

/// Reserves room for files that an agent hands in as evidence. Bytes that are not stored after all stay counted: they have
/// no rows to be counted by.
pub async fn reserve_evidence(
    app: &App,
    organization_id: &OrganizationId,
    bytes: u64,
) -> Result<()> {
    let mut tx = app.db.write().await?;
    add(&mut tx, organization_id, (0, bytes)).await?;
    tx.commit().await?;
    Ok(())
}

async fn add(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    (bytes, evidence_bytes): (u64, u64),
) -> Result<()> {
    let all = store::storage_add(tx, organization_id, bytes, evidence_bytes).await?;
    let limits = store::organization_limits_fetch(tx, organization_id).await?;
    let Some(limit) = limits.in_force(LimitKind::StorageBytes) else {
        return Ok(());
    };
    let more = i64::try_from(bytes.saturating_add(evidence_bytes)).unwrap_or(i64::MAX);
    let checked = limit.check(all.saturating_sub(more), more);
    checked.map_err(|exceeded| reached(&exceeded))
}

/// Adds a snapshot that was taken, without a refusal.
pub async fn count_snapshot(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    bytes: u64,
) -> store::Result<()> {
    store::storage_add(tx, organization_id, bytes, 0).await?;
    Ok(())
}

/// Counts what organizations have stored, one batch at most, and returns how many were counted.
pub async fn sweep_storage(app: &App) -> Result<usize> {
    let now = app.now();
    let before = now.minus(STORAGE_COUNT_EVERY);
    let due = {
        let mut conn = app.db.read().await?;
        store::storage_list_to_count(&mut conn, before, STORAGE_COUNT_BATCH_MAX).await?
    };
    for organization_id in &due {
        let mut tx = app.db.write().await?;
        store::storage_count(&mut tx, organization_id, now).await?;
        tx.commit().await?;
    }
    Ok(due.len())
}
