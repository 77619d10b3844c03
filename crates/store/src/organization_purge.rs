//! Removes what an organization has, in bounded batches: rows first, its log after it was exported, itself last.
//!
//! INVARIANT: the database refuses to remove a log that was not exported, whatever is called here. A batch that is repeated
//! after a kill goes on where the last one ended.

use domain::id::OrganizationId;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    statement::{Statement, statements},
    value::values,
};

macro_rules! batch {
    ($table:literal, $key:literal) => {
        concat!(
            "DELETE FROM ",
            $table,
            " WHERE organization_id = $1 AND (",
            $key,
            ") IN (SELECT ",
            $key,
            " FROM ",
            $table,
            " WHERE organization_id = $1 LIMIT $2)"
        )
    };
}

statements! {
    PURGE_SESSION_EVENTS = batch!("session_events", "session_id, seq");
    PURGE_TOOL_INVOCATIONS = batch!("session_tool_invocations", "id");
    PURGE_ACTION_INVOCATIONS = batch!("action_invocations", "id");
    PURGE_WEBHOOK_DELIVERIES = batch!("webhook_deliveries", "webhook_id, id");
    PURGE_CASE_RECORDS = batch!("case_records", "id");
    PURGE_EXPORT_DELIVERIES = batch!("export_deliveries", "run_id");
    PURGE_RECORDING_CHUNKS = batch!("recording_chunks", "recording_id, number");
    PURGE_RECORDINGS = batch!("recordings", "id");
    PURGE_ARTIFACTS = batch!("artifacts", "id");
    PURGE_RUNS = batch!("runs", "id");
    PURGE_AUTOMATION_RUNS = batch!("automation_runs", "id");
    PURGE_JOBS = batch!("jobs", "id");
    PURGE_SNAPSHOTS = batch!("snapshots", "id");
    PURGE_SESSIONS = batch!("sessions", "id");
    PURGE_AUDIT_COPIES = batch!("audit_copies_pending", "size");
    PURGE_LEDGER = batch!("audit_ledger", "seq");
    PURGE_NODES = batch!("audit_nodes", "height, position");
    PURGE_CHECKPOINTS = batch!("audit_checkpoints", "size");
    /// Whether a sandbox of it may run.
    PURGE_LIVE_SESSIONS = "SELECT COUNT(*) AS n FROM sessions WHERE organization_id = $1
        AND status IN ('starting', 'running')";
    PURGE_EXPORTED_SET = "UPDATE organization SET exported_size = $2 WHERE id = $1 AND purge_begun_at IS NOT NULL";
    PURGE_EXPORTED = "SELECT id, exported_size FROM organization WHERE id = $1";
    PURGE_UNEXPORTED = "SELECT (SELECT COUNT(*) FROM audit_pending WHERE organization_id = $1)
        + (SELECT COUNT(*) FROM audit_ledger WHERE organization_id = $1 AND seq >= $2) AS n";
    PURGE_LEDGER_FIRST = "SELECT COUNT(*) AS n FROM audit_ledger WHERE organization_id = $1 AND seq = 0";
    /// The last statement; what else refers to the organization goes with it.
    PURGE_ORGANIZATION = "DELETE FROM organization WHERE id = $1 AND status = 'deleting'
        AND purge_begun_at IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM audit_ledger WHERE organization_id = $1)";
}

/// Tables whose rows grow with use, so that they are emptied in batches. Rows that refer to others come first. What is not
/// listed refers to the organization and goes with it.
const ROWS: &[&Statement] = &[
    &PURGE_SESSION_EVENTS,
    &PURGE_TOOL_INVOCATIONS,
    &PURGE_ACTION_INVOCATIONS,
    &PURGE_WEBHOOK_DELIVERIES,
    &PURGE_CASE_RECORDS,
    &PURGE_EXPORT_DELIVERIES,
    &PURGE_RECORDING_CHUNKS,
    &PURGE_RECORDINGS,
    &PURGE_ARTIFACTS,
    &PURGE_RUNS,
    &PURGE_AUTOMATION_RUNS,
    &PURGE_JOBS,
    &PURGE_SNAPSHOTS,
    &PURGE_SESSIONS,
    &PURGE_AUDIT_COPIES,
];
const LOG: &[&Statement] = &[&PURGE_LEDGER, &PURGE_NODES];
const LAST: &[&Statement] = &[&PURGE_CHECKPOINTS];

/// Removes up to `limit` rows beside the log and returns how many; 0 when none is left.
pub async fn organization_purge_rows(tx: &mut Tx, id: &OrganizationId, limit: u32) -> Result<u64> {
    first_of(tx, ROWS, id, limit).await
}

/// The same of the exported log. Its checkpoints go last.
pub async fn organization_purge_log(tx: &mut Tx, id: &OrganizationId, limit: u32) -> Result<u64> {
    let removed = first_of(tx, LOG, id, limit).await?;
    if removed > 0 {
        return Ok(removed);
    }
    first_of(tx, LAST, id, limit).await
}

async fn first_of(
    tx: &mut Tx,
    tables: &'static [&'static Statement],
    id: &OrganizationId,
    limit: u32,
) -> Result<u64> {
    for statement in tables {
        let removed = tx.execute(statement, values![id, i64::from(limit)]).await?;
        if removed > 0 {
            return Ok(removed);
        }
    }
    Ok(0)
}

/// How many sessions may have a sandbox that runs.
pub async fn organization_live_sessions(conn: &mut Conn, id: &OrganizationId) -> Result<i64> {
    conn.count("sessions", &PURGE_LIVE_SESSIONS, values![id])
        .await
}

/// Records up to which size the log was exported and verified.
pub async fn organization_exported_set(
    tx: &mut Tx,
    id: &OrganizationId,
    size: i64,
) -> Result<bool> {
    Ok(tx.execute(&PURGE_EXPORTED_SET, values![id, size]).await? == 1)
}

/// Up to which size the log was exported.
pub async fn organization_exported(conn: &mut Conn, id: &OrganizationId) -> Result<Option<i64>> {
    let row = conn.fetch_optional("organization", &PURGE_EXPORTED, values![id]);
    let size = row.await?.map(|row| row.int_opt("exported_size"));
    Ok(size.transpose()?.flatten())
}

/// How many events were recorded after the log was exported at this size.
pub async fn organization_unexported(
    conn: &mut Conn,
    id: &OrganizationId,
    size: i64,
) -> Result<i64> {
    conn.count("audit_ledger", &PURGE_UNEXPORTED, values![id, size])
        .await
}

/// Whether the log still has its first event: none of it was removed yet.
pub async fn organization_log_is_whole(conn: &mut Conn, id: &OrganizationId) -> Result<bool> {
    let count = conn.count("audit_ledger", &PURGE_LEDGER_FIRST, values![id]);
    Ok(count.await? > 0)
}

/// Removes the organization itself, with all that refers to it. `false` while its log is there.
pub async fn organization_purge_end(tx: &mut Tx, id: &OrganizationId) -> Result<bool> {
    Ok(tx.execute(&PURGE_ORGANIZATION, values![id]).await? == 1)
}
