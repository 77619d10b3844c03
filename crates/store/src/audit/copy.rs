//! Checkpoints that are to be copied to a second location.

use domain::id::OrganizationId;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    statement::statements,
    value::values,
};

statements! {
    AUDIT_COPY_INSERT = "INSERT INTO audit_copies_pending (organization_id, size) VALUES ($1, $2)
        ON CONFLICT (organization_id, size) DO NOTHING";
    AUDIT_COPY_LIST = "SELECT p.organization_id, p.size, c.note FROM audit_copies_pending p
        JOIN audit_checkpoints c ON c.organization_id = p.organization_id AND c.size = p.size
        WHERE p.organization_id > $1 OR (p.organization_id = $1 AND p.size > $2)
        ORDER BY p.organization_id, p.size LIMIT $3";
    AUDIT_COPY_DELETE = "DELETE FROM audit_copies_pending WHERE organization_id = $1 AND size = $2";
}

/// A checkpoint to copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditCopy {
    pub organization_id: OrganizationId,
    pub size: i64,
    pub note: String,
}

/// Returns the checkpoints to copy after the given one, in order of organization and size.
pub async fn audit_copy_list(
    conn: &mut Conn,
    after: Option<&AuditCopy>,
    limit: u32,
) -> Result<Vec<AuditCopy>> {
    let (organization, size) =
        after.map_or(("", 0), |copy| (copy.organization_id.as_str(), copy.size));
    let values = values![organization, size, i64::from(limit)];
    let rows = conn
        .fetch_all("audit_copies_pending", &AUDIT_COPY_LIST, values)
        .await?;
    let copy = |row: &crate::row::Row| {
        Ok(AuditCopy {
            organization_id: row.parsed("organization_id")?,
            size: row.int("size")?,
            note: row.text("note")?,
        })
    };
    rows.iter().map(copy).collect()
}

pub(super) async fn audit_copy_insert(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    size: i64,
) -> Result<()> {
    tx.execute(&AUDIT_COPY_INSERT, values![organization_id, size])
        .await?;
    Ok(())
}

/// It is copied.
pub async fn audit_copy_delete(tx: &mut Tx, copy: &AuditCopy) -> Result<()> {
    let values = values![&copy.organization_id, copy.size];
    tx.execute(&AUDIT_COPY_DELETE, values).await?;
    Ok(())
}
