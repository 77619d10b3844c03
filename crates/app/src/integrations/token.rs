//! The token for a call. One read while it is good; renewed shortly before its end.
//!
//! INVARIANT: nothing is remembered between two calls: a connection that is revoked, suspended or removed
//! gives no token from the next call on.

use domain::{
    action::redact::Fingerprints,
    id::{IntegrationId, OrganizationId},
    integration::Renewal,
    limits::TOKEN_CHECK_TIMEOUT,
};

use super::{
    credential::{Credential, StoredCredentials},
    renew,
    renewals::RenewalOutcome,
};
use crate::{
    context::App,
    error::{Error, Result},
};

/// Returns the credential for a call to the service.
pub async fn get_token(
    app: &App,
    organization_id: &OrganizationId,
    id: IntegrationId,
) -> Result<Credential> {
    let mut conn = app.db.read().await?;
    let found = store::integration_fetch_sealed(&mut conn, organization_id, id).await?;
    drop(conn);
    let sealed = found.ok_or(Error::NotFound("integration"))?;
    renew::require_active(&sealed)?;
    let stored = StoredCredentials::open(&app.keyring, &sealed)?;
    let now = app.now();
    let usable = stored.credential(&sealed, now);
    match (stored.renewal(now), usable) {
        (Renewal::None, Some(credential)) => Ok(credential),
        (_, Some(credential)) if !stored.is_renewable() => Ok(credential),
        // Used while it is renewed by a task of its own.
        (Renewal::Soon, Some(credential)) => {
            drop(renew::start(app, &sealed.integration, None));
            Ok(credential)
        }
        (_, None) if !stored.is_renewable() => {
            renew::expire(app, &sealed).await?;
            Err(expired())
        }
        (_, usable) => match renew::start(app, &sealed.integration, None).await {
            // A service that is down does not take away what is still good.
            RenewalOutcome::Unavailable(message) => usable.ok_or(Error::Outside(message)),
            other => other.into_result(),
        },
    }
}

/// Renews a credential that the service rejected, if that is possible; otherwise marks the connection as expired.
pub async fn renew_refused(app: &App, credential: &Credential) -> Result<Credential> {
    let (organization_id, id) = (&credential.organization_id, credential.integration_id);
    let mut conn = app.db.read().await?;
    let found = store::integration_fetch_sealed(&mut conn, organization_id, id).await?;
    drop(conn);
    let sealed = found.ok_or(Error::NotFound("integration"))?;
    renew::require_active(&sealed)?;
    if StoredCredentials::open(&app.keyring, &sealed)?.is_renewable() {
        let refused = Some(credential.sealed.clone());
        return renew::start(app, &sealed.integration, refused)
            .await
            .into_result();
    }
    if sealed.sealed_credentials != credential.sealed {
        return get_token(app, organization_id, id).await;
    }
    renew::expire(app, &sealed).await?;
    Err(expired())
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
        Ok(Err(error @ (Error::NotFound(_) | Error::Conflict(_) | Error::Outside(_)))) => {
            Ok(Err(error.to_string()))
        }
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

/// Every secret that is stored for a connection, to be searched for; none for one that is gone.
pub(crate) async fn stored_fingerprints(
    app: &App,
    organization_id: &OrganizationId,
    id: IntegrationId,
) -> Result<Fingerprints> {
    let mut conn = app.db.read().await?;
    let found = store::integration_fetch_sealed(&mut conn, organization_id, id).await?;
    drop(conn);
    let Some(sealed) = found else {
        return Ok(Fingerprints::default());
    };
    let stored = StoredCredentials::open(&app.keyring, &sealed)?;
    Ok(Fingerprints::of(stored.secrets()))
}

fn expired() -> Error {
    Error::Conflict(renew::EXPIRED.to_owned())
}
