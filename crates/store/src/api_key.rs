//! API keys. The key itself is never here, only its hash.

use domain::{
    api_key::ApiKey,
    clock::Timestamp,
    id::{ApiKeyId, OrganizationId, UserId},
    page::{Page, PageRequest},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

macro_rules! columns {
    () => {
        "id, organization_id, user_id, name, prefix, created_at, expires_at, revoked_at"
    };
}

statements! {
    API_KEY_INSERT = concat!("INSERT INTO apikey (", columns!(), ", key_hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)");
    API_KEY_FETCH_BY_HASH = concat!("SELECT ", columns!(), " FROM apikey WHERE key_hash = $1");
    API_KEY_FETCH = concat!("SELECT ", columns!(), " FROM apikey WHERE organization_id = $1 AND id = $2");
    API_KEY_LIST = concat!("SELECT ", columns!(), " FROM apikey
        WHERE organization_id = $1 AND (user_id = $2 OR $2 IS NULL) AND id < $3
        ORDER BY id DESC LIMIT $4");
    API_KEY_COUNT_LIVE = "SELECT COUNT(*) AS n FROM apikey WHERE organization_id = $1 AND user_id = $2
        AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)";
    API_KEY_REVOKE = concat!("UPDATE apikey SET revoked_at = $3
        WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING ", columns!());
    API_KEY_REVOKE_OF_USER = "UPDATE apikey SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL";
}

pub async fn api_key_fetch_by_hash(conn: &mut Conn, key_hash: &str) -> Result<Option<ApiKey>> {
    let row = conn
        .fetch_optional("apikey", &API_KEY_FETCH_BY_HASH, values![key_hash])
        .await?;
    row.map(|row| api_key(&row)).transpose()
}

pub async fn api_key_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: ApiKeyId,
) -> Result<Option<ApiKey>> {
    let row = conn
        .fetch_optional("apikey", &API_KEY_FETCH, values![organization_id, id])
        .await?;
    row.map(|row| api_key(&row)).transpose()
}

/// Newest first; only the given user's, if one is given.
pub async fn api_key_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    user_id: Option<&UserId>,
    page: PageRequest<ApiKeyId>,
) -> Result<Page<ApiKey, ApiKeyId>> {
    let before = crate::session::cursor(page.before.map(ApiKeyId::uuid));
    let values = values![organization_id, user_id, before, page.fetch_limit()];
    let rows = conn.fetch_all("apikey", &API_KEY_LIST, values).await?;
    let keys = rows.iter().map(api_key).collect::<Result<_>>()?;
    Ok(page.page(keys, |key: &ApiKey| key.id))
}

pub async fn api_key_count_live(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    user_id: &UserId,
    now: Timestamp,
) -> Result<i64> {
    let values = values![organization_id, user_id, now];
    let row = conn
        .fetch_optional("apikey", &API_KEY_COUNT_LIVE, values)
        .await?;
    row.map_or(Ok(0), |row| row.int("n"))
}

pub async fn api_key_insert(tx: &mut Tx, key: &ApiKey, key_hash: &str) -> Result<()> {
    let values = values![
        key.id,
        &key.organization_id,
        &key.user_id,
        &key.name,
        &key.prefix,
        key.created_at,
        key.expires_at,
        key.revoked_at,
        key_hash,
    ];
    tx.execute(&API_KEY_INSERT, values).await?;
    Ok(())
}

/// `None` if there is no such key or it was revoked before.
pub async fn api_key_revoke(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: ApiKeyId,
    now: Timestamp,
) -> Result<Option<ApiKey>> {
    let values = values![organization_id, id, now];
    let row = tx.fetch_optional("apikey", &API_KEY_REVOKE, values).await?;
    row.map(|row| api_key(&row)).transpose()
}

/// Revokes all keys of a user, in every organization.
pub async fn api_key_revoke_of_user(tx: &mut Tx, user_id: &UserId, now: Timestamp) -> Result<u64> {
    tx.execute(&API_KEY_REVOKE_OF_USER, values![user_id, now])
        .await
}

fn api_key(row: &Row) -> Result<ApiKey> {
    Ok(ApiKey {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        user_id: row.parsed("user_id")?,
        name: row.text("name")?,
        prefix: row.text("prefix")?,
        created_at: row.time("created_at")?,
        expires_at: row.time_opt("expires_at")?,
        revoked_at: row.time_opt("revoked_at")?,
    })
}
