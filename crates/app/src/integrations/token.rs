//! The credentials of a connection: the only place that opens them.

use domain::{
    id::{IntegrationId, OrganizationId},
    integration::{Integration, IntegrationProvider, IntegrationStatus},
    limits::TOKEN_CHECK_TIMEOUT,
};
use secrecy::SecretString;

use crate::{
    context::App,
    error::{Error, Result},
};

/// The bearer token for a call to the service.
pub async fn get_token(
    app: &App,
    organization_id: &OrganizationId,
    id: IntegrationId,
) -> Result<SecretString> {
    let mut conn = app.db.read().await?;
    let found = conn.integration_fetch_sealed(organization_id, id).await?;
    drop(conn);
    let sealed = found.ok_or(Error::NotFound("integration"))?;
    let integration = &sealed.integration;
    if integration.status != IntegrationStatus::Active {
        let message = format!("the integration is {}; reconnect it", integration.status);
        return Err(Error::Conflict(message));
    }
    match integration.provider {
        IntegrationProvider::Static => app
            .keyring
            .open(&associated_data(integration), &sealed.sealed_credentials),
        IntegrationProvider::OAuth2 | IntegrationProvider::GithubApp => Err(Error::Conflict(
            "this gateway cannot renew the integration's credentials".to_owned(),
        )),
    }
}

/// Whether the connection can be used now; otherwise why not, in words for a person. A database that
/// does not answer says nothing about the connection: that is an error, not a no.
pub async fn check_token(
    app: &App,
    organization_id: &OrganizationId,
    id: IntegrationId,
) -> Result<std::result::Result<(), String>> {
    match tokio::time::timeout(TOKEN_CHECK_TIMEOUT, get_token(app, organization_id, id)).await {
        Ok(Ok(_)) => Ok(Ok(())),
        Ok(Err(error @ (Error::NotFound(_) | Error::Conflict(_)))) => Ok(Err(error.to_string())),
        Ok(Err(Error::Sealed(reason))) => {
            tracing::warn!(integration_id = %id, reason, "an integration's token does not open");
            Ok(Err(
                "its credentials could not be read; reconnect it".to_owned()
            ))
        }
        Ok(Err(error)) => Err(error),
        Err(_) => Ok(Err(
            "its credentials could not be checked in time".to_owned()
        )),
    }
}

pub(super) fn seal(app: &App, integration: &Integration, token: &SecretString) -> Result<String> {
    use secrecy::ExposeSecret;
    app.keyring.seal(
        &*app.entropy,
        &associated_data(integration),
        token.expose_secret(),
    )
}

fn associated_data(integration: &Integration) -> String {
    format!(
        "integration:{}:{}",
        integration.organization_id, integration.id
    )
}
