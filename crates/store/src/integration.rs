//! Integrations. Their credentials travel sealed and only together with the record they belong to.

use domain::{
    id::{IntegrationId, OrganizationId, SessionId},
    integration::Integration,
    page::{Page, PageRequest},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    json,
    row::Row,
    statement::statements,
    value::values,
};

/// The columns of a record without its credentials.
macro_rules! columns {
    () => {
        "id, organization_id, provider, integration_id, display_name, scopes, status, created_by, \
         created_at, updated_at"
    };
}

statements! {
    INTEGRATION_INSERT = concat!("INSERT INTO integrations (", columns!(), ", sealed_credentials)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)");
    INTEGRATION_FETCH = concat!("SELECT ", columns!(), " FROM integrations
        WHERE organization_id = $1 AND id = $2");
    INTEGRATION_FETCH_SEALED = concat!("SELECT ", columns!(), ", sealed_credentials FROM integrations
        WHERE organization_id = $1 AND id = $2");
    INTEGRATION_LIST = concat!("SELECT ", columns!(), " FROM integrations
        WHERE organization_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
    INTEGRATION_LIST_OF_SESSION = concat!("SELECT ", columns!(), " FROM integrations
        WHERE organization_id = $1 AND id IN (SELECT session_connections.integration_id
            FROM session_connections WHERE organization_id = $1 AND session_id = $2)
        ORDER BY id DESC");
    INTEGRATION_FETCH_OF_SESSION = concat!("SELECT ", columns!(), " FROM integrations
        WHERE organization_id = $1 AND id IN (SELECT session_connections.integration_id
            FROM session_connections WHERE organization_id = $1 AND session_id = $2)
        AND integration_id = $3 AND status = 'active'
        ORDER BY id DESC LIMIT 1");
    INTEGRATION_UPDATE = "UPDATE integrations SET display_name = $3, status = $4,
        sealed_credentials = COALESCE($5, sealed_credentials), updated_at = $6, provider = $7
        WHERE organization_id = $1 AND id = $2";
    INTEGRATION_RECONNECT = "UPDATE integrations SET provider = $4, scopes = $5, status = $6,
        sealed_credentials = $7, updated_at = $8, renewal_by = NULL, renewal_until = NULL
        WHERE organization_id = $1 AND id = $2 AND integration_id = $3";
    INTEGRATION_DELETE = "DELETE FROM integrations WHERE organization_id = $1 AND id = $2";
}

/// A record with its sealed credentials.
#[derive(Debug, Clone)]
pub struct SealedIntegration {
    pub integration: Integration,
    pub sealed_credentials: String,
}

pub async fn integration_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: IntegrationId,
) -> Result<Option<Integration>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("integrations", &INTEGRATION_FETCH, values)
        .await?;
    row.map(|row| integration(&row)).transpose()
}

pub async fn integration_fetch_sealed(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: IntegrationId,
) -> Result<Option<SealedIntegration>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("integrations", &INTEGRATION_FETCH_SEALED, values)
        .await?;
    row.map(|row| {
        let sealed_credentials = row.text("sealed_credentials")?;
        Ok(SealedIntegration {
            integration: integration(&row)?,
            sealed_credentials,
        })
    })
    .transpose()
}

pub async fn integration_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    page: PageRequest<IntegrationId>,
) -> Result<Page<Integration, IntegrationId>> {
    let before = crate::session::cursor(page.before.map(IntegrationId::uuid));
    let values = values![organization_id, before, page.fetch_limit()];
    let rows = conn
        .fetch_all("integrations", &INTEGRATION_LIST, values)
        .await?;
    let found = rows.iter().map(integration).collect::<Result<_>>()?;
    Ok(page.page(found, |integration: &Integration| integration.id))
}

/// Those a session may use, newest first, whatever their status.
pub async fn integration_list_of_session(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Vec<Integration>> {
    let values = values![organization_id, session_id];
    let rows = conn
        .fetch_all("integrations", &INTEGRATION_LIST_OF_SESSION, values)
        .await?;
    rows.iter().map(integration).collect()
}

/// The newest active one of a service that a session may use.
pub async fn integration_fetch_of_session(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    service: &str,
) -> Result<Option<Integration>> {
    let values = values![organization_id, session_id, service];
    let row = conn
        .fetch_optional("integrations", &INTEGRATION_FETCH_OF_SESSION, values)
        .await?;
    row.map(|row| integration(&row)).transpose()
}

pub async fn integration_insert(tx: &mut Tx, sealed: &SealedIntegration) -> Result<()> {
    let i = &sealed.integration;
    let values = values![
        i.id,
        &i.organization_id,
        i.provider.as_str(),
        &i.service,
        &i.display_name,
        serde_json::json!(i.scopes),
        i.status.as_str(),
        i.created_by.as_ref(),
        i.created_at,
        i.updated_at,
        &sealed.sealed_credentials,
    ];
    tx.execute(&INTEGRATION_INSERT, values).await?;
    Ok(())
}

/// Replaces the credentials of a connection to the same service. Returns whether it exists.
pub async fn integration_reconnect(tx: &mut Tx, sealed: &SealedIntegration) -> Result<bool> {
    let i = &sealed.integration;
    let values = values![
        &i.organization_id,
        i.id,
        &i.service,
        i.provider.as_str(),
        serde_json::json!(i.scopes),
        i.status.as_str(),
        &sealed.sealed_credentials,
        i.updated_at,
    ];
    Ok(tx.execute(&INTEGRATION_RECONNECT, values).await? == 1)
}

/// Updates name, status, provider and, if given, credentials. Returns whether it exists.
pub async fn integration_update(
    tx: &mut Tx,
    integration: &Integration,
    sealed_credentials: Option<&str>,
) -> Result<bool> {
    let values = values![
        &integration.organization_id,
        integration.id,
        &integration.display_name,
        integration.status.as_str(),
        sealed_credentials,
        integration.updated_at,
        integration.provider.as_str(),
    ];
    Ok(tx.execute(&INTEGRATION_UPDATE, values).await? == 1)
}

pub async fn integration_delete(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: IntegrationId,
) -> Result<bool> {
    Ok(tx
        .execute(&INTEGRATION_DELETE, values![organization_id, id])
        .await?
        == 1)
}

pub(crate) fn integration(row: &Row) -> Result<Integration> {
    let scopes = row.json("scopes")?;
    Ok(Integration {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        provider: row.parsed("provider")?,
        service: row.text("integration_id")?,
        display_name: row.text("display_name")?,
        scopes: json::texts_from(&scopes).map_err(|reason| row.inconsistent("scopes", &reason))?,
        status: row.parsed("status")?,
        created_by: row.parsed_opt("created_by")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
