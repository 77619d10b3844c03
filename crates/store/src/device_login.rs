//! Logins of terminals. Their codes are never here, only digests, and the key is made when it is fetched.

use domain::{
    clock::Timestamp,
    device_login::{DeviceLogin, DeviceLoginState, DeviceLoginStatus},
    id::{OrganizationId, UserId},
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
        "id, machine, client, status, organization_id, user_id, created_at, expires_at"
    };
}

statements! {
    DEVICE_LOGIN_INSERT = concat!("INSERT INTO device_logins (", columns!(), ", device_digest, user_code_digest)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");
    DEVICE_LOGIN_FETCH = concat!("SELECT ", columns!(), " FROM device_logins WHERE device_digest = $1");
    DEVICE_LOGIN_FETCH_BY_USER_CODE = concat!("SELECT ", columns!(), " FROM device_logins
        WHERE user_code_digest = $1");
    DEVICE_LOGIN_COUNT = "SELECT COUNT(*) AS n FROM device_logins WHERE (client = $1 OR $1 IS NULL) AND expires_at > $2";
    /// INVARIANT: of several requests at once, one is in time.
    DEVICE_LOGIN_POLL = "UPDATE device_logins SET polled_at = $2
        WHERE device_digest = $1 AND (polled_at IS NULL OR polled_at <= $3)";
    /// INVARIANT: a login is decided once, while it waits.
    DEVICE_LOGIN_DECIDE = concat!("UPDATE device_logins SET status = $2, organization_id = $3, user_id = $4
        WHERE user_code_digest = $1 AND status = 'pending' AND expires_at > $5 RETURNING ", columns!());
    /// INVARIANT: an approved login is taken once.
    DEVICE_LOGIN_TAKE = concat!("DELETE FROM device_logins
        WHERE device_digest = $1 AND status = 'approved' AND expires_at > $2 RETURNING ", columns!());
    DEVICE_LOGIN_SWEEP = "DELETE FROM device_logins WHERE id IN
        (SELECT id FROM device_logins WHERE expires_at <= $1 LIMIT $2)";
}

/// By the digest of its device code.
pub async fn device_login_fetch(conn: &mut Conn, digest: &str) -> Result<Option<DeviceLogin>> {
    let row = conn
        .fetch_optional("device_logins", &DEVICE_LOGIN_FETCH, values![digest])
        .await?;
    row.map(|row| device_login(&row)).transpose()
}

pub async fn device_login_fetch_by_user_code(
    conn: &mut Conn,
    digest: &str,
) -> Result<Option<DeviceLogin>> {
    let row = conn
        .fetch_optional(
            "device_logins",
            &DEVICE_LOGIN_FETCH_BY_USER_CODE,
            values![digest],
        )
        .await?;
    row.map(|row| device_login(&row)).transpose()
}

/// How many are not over: of one client, or of all.
pub async fn device_login_count(
    conn: &mut Conn,
    client: Option<&str>,
    now: Timestamp,
) -> Result<i64> {
    conn.count("device_logins", &DEVICE_LOGIN_COUNT, values![client, now])
        .await
}

pub async fn device_login_insert(
    tx: &mut Tx,
    login: &DeviceLogin,
    device_digest: &str,
    user_code_digest: &str,
) -> Result<()> {
    let (organization_id, user_id) = member(&login.state);
    let values = values![
        login.id,
        &login.machine,
        &login.client,
        login.state.status().as_str(),
        organization_id,
        user_id,
        login.created_at,
        login.expires_at,
        device_digest,
        user_code_digest,
    ];
    tx.execute(&DEVICE_LOGIN_INSERT, values).await?;
    Ok(())
}

/// Records that the terminal asked. `false` if it asked after `since` already.
pub async fn device_login_poll(
    tx: &mut Tx,
    digest: &str,
    now: Timestamp,
    since: Timestamp,
) -> Result<bool> {
    let updated = tx
        .execute(&DEVICE_LOGIN_POLL, values![digest, now, since])
        .await?;
    Ok(updated > 0)
}

/// Moves a login that waits to `state`. `None` if none waits under this user code.
pub async fn device_login_decide(
    tx: &mut Tx,
    digest: &str,
    state: &DeviceLoginState,
    now: Timestamp,
) -> Result<Option<DeviceLogin>> {
    let (organization_id, user_id) = member(state);
    let values = values![
        digest,
        state.status().as_str(),
        organization_id,
        user_id,
        now
    ];
    let row = tx
        .fetch_optional("device_logins", &DEVICE_LOGIN_DECIDE, values)
        .await?;
    row.map(|row| device_login(&row)).transpose()
}

/// Removes and returns a login that was approved. A second request finds nothing.
pub async fn device_login_take(
    tx: &mut Tx,
    digest: &str,
    now: Timestamp,
) -> Result<Option<DeviceLogin>> {
    let row = tx
        .fetch_optional("device_logins", &DEVICE_LOGIN_TAKE, values![digest, now])
        .await?;
    row.map(|row| device_login(&row)).transpose()
}

pub async fn device_login_sweep(tx: &mut Tx, now: Timestamp, limit: u32) -> Result<u64> {
    tx.execute(&DEVICE_LOGIN_SWEEP, values![now, i64::from(limit)])
        .await
}

/// The member who approved, if one did.
fn member(state: &DeviceLoginState) -> (Option<&OrganizationId>, Option<&UserId>) {
    match state {
        DeviceLoginState::Approved {
            organization_id,
            user_id,
        } => (Some(organization_id), Some(user_id)),
        DeviceLoginState::Pending | DeviceLoginState::Denied => (None, None),
    }
}

fn device_login(row: &Row) -> Result<DeviceLogin> {
    let organization_id = row.parsed_opt("organization_id")?;
    let user_id = row.parsed_opt("user_id")?;
    let state = match (row.parsed("status")?, organization_id, user_id) {
        (DeviceLoginStatus::Pending, None, None) => DeviceLoginState::Pending,
        (DeviceLoginStatus::Denied, None, None) => DeviceLoginState::Denied,
        (DeviceLoginStatus::Approved, Some(organization_id), Some(user_id)) => {
            DeviceLoginState::Approved {
                organization_id,
                user_id,
            }
        }
        _ => return Err(row.inconsistent("status", "does not belong to these columns")),
    };
    Ok(DeviceLogin {
        id: row.id("id")?,
        machine: row.text("machine")?,
        client: row.text("client")?,
        state,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
    })
}
