//! Snapshots of sandboxes: their sessions, and what refers to them.
//!
//! INVARIANT: a snapshot is recorded on a session by its owner, for the sandbox it was taken of, or not at all; and on
//! a configuration only over the one that was there when it was taken.

use domain::{
    clock::Timestamp,
    configuration::{Configuration, ConfigurationStatus},
    id::{ConfigurationId, OrganizationId, SessionId},
    session::Session,
    sharing::SessionViewer,
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    session_people::seen_session,
    statement::statements,
    value::values,
};

/// A snapshot that is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub organization_id: OrganizationId,
    /// As its provider names it.
    pub id: String,
    pub provider: String,
    /// The session of the sandbox.
    pub session_id: SessionId,
    pub parent_id: Option<String>,
    pub byte_size: u64,
    pub depth: u32,
    pub created_at: Timestamp,
}

macro_rules! in_use {
    () => {
        "(EXISTS (SELECT 1 FROM configurations c WHERE c.organization_id = snapshots.organization_id
            AND c.snapshot_id = snapshots.id)
        OR EXISTS (SELECT 1 FROM sessions s WHERE s.organization_id = snapshots.organization_id
            AND s.snapshot_id = snapshots.id AND s.status <> 'stopped'))"
    };
}

statements! {
    /// The same state twice is the same snapshot.
    SNAPSHOT_INSERT = "INSERT INTO snapshots (organization_id, id, provider, session_id, parent_id, byte_size,
        depth, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
    SNAPSHOT_FETCH = "SELECT organization_id, id, provider, session_id, parent_id, byte_size, depth, created_at
        FROM snapshots WHERE organization_id = $1 AND id = $2";
    /// Those that it starts from, and those of its sessions.
    SNAPSHOT_LIST = concat!("SELECT organization_id, id, provider, session_id, parent_id, byte_size, depth, created_at
        FROM snapshots WHERE organization_id = $1 AND (id = (SELECT c.snapshot_id FROM configurations c
            WHERE c.organization_id = $1 AND c.id = $2)
        OR EXISTS (SELECT 1 FROM sessions s WHERE s.organization_id = $1 AND s.id = snapshots.session_id
            AND s.configuration_id = $2 AND ",
            seen_session!("s.organization_id", "s.id", "$4"), ")) ORDER BY created_at DESC, id LIMIT $3");
    /// Those of its own sandboxes, and the one it began with.
    SNAPSHOT_LIST_SESSION = "SELECT organization_id, id, provider, session_id, parent_id, byte_size, depth,
        created_at FROM snapshots WHERE organization_id = $1 AND (session_id = $2
        OR id = (SELECT s.snapshot_id FROM sessions s WHERE s.organization_id = $1 AND s.id = $2))
        ORDER BY created_at DESC, id LIMIT $3";
    SNAPSHOT_DELETE_UNUSED = concat!("DELETE FROM snapshots WHERE provider = $1 AND NOT ", in_use!(),
        " RETURNING organization_id");
    /// The next sweep counts what the organization has stored.
    STORAGE_FORGET_COUNT = "UPDATE organization_storage SET counted_at = NULL WHERE organization_id = $1";
    SNAPSHOT_LIST_IDS = "SELECT DISTINCT id FROM snapshots WHERE provider = $1";
    SESSION_SNAPSHOT_SET = "UPDATE sessions SET snapshot_id = $5, updated_at = $6
        WHERE organization_id = $1 AND id = $2 AND owner_epoch = $3 AND sandbox_id = $4 AND status <> 'stopped'";
    CONFIGURATION_SNAPSHOT_SET = "UPDATE configurations SET snapshot_id = $4, status = $5, error = NULL,
        updated_at = $6 WHERE organization_id = $1 AND id = $2 AND snapshot_id IS NOT DISTINCT FROM $3";
}

pub async fn snapshot_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: &str,
) -> Result<Option<Snapshot>> {
    let values = values![organization_id, id];
    let row = conn.fetch_optional("snapshots", &SNAPSHOT_FETCH, values);
    row.await?.map(|row| snapshot(&row)).transpose()
}

/// Of a configuration and those of its sessions that the viewer sees, newest first.
pub async fn snapshot_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    viewer: SessionViewer<'_>,
    configuration_id: ConfigurationId,
    limit: u32,
) -> Result<Vec<Snapshot>> {
    let (limit, member) = (i64::from(limit), viewer.member());
    let values = values![organization_id, configuration_id, limit, member];
    let rows = conn.fetch_all("snapshots", &SNAPSHOT_LIST, values).await?;
    rows.iter().map(snapshot).collect()
}

