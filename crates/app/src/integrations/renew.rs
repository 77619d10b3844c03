//! Renews credentials: by one task of one instance at a time, and to its end, also when no caller waits for it any more.
//!
//! INVARIANT: a refresh token is sent only by the task that holds the row's claim, and the tokens received for it are
//! stored unless the credentials were replaced. A process that dies in between loses them; the claim then expires
//! and the next task sends the old token, which the service accepts (nothing was lost) or rejects (the
//! connection is expired, and says so).

use std::sync::PoisonError;

use ::integrations::oauth::{IssuedTokens, TokenError};
use backon::{ConstantBuilder, Retryable as _};
use domain::{
    clock::random_bytes,
    id::{IntegrationId, OrganizationId},
    integration::{Integration, IntegrationStatus, Renewal},
    limits::{
        TOKEN_CLAIM, TOKEN_POLL_EVERY, TOKEN_RENEW_PAUSE, TOKEN_STORE_PAUSE, TOKEN_STORE_TRIES,
        TOKEN_WAIT_MAX,
    },
};
use futures::FutureExt as _;
use store::SealedIntegration;
use tracing::Instrument as _;
use uuid::Uuid;

use super::{
    GithubApp,
    credential::{Credential, StoredCredentials},
    renewals::{RenewalGuard, RenewalOutcome, Renewing, UNAVAILABLE},
};
use crate::{
    access::GatewayActor,
    audit,
    context::App,
    error::{Error, Result},
};

pub(super) const EXPIRED: &str = "the integration is expired; reconnect it";

/// Starts a renewal, or joins the one that is under way. `refused` are sealed credentials that the service
/// rejected: they are renewed though they have not expired.
pub(super) fn start(app: &App, integration: &Integration, refused: Option<String>) -> Renewing {
    let renewals = app.renewals().clone();
    let mut table = renewals.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(under_way) = table.get(&integration.id) {
        return under_way.clone();
    }
    let (app, id) = (app.clone(), integration.id);
    let organization_id = integration.organization_id.clone();
    let place = RenewalGuard(renewals.clone(), id);
    // A task of its own: a caller that waits may disconnect, and the token that came must be stored all the same.
    let renewal = async move {
        let _place = place;
        let renewed = renew(&app, &organization_id, id, refused).await;
        renewed.unwrap_or_else(RenewalOutcome::from)
    };
    let task = tokio::spawn(renewal.in_current_span());
    let ended = async move {
        let cut_off = |_| RenewalOutcome::Unavailable(UNAVAILABLE.to_owned());
        task.await.unwrap_or_else(cut_off)
    };
    let renewing = ended.boxed().shared();
    table.insert(id, renewing.clone());
    renewing
}

/// Requires that the connection is active.
pub(super) fn require_active(sealed: &SealedIntegration) -> Result<()> {
    let status = sealed.integration.status;
    if status == IntegrationStatus::Active {
        return Ok(());
    }
    let message = format!("the integration is {status}; reconnect it");
    Err(Error::Conflict(message))
}

/// Which task may renew.
enum Turn {
    /// Another task has renewed them.
    Renewed(Credential),
    /// This task, under this claim.
    Ours(Box<(SealedIntegration, StoredCredentials)>, Uuid),
    /// No task may renew for a moment: the last attempt has just failed.
    Paused,
}

async fn renew(
    app: &App,
    organization_id: &OrganizationId,
    id: IntegrationId,
    refused: Option<String>,
) -> Result<RenewalOutcome> {
    let turn = turn(app, organization_id, id, refused.as_deref());
    let (found, claim) = match tokio::time::timeout(TOKEN_WAIT_MAX, turn).await {
        Ok(Ok(Turn::Renewed(credential))) => return Ok(RenewalOutcome::Renewed(credential)),
        Ok(Ok(Turn::Ours(found, claim))) => (found, claim),
        Ok(Ok(Turn::Paused)) | Err(_) => {
            return Ok(RenewalOutcome::Unavailable(UNAVAILABLE.to_owned()));
        }
        Ok(Err(error)) => return Err(error),
    };
    let (sealed, stored) = *found;
    match ask(app, &sealed, &stored).await {
        Ok(grant) => store(app, &sealed, &stored.renewed(grant)).await,
        Err(TokenError::NoLongerValid) => {
            expire(app, &sealed).await?;
            Ok(RenewalOutcome::Refused(EXPIRED.to_owned()))
        }
        Err(error) => {
            let pause = match &error {
                TokenError::Unavailable { after } => (*after).max(TOKEN_RENEW_PAUSE),
                _ => TOKEN_RENEW_PAUSE,
            };
            tracing::warn!(integration_id = %id, %error, "a token was not renewed");
            let mut tx = app.db.write().await?;
            let until = app.now().plus(pause);
            store::integration_release(&mut tx, organization_id, id, claim, until).await?;
            tx.commit().await?;
            Ok(match error {
                TokenError::Refused(_) => RenewalOutcome::Refused(
                    "the service does not take this gateway for its client; the operator has to look \
                     at its settings"
                        .to_owned(),
                ),
                _ => RenewalOutcome::Unavailable(UNAVAILABLE.to_owned()),
            })
        }
    }
}

