//! Renewing the credentials of an integration. The sealed text identifies the credentials: every seal has its own nonce,
//! so a write that names the text it was derived from changes exactly those credentials.

use domain::{
    clock::Timestamp,
    id::{IntegrationId, OrganizationId},
};
use uuid::Uuid;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    integration::{SealedIntegration, integration},
    statement::statements,
    value::values,
};

statements! {
    INTEGRATION_FETCH_RENEWING = "SELECT id, organization_id, provider, integration_id, display_name,
        scopes, status, created_by, created_at, updated_at, sealed_credentials, renewal_by, renewal_until
        FROM integrations WHERE organization_id = $1 AND id = $2";
    INTEGRATION_CLAIM = "UPDATE integrations SET renewal_by = $4, renewal_until = $5
        WHERE organization_id = $1 AND id = $2 AND sealed_credentials = $3 AND status = 'active'
        AND (renewal_until IS NULL OR renewal_until <= $6)";
    INTEGRATION_RELEASE = "UPDATE integrations SET renewal_by = NULL, renewal_until = $4
        WHERE organization_id = $1 AND id = $2 AND renewal_by = $3";
    INTEGRATION_RENEW = "UPDATE integrations SET sealed_credentials = $4, updated_at = $5,
        status = CASE WHEN status = 'expired' THEN 'active' ELSE status END,
        renewal_by = NULL, renewal_until = NULL
        WHERE organization_id = $1 AND id = $2 AND sealed_credentials = $3";
    INTEGRATION_EXPIRE = "UPDATE integrations SET status = 'expired', updated_at = $4,
        renewal_by = NULL, renewal_until = NULL
        WHERE organization_id = $1 AND id = $2 AND sealed_credentials = $3 AND status = 'active'";
}

/// A record with its sealed credentials and the instance that renews them.
#[derive(Debug, Clone)]
pub struct RenewingIntegration {
    pub sealed: SealedIntegration,
    /// `None` during a pause.
    pub by: Option<Uuid>,
    pub until: Option<Timestamp>,
}

pub async fn integration_fetch_renewing(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: IntegrationId,
) -> Result<Option<RenewingIntegration>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("integrations", &INTEGRATION_FETCH_RENEWING, values)
        .await?;
    row.map(|row| {
        Ok(RenewingIntegration {
            sealed: SealedIntegration {
                integration: integration(&row)?,
                sealed_credentials: row.text("sealed_credentials")?,
            },
            by: row.uuid_opt("renewal_by")?,
            until: row.time_opt("renewal_until")?,
        })
    })
    .transpose()
}

/// Whether it is ours to renew these credentials until then.
pub async fn integration_claim(
    tx: &mut Tx,
    found: &SealedIntegration,
    by: Uuid,
    until: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let i = &found.integration;
    let sealed = &found.sealed_credentials;
    let values = values![&i.organization_id, i.id, sealed, by, until, now];
    Ok(tx.execute(&INTEGRATION_CLAIM, values).await? == 1)
}

/// Releases a claim and starts a pause in which no instance claims.
pub async fn integration_release(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: IntegrationId,
    by: Uuid,
    pause_until: Timestamp,
) -> Result<bool> {
    let values = values![organization_id, id, by, pause_until];
    Ok(tx.execute(&INTEGRATION_RELEASE, values).await? == 1)
}

/// Stores the credentials that `found` was renewed to, also if `found` was marked expired meanwhile.
/// `false` if they were replaced or removed.
pub async fn integration_renew(
    tx: &mut Tx,
    found: &SealedIntegration,
    sealed_credentials: &str,
    now: Timestamp,
) -> Result<bool> {
    let i = &found.integration;
    let old = &found.sealed_credentials;
    let values = values![&i.organization_id, i.id, old, sealed_credentials, now];
    Ok(tx.execute(&INTEGRATION_RENEW, values).await? == 1)
}

/// Marks the credentials of `found` as expired. `false` if they are no longer in use.
pub async fn integration_expire(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: IntegrationId,
    sealed_credentials: &str,
    now: Timestamp,
) -> Result<bool> {
    let values = values![organization_id, id, sealed_credentials, now];
    Ok(tx.execute(&INTEGRATION_EXPIRE, values).await? == 1)
}
