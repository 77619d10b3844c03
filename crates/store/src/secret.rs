//! Secrets. The caller seals a value before it is stored and opens it after it is read.

use std::collections::HashSet;

use domain::{
    id::{OrganizationId, SecretId, SessionId},
    page::{Page, PageRequest},
    secret::{Secret, SecretScope},
    sharing::SessionViewer,
};
use uuid::Uuid;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    session_people::seen_session,
    statement::statements,
    value::values,
};

macro_rules! columns {
    () => {
        "id, organization_id, repo_id, configuration_id, session_id, key, description, created_by, \
         created_at, updated_at"
    };
}

macro_rules! in_scope {
    () => {
        "organization_id = $1 AND repo_id IS NOT DISTINCT FROM $2
         AND configuration_id IS NOT DISTINCT FROM $3 AND session_id IS NOT DISTINCT FROM $4"
    };
}

statements! {
    /// Returns no row if the scope has the key already.
    SECRET_INSERT = concat!("INSERT INTO secrets (", columns!(), ", sealed_value)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING");
    SECRET_FETCH = concat!("SELECT ", columns!(), " FROM secrets WHERE organization_id = $1 AND id = $2");
    SECRET_FETCH_KEY = concat!("SELECT ", columns!(), " FROM secrets WHERE ", in_scope!(), " AND key = $5");
    SECRET_FETCH_SEALED = concat!("SELECT sealed_value FROM secrets WHERE ", in_scope!(), " AND key = $5");
    SECRET_LIST = concat!("SELECT ", columns!(), " FROM secrets
        WHERE organization_id = $1 AND id < $2 AND ",
        seen_session!("secrets.organization_id", "secrets.session_id", "$4"),
        " ORDER BY id DESC LIMIT $3");
    SECRET_LIST_SCOPE = concat!("SELECT ", columns!(), " FROM secrets
        WHERE ", in_scope!(), " AND id < $5 AND ",
        seen_session!("secrets.organization_id", "secrets.session_id", "$7"),
        " ORDER BY id DESC LIMIT $6");
    SECRET_LIST_KEYS = concat!("SELECT id, key FROM secrets WHERE ", in_scope!());
    SECRET_COUNT = "SELECT COUNT(*) AS n FROM secrets WHERE organization_id = $1 AND session_id IS NULL";
    SECRET_UPDATE = "UPDATE secrets SET sealed_value = COALESCE($3, sealed_value), description = $4,
        updated_at = $5 WHERE organization_id = $1 AND id = $2";
    SECRET_DELETE = "DELETE FROM secrets WHERE organization_id = $1 AND id = $2";
    /// All that apply to a session: the organization's, its configuration's, those of the
    /// configuration's repositories, and its own.
    SECRET_LIST_SEALED_FOR_SESSION = concat!("SELECT ", columns!(), ", sealed_value FROM secrets
        WHERE organization_id = $1 AND (
            (repo_id IS NULL AND configuration_id IS NULL AND session_id IS NULL)
            OR session_id = $2
            OR configuration_id = (SELECT configuration_id FROM sessions WHERE id = $2)
            OR repo_id IN (SELECT cr.repo_id FROM configuration_repos cr
                JOIN sessions s ON s.configuration_id = cr.configuration_id WHERE s.id = $2)
        ) ORDER BY id");
}

/// A record with its sealed value.
#[derive(Debug, Clone)]
pub struct SealedSecret {
    pub secret: Secret,
    pub sealed_value: String,
}

/// The scope as the three columns, of which one at most is set.
fn scope_columns(scope: SecretScope) -> [Option<Uuid>; 3] {
    match scope {
        SecretScope::Organization => [None, None, None],
        SecretScope::Repo(id) => [Some(id.uuid()), None, None],
        SecretScope::Configuration(id) => [None, Some(id.uuid()), None],
        SecretScope::Session(id) => [None, None, Some(id.uuid())],
    }
}

pub async fn secret_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: SecretId,
) -> Result<Option<Secret>> {
    let row = conn
        .fetch_optional("secrets", &SECRET_FETCH, values![organization_id, id])
        .await?;
    row.map(|row| secret(&row)).transpose()
}

pub async fn secret_fetch_key(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    scope: SecretScope,
    key: &str,
) -> Result<Option<Secret>> {
    let [repo, configuration, session] = scope_columns(scope);
    let values = values![organization_id, repo, configuration, session, key];
    let row = conn
        .fetch_optional("secrets", &SECRET_FETCH_KEY, values)
        .await?;
    row.map(|row| secret(&row)).transpose()
}

