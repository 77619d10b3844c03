//! Logins and the one-time codes that begin one. The secrets are never here, only their hashes.

use domain::{
    clock::Timestamp,
    email::EmailAddress,
    id::{LoginId, OrganizationId, UserId},
    login::{Login, LoginCode},
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
        "id, organization_id, user_id, method, api_key_id, created_at, seen_at, expires_at"
    };
}

statements! {
    LOGIN_INSERT = concat!("INSERT INTO logins (", columns!(), ", digest)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)");
    /// INVARIANT: a login by an API key is there for as long as the key is good.
    LOGIN_FETCH = concat!("SELECT ", columns!(), " FROM logins WHERE digest = $1
        AND (api_key_id IS NULL OR EXISTS (SELECT 1 FROM apikey k WHERE k.id = logins.api_key_id
            AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)))");
    LOGIN_NOTE = "UPDATE logins SET seen_at = $2 WHERE id = $1 AND seen_at < $2";
    LOGIN_DELETE = concat!("DELETE FROM logins WHERE digest = $1 RETURNING ", columns!());
    /// All but the newest.
    LOGIN_DELETE_OLDEST = "DELETE FROM logins WHERE organization_id = $1 AND user_id = $2 AND id NOT IN
        (SELECT id FROM logins WHERE organization_id = $1 AND user_id = $2 ORDER BY id DESC LIMIT $3)";
    LOGIN_DELETE_OF_USER = "DELETE FROM logins WHERE user_id = $1";
    LOGIN_SWEEP = "DELETE FROM logins WHERE id IN
        (SELECT id FROM logins WHERE expires_at <= $1 OR seen_at <= $2 LIMIT $3)";
    LOGIN_CODE_INSERT = "INSERT INTO login_codes (digest, organization_id, user_id, created_at, expires_at,
        proves_email) VALUES ($1, $2, $3, $4, $5, $6)";
    LOGIN_CODE_TAKE = "DELETE FROM login_codes WHERE digest = $1
        RETURNING organization_id, user_id, created_at, expires_at, proves_email";
    LOGIN_CODE_EXISTS = "SELECT COUNT(*) AS n FROM login_codes WHERE digest = $1";
    LOGIN_CODE_SWEEP = "DELETE FROM login_codes WHERE digest IN
        (SELECT digest FROM login_codes WHERE expires_at <= $1 LIMIT $2)";
}

/// `None` also if the API key it was made from is no longer valid.
pub async fn login_fetch(conn: &mut Conn, digest: &str, now: Timestamp) -> Result<Option<Login>> {
    let row = conn
        .fetch_optional("logins", &LOGIN_FETCH, values![digest, now])
        .await?;
    row.map(|row| login(&row)).transpose()
}

/// Returns whether the code exists. Read first, so that unauthenticated requests with wrong codes do not write.
pub async fn login_code_exists(conn: &mut Conn, digest: &str) -> Result<bool> {
    let count = conn.count("login_codes", &LOGIN_CODE_EXISTS, values![digest]);
    Ok(count.await? > 0)
}

pub async fn login_insert(tx: &mut Tx, login: &Login, digest: &str) -> Result<()> {
    let values = values![
        login.id,
        &login.organization_id,
        &login.user_id,
        login.method.as_str(),
        login.api_key_id,
        login.created_at,
        login.seen_at,
        login.expires_at,
        digest,
    ];
    tx.execute(&LOGIN_INSERT, values).await?;
    Ok(())
}

pub async fn login_touch(tx: &mut Tx, id: LoginId, now: Timestamp) -> Result<()> {
    tx.execute(&LOGIN_NOTE, values![id, now]).await?;
    Ok(())
}

/// Removes and returns the login, if there was one.
pub async fn login_delete(tx: &mut Tx, digest: &str) -> Result<Option<Login>> {
    let row = tx
        .fetch_optional("logins", &LOGIN_DELETE, values![digest])
        .await?;
    row.map(|row| login(&row)).transpose()
}

/// Keeps so many of a person's logins, the newest.
pub async fn login_delete_oldest(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_id: &UserId,
    kept: u32,
) -> Result<u64> {
    let values = values![organization_id, user_id, i64::from(kept)];
    tx.execute(&LOGIN_DELETE_OLDEST, values).await
}

/// Ends all logins of a user, in every organization.
pub async fn login_delete_of_user(tx: &mut Tx, user_id: &UserId) -> Result<u64> {
    tx.execute(&LOGIN_DELETE_OF_USER, values![user_id]).await
}

/// Removes up to `limit` logins that have expired, or are unused since `idle_since`.
pub async fn login_sweep(
    tx: &mut Tx,
    now: Timestamp,
    idle_since: Timestamp,
    limit: u32,
) -> Result<u64> {
    let values = values![now, idle_since, i64::from(limit)];
    tx.execute(&LOGIN_SWEEP, values).await
}

pub async fn login_code_insert(tx: &mut Tx, code: &LoginCode, digest: &str) -> Result<()> {
    let values = values![
        digest,
        &code.organization_id,
        &code.user_id,
        code.created_at,
        code.expires_at,
        code.proves_email.as_ref().map(EmailAddress::as_str),
    ];
    tx.execute(&LOGIN_CODE_INSERT, values).await?;
    Ok(())
}

/// Removes and returns the code. A second request finds nothing.
pub async fn login_code_take(tx: &mut Tx, digest: &str) -> Result<Option<LoginCode>> {
    let row = tx
        .fetch_optional("login_codes", &LOGIN_CODE_TAKE, values![digest])
        .await?;
    row.map(|row| {
        Ok(LoginCode {
            organization_id: row.parsed("organization_id")?,
            user_id: row.parsed("user_id")?,
            created_at: row.time("created_at")?,
            expires_at: row.time("expires_at")?,
            proves_email: row.parsed_opt("proves_email")?,
        })
    })
    .transpose()
}

pub async fn login_code_sweep(tx: &mut Tx, now: Timestamp, limit: u32) -> Result<u64> {
    let values = values![now, i64::from(limit)];
    tx.execute(&LOGIN_CODE_SWEEP, values).await
}

fn login(row: &Row) -> Result<Login> {
    Ok(Login {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        user_id: row.parsed("user_id")?,
        method: row.parsed("method")?,
        api_key_id: row.id_opt("api_key_id")?,
        created_at: row.time("created_at")?,
        seen_at: row.time("seen_at")?,
        expires_at: row.time("expires_at")?,
    })
}
