//! Links that make the first organization. The codes are never here, only their hashes.

use domain::{clock::Timestamp, id::OrganizationId, setup_link::SetupLink};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    statement::statements,
    value::values,
};

statements! {
    SETUP_LINK_INSERT = "INSERT INTO setup_links (digest, created_at, expires_at) VALUES ($1, $2, $3)";
    SETUP_LINK_FETCH = "SELECT digest, created_at, expires_at, used_at, organization_id FROM setup_links
        WHERE digest = $1";
    /// INVARIANT: a link is used once.
    SETUP_LINK_USE = "UPDATE setup_links SET used_at = $2, organization_id = $3
        WHERE digest = $1 AND used_at IS NULL AND expires_at > $2";
    /// Used ones stay: their next use is on record in the log of what they made.
    SETUP_LINK_KEEP_NEWEST = "DELETE FROM setup_links WHERE used_at IS NULL AND digest NOT IN
        (SELECT digest FROM setup_links WHERE used_at IS NULL AND expires_at > $1
            ORDER BY created_at DESC, digest LIMIT $2)";
}

pub async fn setup_link_fetch(conn: &mut Conn, digest: &str) -> Result<Option<SetupLink>> {
    let row = conn
        .fetch_optional("setup_links", &SETUP_LINK_FETCH, values![digest])
        .await?;
    row.map(|row| {
        let organization_id: Option<OrganizationId> = row.parsed_opt("organization_id")?;
        Ok(SetupLink {
            created_at: row.time("created_at")?,
            expires_at: row.time("expires_at")?,
            used: row.time_opt("used_at")?.zip(organization_id),
        })
    })
    .transpose()
}

pub async fn setup_link_insert(tx: &mut Tx, link: &SetupLink, digest: &str) -> Result<()> {
    let values = values![digest, link.created_at, link.expires_at];
    tx.execute(&SETUP_LINK_INSERT, values).await?;
    Ok(())
}

/// Marks the link as the one that made the organization. `false` if it was used before, has expired or does not exist.
pub async fn setup_link_use(
    tx: &mut Tx,
    digest: &str,
    now: Timestamp,
    organization_id: &OrganizationId,
) -> Result<bool> {
    let values = values![digest, now, organization_id];
    Ok(tx.execute(&SETUP_LINK_USE, values).await? == 1)
}

/// Removes all links that were not used, except so many of the newest that are valid.
pub async fn setup_link_keep_newest(tx: &mut Tx, now: Timestamp, kept: u32) -> Result<()> {
    let values = values![now, i64::from(kept)];
    tx.execute(&SETUP_LINK_KEEP_NEWEST, values).await?;
    Ok(())
}