/// Of a session, newest first.
pub async fn snapshot_list_session(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    limit: u32,
) -> Result<Vec<Snapshot>> {
    let values = values![organization_id, session_id, i64::from(limit)];
    let rows = conn.fetch_all("snapshots", &SNAPSHOT_LIST_SESSION, values);
    rows.await?.iter().map(snapshot).collect()
}

/// All that a provider has to keep, of every organization.
pub async fn snapshot_list_ids(conn: &mut Conn, provider: &str) -> Result<Vec<String>> {
    let rows = conn.fetch_all("snapshots", &SNAPSHOT_LIST_IDS, values![provider]);
    rows.await?.iter().map(|row| row.text("id")).collect()
}

/// Whether it is new: the same state twice is the same snapshot.
pub async fn snapshot_insert(tx: &mut Tx, snapshot: &Snapshot) -> Result<bool> {
    let values = values![
        &snapshot.organization_id,
        &snapshot.id,
        &snapshot.provider,
        snapshot.session_id,
        snapshot.parent_id.as_ref(),
        i64::try_from(snapshot.byte_size).unwrap_or(i64::MAX),
        i64::from(snapshot.depth),
        snapshot.created_at,
    ];
    Ok(tx.execute(&SNAPSHOT_INSERT, values).await? == 1)
}

/// Removes the snapshots that nothing refers to and returns how many. What their organizations have stored is counted
/// again soon.
pub async fn snapshot_delete_unused(tx: &mut Tx, provider: &str) -> Result<u64> {
    let rows = tx
        .fetch_all("snapshots", &SNAPSHOT_DELETE_UNUSED, values![provider])
        .await?;
    let of = |row: &Row| row.parsed("organization_id");
    let mut organizations = rows
        .iter()
        .map(of)
        .collect::<Result<Vec<OrganizationId>>>()?;
    // In one order, so that two transactions wait for each other.
    organizations.sort();
    organizations.dedup();
    for organization_id in &organizations {
        tx.execute(&STORAGE_FORGET_COUNT, values![organization_id])
            .await?;
    }
    Ok(rows.len() as u64)
}

/// `false` if the session has another owner, another sandbox or has ended.
pub async fn session_snapshot_set(
    tx: &mut Tx,
    session: &Session,
    sandbox: &str,
    snapshot_id: &str,
    now: Timestamp,
) -> Result<bool> {
    let values = values![
        &session.organization_id,
        session.id,
        session.owner_epoch,
        sandbox,
        snapshot_id,
        now,
    ];
    Ok(tx.execute(&SESSION_SNAPSHOT_SET, values).await? == 1)
}

/// Sets the snapshot that the configuration starts from. `false` if its snapshot is no longer `before`.
pub async fn configuration_snapshot_set(
    tx: &mut Tx,
    before: &Configuration,
    snapshot_id: &str,
    now: Timestamp,
) -> Result<bool> {
    let values = values![
        &before.organization_id,
        before.id,
        before.snapshot_id.as_ref(),
        snapshot_id,
        ConfigurationStatus::Ready.as_str(),
        now,
    ];
    Ok(tx.execute(&CONFIGURATION_SNAPSHOT_SET, values).await? == 1)
}

fn snapshot(row: &Row) -> Result<Snapshot> {
    let byte_size = row.int("byte_size")?;
    Ok(Snapshot {
        organization_id: row.parsed("organization_id")?,
        id: row.text("id")?,
        provider: row.text("provider")?,
        session_id: row.id("session_id")?,
        parent_id: row.text_opt("parent_id")?,
        byte_size: u64::try_from(byte_size)
            .map_err(|_| row.inconsistent("byte_size", "is negative"))?,
        depth: row.small("depth")?,
        created_at: row.time("created_at")?,
    })
}
