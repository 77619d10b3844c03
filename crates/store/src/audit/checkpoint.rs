//! Signed sizes and roots.

use domain::{clock::Timestamp, id::OrganizationId};

use crate::{
    audit::copy::audit_copy_insert,
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

statements! {
    AUDIT_CHECKPOINT_INSERT = "INSERT INTO audit_checkpoints
        (organization_id, size, root, frontier, note, created_at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (organization_id, size) DO NOTHING";
    AUDIT_CHECKPOINT_LAST = "SELECT organization_id AS id, size, root, frontier, note, created_at
        FROM audit_checkpoints WHERE organization_id = $1 ORDER BY size DESC LIMIT 1";
    AUDIT_CHECKPOINT_LIST = "SELECT organization_id AS id, size, root, frontier, note, created_at
        FROM audit_checkpoints WHERE organization_id = $1 AND size > $2 ORDER BY size LIMIT $3";
}

/// A signed size and root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditCheckpoint {
    pub size: i64,
    pub root: String,
    pub frontier: String,
    pub note: String,
    pub created_at: Timestamp,
}

pub async fn audit_checkpoint_last(
    conn: &mut Conn,
    organization_id: &OrganizationId,
) -> Result<Option<AuditCheckpoint>> {
    let values = values![organization_id];
    let row = conn
        .fetch_optional("audit_checkpoints", &AUDIT_CHECKPOINT_LAST, values)
        .await?;
    row.as_ref().map(audit_checkpoint).transpose()
}

/// Checkpoints of more than `size` records, the shortest first.
pub async fn audit_checkpoint_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    size: i64,
    limit: u32,
) -> Result<Vec<AuditCheckpoint>> {
    let values = values![organization_id, size, i64::from(limit)];
    let rows = conn
        .fetch_all("audit_checkpoints", &AUDIT_CHECKPOINT_LIST, values)
        .await?;
    rows.iter().map(audit_checkpoint).collect()
}

/// Does nothing if this size has one. A new one is queued to be copied.
pub async fn audit_checkpoint_insert(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    checkpoint: &AuditCheckpoint,
) -> Result<()> {
    let values = values![
        organization_id,
        checkpoint.size,
        &checkpoint.root,
        &checkpoint.frontier,
        &checkpoint.note,
        checkpoint.created_at,
    ];
    if tx.execute(&AUDIT_CHECKPOINT_INSERT, values).await? == 1 {
        audit_copy_insert(tx, organization_id, checkpoint.size).await?;
    }
    Ok(())
}

fn audit_checkpoint(row: &Row) -> Result<AuditCheckpoint> {
    Ok(AuditCheckpoint {
        size: row.int("size")?,
        root: row.text("root")?,
        frontier: row.text("frontier")?,
        note: row.text("note")?,
        created_at: row.time("created_at")?,
    })
}
