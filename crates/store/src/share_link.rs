//! Links to transcripts of sessions, by the hash of their code.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId, ShareLinkId},
    sharing::ShareLink,
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

const TABLE: &str = "share_links";

macro_rules! columns {
    () => {
        "id, organization_id, session_id, created_by, created_at, expires_at, revoked_at, opened_at, openings"
    };
}

statements! {
    SHARE_LINK_INSERT = concat!("INSERT INTO share_links (", columns!(), ", code_hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");
    /// Only one that works now: not expired, not revoked, of an organization that allows links.
    SHARE_LINK_FETCH_BY_HASH = concat!("SELECT ", columns!(), " FROM share_links WHERE code_hash = $1
        AND expires_at > $2 AND revoked_at IS NULL AND EXISTS (SELECT 1 FROM organization o
            WHERE o.id = share_links.organization_id AND o.share_links AND o.status = 'active')");
    SHARE_LINK_LIST = concat!("SELECT ", columns!(), " FROM share_links
        WHERE organization_id = $1 AND session_id = $2 ORDER BY id DESC LIMIT $3");
    /// Serialises transactions that count links of a session.
    SHARE_LINK_LOCK = "SELECT id FROM sessions WHERE organization_id = $1 AND id = $2",
        pg: " FOR NO KEY UPDATE";
    SHARE_LINK_COUNT = "SELECT COUNT(*) AS n FROM share_links WHERE organization_id = $1 AND session_id = $2";
    SHARE_LINK_COUNT_LIVE = "SELECT COUNT(*) AS n FROM share_links WHERE organization_id = $1 AND session_id = $2
        AND expires_at > $3 AND revoked_at IS NULL";
    SHARE_LINK_REVOKE = concat!("UPDATE share_links SET revoked_at = $4
        WHERE organization_id = $1 AND session_id = $2 AND id = $3 AND revoked_at IS NULL RETURNING ", columns!());
    /// INVARIANT: of all readers within the pause, one is recorded.
    SHARE_LINK_RECORD_OPENING = "UPDATE share_links SET opened_at = $2, openings = openings + 1
        WHERE id = $1 AND (opened_at IS NULL OR opened_at <= $3)";
    SHARE_LINK_SWEEP = "DELETE FROM share_links WHERE id IN (SELECT id FROM share_links
        WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
}

pub async fn share_link_insert(tx: &mut Tx, link: &ShareLink, code_hash: &str) -> Result<()> {
    let values = values![
        link.id,
        &link.organization_id,
        link.session_id,
        &link.created_by,
        link.created_at,
        link.expires_at,
        link.revoked_at,
        link.opened_at,
        link.openings,
        code_hash,
    ];
    tx.execute(&SHARE_LINK_INSERT, values).await?;
    Ok(())
}

/// Returns the link of a code if it works now.
pub async fn share_link_fetch_by_hash(
    conn: &mut Conn,
    code_hash: &str,
    now: Timestamp,
) -> Result<Option<ShareLink>> {
    let row = conn.fetch_optional(TABLE, &SHARE_LINK_FETCH_BY_HASH, values![code_hash, now]);
    row.await?.map(|row| link(&row)).transpose()
}

/// Of a session, newest first, those that are over included.
pub async fn share_link_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    limit: i64,
) -> Result<Vec<ShareLink>> {
    let values = values![organization_id, session_id, limit];
    let rows = conn.fetch_all(TABLE, &SHARE_LINK_LIST, values).await?;
    rows.iter().map(link).collect()
}

/// Counts the links of a session: all of them, and those that work. Another transaction that counts waits for the end of
/// this one.
pub async fn share_link_count(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
    now: Timestamp,
) -> Result<(i64, i64)> {
    let session = values![organization_id, session_id];
    tx.fetch_optional("sessions", &SHARE_LINK_LOCK, session)
        .await?;
    let session = values![organization_id, session_id];
    let all = tx.count(TABLE, &SHARE_LINK_COUNT, session).await?;
    let values = values![organization_id, session_id, now];
    let live = tx.count(TABLE, &SHARE_LINK_COUNT_LIVE, values).await?;
    Ok((all, live))
}

/// `None` if there is no such link or it was revoked before.
pub async fn share_link_revoke(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
    id: ShareLinkId,
    now: Timestamp,
) -> Result<Option<ShareLink>> {
    let values = values![organization_id, session_id, id, now];
    let row = tx.fetch_optional(TABLE, &SHARE_LINK_REVOKE, values).await?;
    row.map(|row| link(&row)).transpose()
}

/// Records an opening, unless one was recorded after `before`. Returns whether it did.
pub async fn share_link_record_opening(
    tx: &mut Tx,
    id: ShareLinkId,
    now: Timestamp,
    before: Timestamp,
) -> Result<bool> {
    let values = values![id, now, before];
    Ok(tx.execute(&SHARE_LINK_RECORD_OPENING, values).await? == 1)
}

/// Removes links of any organization that expired before, and returns how many.
pub async fn share_link_sweep(tx: &mut Tx, expired_by: Timestamp, limit: u32) -> Result<u64> {
    let values = values![expired_by, i64::from(limit)];
    tx.execute(&SHARE_LINK_SWEEP, values).await
}

fn link(row: &Row) -> Result<ShareLink> {
    Ok(ShareLink {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        session_id: row.id("session_id")?,
        created_by: row.parsed("created_by")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        revoked_at: row.time_opt("revoked_at")?,
        opened_at: row.time_opt("opened_at")?,
        openings: row.int("openings")?,
    })
}