/// Waits until it is our turn, or until there is nothing left to do.
async fn turn(
    app: &App,
    organization_id: &OrganizationId,
    id: IntegrationId,
    refused: Option<&str>,
) -> Result<Turn> {
    loop {
        let mut conn = app.db.read().await?;
        let found = store::integration_fetch_renewing(&mut conn, organization_id, id).await?;
        drop(conn);
        let found = found.ok_or(Error::NotFound("integration"))?;
        require_active(&found.sealed)?;
        let stored = StoredCredentials::open(&app.keyring, &found.sealed)?;
        let now = app.now();
        let unwanted = refused == Some(found.sealed.sealed_credentials.as_str());
        let current = stored.credential(&found.sealed, now);
        if let (Some(current), Renewal::None, false) = (current, stored.renewal(now), unwanted) {
            return Ok(Turn::Renewed(current));
        }
        match (found.by, found.until.filter(|until| *until > now)) {
            (None, Some(_)) => return Ok(Turn::Paused),
            (Some(_), Some(_)) => {}
            (_, None) => {
                let claim = Uuid::from_bytes(random_bytes(&*app.entropy));
                let until = now.plus(TOKEN_CLAIM);
                let mut tx = app.db.write().await?;
                let ours =
                    store::integration_claim(&mut tx, &found.sealed, claim, until, now).await?;
                tx.commit().await?;
                if ours {
                    return Ok(Turn::Ours(Box::new((found.sealed, stored)), claim));
                }
            }
        }
        tokio::time::sleep(TOKEN_POLL_EVERY).await;
    }
}

/// Requests new tokens from the service, once.
async fn ask(
    app: &App,
    sealed: &SealedIntegration,
    stored: &StoredCredentials,
) -> std::result::Result<IssuedTokens, TokenError> {
    let not_set_up = || TokenError::Refused("not_set_up".to_owned());
    let (oauth, now) = (&app.services.oauth, app.now());
    match stored {
        StoredCredentials::OAuth2(tokens) => {
            let service = oauth.service(&sealed.integration.service);
            let service = service.ok_or_else(not_set_up)?;
            let refresh = tokens.refresh.as_ref().ok_or(TokenError::NoLongerValid)?;
            service.refresh(refresh, now).await
        }
        StoredCredentials::GithubApp(installation) => {
            let github_app = match &installation.app {
                Some((id, key)) => GithubApp::new(id, key).ok(),
                None => app.services.github_app.clone(),
            };
            let proof = github_app.and_then(|app| app.proof(now));
            let proof = proof.ok_or_else(not_set_up)?;
            oauth.installation_token(installation.id, &proof, now).await
        }
        StoredCredentials::Static(_) => Err(TokenError::NoLongerValid),
    }
}

/// Tries again and again: what is not stored is lost.
async fn store(
    app: &App,
    found: &SealedIntegration,
    renewed: &StoredCredentials,
) -> Result<RenewalOutcome> {
    let sealed_credentials = renewed.seal(&app.keyring, &*app.entropy, &found.integration)?;
    let sealed = SealedIntegration {
        integration: found.integration.clone(),
        sealed_credentials,
    };
    let backoff = ConstantBuilder::new()
        .with_delay(TOKEN_STORE_PAUSE)
        .with_max_times(TOKEN_STORE_TRIES);
    let store = || store_once(app, found, &sealed.sealed_credentials);
    let stored = store.retry(backoff).notify(|error, _| {
        tracing::warn!(%error, "a renewed token could not be stored; trying again");
    });
    let stored = stored.await.unwrap_or_else(|error| {
        let id = found.integration.id;
        tracing::error!(integration_id = %id, %error, "a renewed token is lost");
        false
    });
    let credential = renewed.credential(&sealed, app.now());
    Ok(match credential.filter(|_| stored) {
        Some(credential) => RenewalOutcome::Renewed(credential),
        None => RenewalOutcome::Unavailable(
            "the integration was changed meanwhile; try again".to_owned(),
        ),
    })
}

async fn store_once(app: &App, found: &SealedIntegration, renewed: &str) -> Result<bool> {
    let mut tx = app.db.write().await?;
    let stored = store::integration_renew(&mut tx, found, renewed, app.now()).await?;
    if stored {
        done(&mut tx, app, &found.integration, "integration_renew").await?;
    }
    tx.commit().await?;
    Ok(stored)
}

/// Marks the connection as expired, if these credentials are still in use.
pub(super) async fn expire(app: &App, found: &SealedIntegration) -> Result<()> {
    let (i, now) = (&found.integration, app.now());
    let mut tx = app.db.write().await?;
    let expired = store::integration_expire(
        &mut tx,
        &i.organization_id,
        i.id,
        &found.sealed_credentials,
        now,
    )
    .await?;
    if expired {
        done(&mut tx, app, i, "integration_expire").await?;
    }
    tx.commit().await?;
    if expired {
        tracing::info!(integration_id = %i.id, "an integration is expired");
    }
    Ok(())
}

async fn done(
    tx: &mut store::Tx,
    app: &App,
    integration: &Integration,
    operation: &str,
) -> Result<()> {
    let itself = GatewayActor(integration.organization_id.clone());
    audit::record_operation(tx, app, &itself, operation, Some(integration.id.uuid())).await
}
