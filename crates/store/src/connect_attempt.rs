//! OAuth authorizations under way. A row exists until it is used or has expired, and is used once.

use domain::{
    clock::Timestamp,
    id::{IntegrationId, OrganizationId},
    integration::ConnectAttempt,
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
        "organization_id, user_id, service, redirect_uri, integration_id, installation_id, \
         created_at, expires_at"
    };
}

statements! {
    CONNECT_ATTEMPT_INSERT = concat!("INSERT INTO connect_attempts (", columns!(), ",
        state_digest, browser_digest, sealed_verifier) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)");
    CONNECT_ATTEMPT_TAKE = concat!("DELETE FROM connect_attempts
        WHERE state_digest = $1 AND browser_digest = $2 RETURNING ", columns!(), ", sealed_verifier");
    CONNECT_ATTEMPT_EXISTS = "SELECT COUNT(*) AS n FROM connect_attempts
        WHERE state_digest = $1 AND browser_digest = $2";
    CONNECT_ATTEMPT_COUNT = "SELECT COUNT(*) AS n FROM connect_attempts WHERE organization_id = $1";
    CONNECT_ATTEMPT_DELETE_EXPIRED = "DELETE FROM connect_attempts
        WHERE organization_id = $1 AND expires_at <= $2";
}

/// An attempt with its sealed verifier.
#[derive(Debug, Clone)]
pub struct SealedAttempt {
    pub attempt: ConnectAttempt,
    pub sealed_verifier: String,
}

/// Returns whether the attempt exists. Read first, so that unauthenticated requests with wrong states do not write.
pub async fn connect_attempt_exists(
    conn: &mut Conn,
    state_digest: &str,
    browser_digest: &str,
) -> Result<bool> {
    let values = values![state_digest, browser_digest];
    let count = conn.count("connect_attempts", &CONNECT_ATTEMPT_EXISTS, values);
    Ok(count.await? > 0)
}

pub async fn connect_attempt_count(
    conn: &mut Conn,
    organization_id: &OrganizationId,
) -> Result<i64> {
    let values = values![organization_id];
    conn.count("connect_attempts", &CONNECT_ATTEMPT_COUNT, values)
        .await
}

pub async fn connect_attempt_insert(
    tx: &mut Tx,
    state_digest: &str,
    browser_digest: &str,
    sealed: &SealedAttempt,
) -> Result<()> {
    let a = &sealed.attempt;
    let values = values![
        &a.organization_id,
        &a.user_id,
        &a.service,
        &a.redirect_uri,
        a.integration_id,
        a.installation_id,
        a.created_at,
        a.expires_at,
        state_digest,
        browser_digest,
        &sealed.sealed_verifier,
    ];
    tx.execute(&CONNECT_ATTEMPT_INSERT, values).await?;
    Ok(())
}

/// Removes and returns the attempt if it is this browser's. A second request finds nothing.
pub async fn connect_attempt_take(
    tx: &mut Tx,
    state_digest: &str,
    browser_digest: &str,
) -> Result<Option<SealedAttempt>> {
    let values = values![state_digest, browser_digest];
    let row = tx
        .fetch_optional("connect_attempts", &CONNECT_ATTEMPT_TAKE, values)
        .await?;
    row.map(|row| {
        Ok(SealedAttempt {
            attempt: attempt(&row)?,
            sealed_verifier: row.text("sealed_verifier")?,
        })
    })
    .transpose()
}

pub async fn connect_attempt_delete_expired(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    now: Timestamp,
) -> Result<u64> {
    let values = values![organization_id, now];
    tx.execute(&CONNECT_ATTEMPT_DELETE_EXPIRED, values).await
}

fn attempt(row: &Row) -> Result<ConnectAttempt> {
    let integration_id: Option<IntegrationId> = row.id_opt("integration_id")?;
    Ok(ConnectAttempt {
        organization_id: row.parsed("organization_id")?,
        user_id: row.parsed("user_id")?,
        service: row.text("service")?,
        redirect_uri: row.text("redirect_uri")?,
        integration_id,
        installation_id: row.int_opt("installation_id")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
    })
}
