//! What identity providers decide: the logins that they began, the states and tokens that they used, and the members
//! whose roles they manage.

use std::collections::BTreeMap;

use domain::{
    clock::Timestamp,
    id::{LoginId, OrganizationId, UserId},
    identity_provider::{EndedLogin, OidcLogin, OidcSession},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

statements! {
    OIDC_LOGIN_INSERT = "INSERT INTO oidc_logins
        (login_id, provider, issuer, subject, sid_digest, end_session_url, sealed_id_token)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    OIDC_LOGIN_FETCH = "SELECT login_id, provider, issuer, subject, sid_digest, end_session_url, sealed_id_token
        FROM oidc_logins WHERE login_id = $1";
    /// By subject, all of them.
    OIDC_LOGINS_END_SUBJECT = "DELETE FROM logins WHERE id IN
        (SELECT login_id FROM oidc_logins WHERE issuer = $1 AND provider = $2 AND subject = $3)
        RETURNING id, organization_id, user_id";
    OIDC_LOGINS_END_SID = "DELETE FROM logins WHERE id IN
        (SELECT login_id FROM oidc_logins WHERE issuer = $1 AND provider = $2 AND sid_digest = $3)
        RETURNING id, organization_id, user_id";
    /// By subject and session: also those that began without the name of a session, which may be of this one.
    OIDC_LOGINS_END_BOTH = "DELETE FROM logins WHERE id IN
        (SELECT login_id FROM oidc_logins WHERE issuer = $1 AND provider = $2 AND subject = $3
            AND (sid_digest = $4 OR sid_digest IS NULL))
        RETURNING id, organization_id, user_id";
    /// All of one membership.
    LOGINS_END_MEMBER = "DELETE FROM logins WHERE organization_id = $1 AND user_id = $2
        RETURNING id, organization_id, user_id";
    OIDC_USED_INSERT = "INSERT INTO oidc_used (digest, expires_at) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING";
    OIDC_USED_SWEEP = "DELETE FROM oidc_used WHERE digest IN
        (SELECT digest FROM oidc_used WHERE expires_at <= $1 LIMIT $2)";
    MEMBER_ROLE_PROVIDER_SET = "INSERT INTO member_role_providers (organization_id, user_id, provider)
        VALUES ($1, $2, $3)
        ON CONFLICT (organization_id, user_id) DO UPDATE SET provider = excluded.provider";
    MEMBER_ROLE_PROVIDER_CLEAR = "DELETE FROM member_role_providers WHERE organization_id = $1 AND user_id = $2";
    MEMBER_ROLE_PROVIDER_FETCH = "SELECT provider FROM member_role_providers
        WHERE organization_id = $1 AND user_id = $2";
    MEMBER_ROLE_PROVIDER_LIST = "SELECT user_id, provider FROM member_role_providers
        WHERE organization_id = $1 ORDER BY user_id LIMIT $2";
}

pub async fn oidc_login_insert(tx: &mut Tx, login: &OidcLogin) -> Result<()> {
    let values = values![
        login.login_id,
        &login.provider,
        &login.issuer,
        &login.subject,
        login.sid_digest.as_deref(),
        login.end_session_url.as_deref(),
        login.sealed_id_token.as_deref(),
    ];
    tx.execute(&OIDC_LOGIN_INSERT, values).await?;
    Ok(())
}

/// `None` for a login by anything else.
pub async fn oidc_login_fetch(conn: &mut Conn, login_id: LoginId) -> Result<Option<OidcLogin>> {
    let row = conn
        .fetch_optional("oidc_logins", &OIDC_LOGIN_FETCH, values![login_id])
        .await?;
    row.map(|row| {
        Ok(OidcLogin {
            login_id: row.id("login_id")?,
            provider: row.text("provider")?,
            issuer: row.text("issuer")?,
            subject: row.text("subject")?,
            sid_digest: row.text_opt("sid_digest")?,
            end_session_url: row.text_opt("end_session_url")?,
            sealed_id_token: row.text_opt("sealed_id_token")?,
        })
    })
    .transpose()
}

/// Removes the logins of the provider's session or subject, in every organization.
pub async fn oidc_login_end(tx: &mut Tx, session: &OidcSession) -> Result<Vec<EndedLogin>> {
    let (issuer, provider) = (&session.issuer, &session.provider);
    let rows = match (&session.subject, &session.sid_digest) {
        (Some(subject), Some(sid)) => {
            let values = values![issuer, provider, subject, sid];
            tx.fetch_all("logins", &OIDC_LOGINS_END_BOTH, values)
                .await?
        }
        (Some(subject), None) => {
            let values = values![issuer, provider, subject];
            tx.fetch_all("logins", &OIDC_LOGINS_END_SUBJECT, values)
                .await?
        }
        (None, Some(sid)) => {
            let values = values![issuer, provider, sid];
            tx.fetch_all("logins", &OIDC_LOGINS_END_SID, values).await?
        }
        (None, None) => Vec::new(),
    };
    rows.iter().map(ended).collect()
}

/// Removes all logins of a member.
pub async fn login_end_member(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<Vec<EndedLogin>> {
    let values = values![organization_id, user_id];
    let rows = tx.fetch_all("logins", &LOGINS_END_MEMBER, values).await?;
    rows.iter().map(ended).collect()
}

/// Notes that a state or a token was used. `false` if it was before.
pub async fn oidc_used_insert(tx: &mut Tx, digest: &str, expires_at: Timestamp) -> Result<bool> {
    let values = values![digest, expires_at];
    Ok(tx.execute(&OIDC_USED_INSERT, values).await? == 1)
}

pub async fn oidc_used_sweep(tx: &mut Tx, now: Timestamp, limit: u32) -> Result<u64> {
    tx.execute(&OIDC_USED_SWEEP, values![now, i64::from(limit)])
        .await
}

/// Notes which provider manages the member's role; `None` if none does.
pub async fn member_role_provider_set(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    user_id: &UserId,
    provider: Option<&str>,
) -> Result<()> {
    if let Some(provider) = provider {
        let values = values![organization_id, user_id, provider];
        tx.execute(&MEMBER_ROLE_PROVIDER_SET, values).await?;
    } else {
        let values = values![organization_id, user_id];
        tx.execute(&MEMBER_ROLE_PROVIDER_CLEAR, values).await?;
    }
    Ok(())
}

pub async fn member_role_provider_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<Option<String>> {
    let values = values![organization_id, user_id];
    let row = conn
        .fetch_optional("member_role_providers", &MEMBER_ROLE_PROVIDER_FETCH, values)
        .await?;
    row.map(|row| row.text("provider")).transpose()
}

/// The providers that manage members' roles, by member.
pub async fn member_role_provider_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    limit: u32,
) -> Result<BTreeMap<UserId, String>> {
    let values = values![organization_id, i64::from(limit)];
    let rows = conn
        .fetch_all("member_role_providers", &MEMBER_ROLE_PROVIDER_LIST, values)
        .await?;
    let managed = |row: &Row| Ok((row.parsed("user_id")?, row.text("provider")?));
    rows.iter().map(managed).collect()
}

fn ended(row: &Row) -> Result<EndedLogin> {
    Ok(EndedLogin {
        login_id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        user_id: row.parsed("user_id")?,
    })
}