/// The sealed value of one key.
pub async fn secret_fetch_sealed(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    scope: SecretScope,
    key: &str,
) -> Result<Option<String>> {
    let [repo, configuration, session] = scope_columns(scope);
    let values = values![organization_id, repo, configuration, session, key];
    let row = conn
        .fetch_optional("secrets", &SECRET_FETCH_SEALED, values)
        .await?;
    row.map(|row| row.text("sealed_value")).transpose()
}

/// Newest first; of one scope, if one is given. Those of a session that the viewer does not see are left out.
pub async fn secret_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    viewer: SessionViewer<'_>,
    scope: Option<SecretScope>,
    page: PageRequest<SecretId>,
) -> Result<Page<Secret, SecretId>> {
    let before = crate::session::cursor(page.before.map(SecretId::uuid));
    let limit = page.fetch_limit();
    let rows = match scope {
        None => {
            let values = values![organization_id, before, limit, viewer.member()];
            conn.fetch_all("secrets", &SECRET_LIST, values).await?
        }
        Some(scope) => {
            let [repo, configuration, session] = scope_columns(scope);
            let member = viewer.member();
            let values = values![
                organization_id,
                repo,
                configuration,
                session,
                before,
                limit,
                member
            ];
            conn.fetch_all("secrets", &SECRET_LIST_SCOPE, values)
                .await?
        }
    };
    let found = rows.iter().map(secret).collect::<Result<_>>()?;
    Ok(page.page(found, |secret: &Secret| secret.id))
}

/// The keys the scope has.
pub async fn secret_list_keys(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    scope: SecretScope,
) -> Result<HashSet<String>> {
    let [repo, configuration, session] = scope_columns(scope);
    let values = values![organization_id, repo, configuration, session];
    let rows = conn.fetch_all("secrets", &SECRET_LIST_KEYS, values).await?;
    rows.iter().map(|row| row.text("key")).collect()
}

/// How many the organization has, less those of single sessions: they come and go with their
/// session, and have a bound of their own.
pub async fn secret_count(conn: &mut Conn, organization_id: &OrganizationId) -> Result<i64> {
    let row = conn
        .fetch_optional("secrets", &SECRET_COUNT, values![organization_id])
        .await?;
    row.map_or(Ok(0), |row| row.int("n"))
}

/// Everything that becomes part of a session's environment, in no particular order.
pub async fn secret_list_sealed_for_session(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Vec<SealedSecret>> {
    let values = values![organization_id, session_id];
    let rows = conn
        .fetch_all("secrets", &SECRET_LIST_SEALED_FOR_SESSION, values)
        .await?;
    rows.iter()
        .map(|row| {
            let sealed_value = row.text("sealed_value")?;
            Ok(SealedSecret {
                secret: secret(row)?,
                sealed_value,
            })
        })
        .collect()
}

/// `false` if the scope has the key already.
pub async fn secret_insert(tx: &mut Tx, sealed: &SealedSecret) -> Result<bool> {
    let s = &sealed.secret;
    let [repo, configuration, session] = scope_columns(s.scope);
    let values = values![
        s.id,
        &s.organization_id,
        repo,
        configuration,
        session,
        &s.key,
        s.description.as_ref(),
        s.created_by.as_ref(),
        s.created_at,
        s.updated_at,
        &sealed.sealed_value,
    ];
    Ok(tx.execute(&SECRET_INSERT, values).await? == 1)
}

/// Updates the description and, if given, the value. Returns whether it exists.
pub async fn secret_update(tx: &mut Tx, secret: &Secret, sealed: Option<&str>) -> Result<bool> {
    let values = values![
        &secret.organization_id,
        secret.id,
        sealed,
        secret.description.as_ref(),
        secret.updated_at,
    ];
    Ok(tx.execute(&SECRET_UPDATE, values).await? == 1)
}

pub async fn secret_delete(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: SecretId,
) -> Result<bool> {
    Ok(tx
        .execute(&SECRET_DELETE, values![organization_id, id])
        .await?
        == 1)
}

fn secret(row: &Row) -> Result<Secret> {
    let repo = row.id_opt("repo_id")?;
    let configuration = row.id_opt("configuration_id")?;
    let session = row.id_opt("session_id")?;
    let scope = match (repo, configuration, session) {
        (None, None, None) => SecretScope::Organization,
        (Some(id), None, None) => SecretScope::Repo(id),
        (None, Some(id), None) => SecretScope::Configuration(id),
        (None, None, Some(id)) => SecretScope::Session(id),
        _ => return Err(row.inconsistent("repo_id", "more than one scope is set")),
    };
    Ok(Secret {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        scope,
        key: row.text("key")?,
        description: row.text_opt("description")?,
        created_by: row.parsed_opt("created_by")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
