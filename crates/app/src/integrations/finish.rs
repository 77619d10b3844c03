//! Finishes a connection: a browser comes back from a service with a code, which is exchanged for credentials. These
//! are stored sealed. The attempt is used up first, whatever becomes of it.

use ::integrations::{
    declaration,
    oauth::{IssuedTokens, TokenError},
};
use domain::{
    id::IntegrationId,
    integration::{ConnectAttempt, Integration, IntegrationStatus},
    limits::CONNECT_PARAMETER_LENGTH_MAX,
};
use secrecy::{ExposeSecret as _, SecretString};
use store::{SealedAttempt, SealedIntegration};
use tracing::Instrument as _;

use super::{
    connect::{browser_digest, state_digest, verifier_place},
    credential::{Installation, OAuthTokens, StoredCredentials},
};
use crate::{access::Admin, audit, context::App, error::Result, organizations};

/// What the browser came back with.
#[derive(Debug)]
pub struct AuthorizationResponse {
    pub state: SecretString,
    /// What the browser has kept.
    pub browser: SecretString,
    /// Absent if the admin, or the service, denied the authorization.
    pub code: Option<SecretString>,
}

/// How an attempt to connect ended. The name is the service's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectOutcome {
    Connected(&'static str),
    /// Not an attempt of this browser's, used before, or too old.
    NotValid,
    /// The admin denied the authorization at the service.
    Denied(&'static str),
    /// The user may not connect this, or not any more.
    NotAllowed(&'static str),
    /// The service rejected the code.
    Refused(&'static str),
    /// The service does not answer.
    Unavailable(&'static str),
}

/// Finishes an attempt. Runs to its end, though the browser may disconnect.
pub async fn finish(app: &App, response: AuthorizationResponse) -> Result<ConnectOutcome> {
    let app = app.clone();
    let finished = async move { finish_attempt(&app, response).await };
    let task = tokio::spawn(finished.in_current_span());
    task.await.unwrap_or(Ok(ConnectOutcome::NotValid))
}

async fn finish_attempt(app: &App, response: AuthorizationResponse) -> Result<ConnectOutcome> {
    let given = [
        Some(&response.state),
        Some(&response.browser),
        response.code.as_ref(),
    ];
    let long = |text: &SecretString| text.expose_secret().len() > CONNECT_PARAMETER_LENGTH_MAX;
    if given.into_iter().flatten().any(long) {
        return Ok(ConnectOutcome::NotValid);
    }
    let digest = state_digest(app, &response.state);
    let Some((attempt, verifier)) = take_attempt(app, &digest, &response.browser).await? else {
        return Ok(ConnectOutcome::NotValid);
    };
    let name = declaration(&attempt.service).map_or("the service", |source| source.display_name);
    let Some(code) = response.code else {
        return Ok(ConnectOutcome::Denied(name));
    };
    // The person may have lost the right since.
    let Some(admin) = still_admin(app, &attempt).await? else {
        return Ok(ConnectOutcome::NotAllowed(name));
    };
    match exchange(app, &attempt, &code, &verifier).await {
        Ok(Some((stored, scopes))) => {
            let saved = save(app, &admin, attempt, &stored, scopes).await?;
            // Not so if what was to be connected again has been removed.
            Ok(if saved {
                ConnectOutcome::Connected(name)
            } else {
                ConnectOutcome::NotValid
            })
        }
        Ok(None) => Ok(ConnectOutcome::NotAllowed(name)),
        Err(error) => {
            tracing::warn!(service = attempt.service, %error, "a connection was not made");
            Ok(match error {
                TokenError::Unavailable { .. } => ConnectOutcome::Unavailable(name),
                TokenError::NoLongerValid | TokenError::Refused(_) => ConnectOutcome::Refused(name),
            })
        }
    }
}

/// The attempt and its verifier, if it is this browser's and in time. It is used up.
async fn take_attempt(
    app: &App,
    digest: &str,
    browser: &SecretString,
) -> Result<Option<(ConnectAttempt, SecretString)>> {
    let browser = browser_digest(app, browser);
    let mut conn = app.db.read().await?;
    let exists = store::connect_attempt_exists(&mut conn, digest, &browser).await?;
    drop(conn);
    if !exists {
        return Ok(None);
    }
    let mut tx = app.db.write().await?;
    let found = store::connect_attempt_take(&mut tx, digest, &browser).await?;
    tx.commit().await?;
    let in_time = |found: &SealedAttempt| found.attempt.expires_at > app.now();
    let Some(found) = found.filter(in_time) else {
        return Ok(None);
    };
    let place = verifier_place(&found.attempt.organization_id, digest);
    let verifier = app.keyring.open(&place, &found.sealed_verifier)?;
    Ok(Some((found.attempt, verifier)))
}

async fn still_admin(app: &App, attempt: &ConnectAttempt) -> Result<Option<Admin>> {
    let organization_id = Some(&attempt.organization_id);
    match organizations::member_caller(app, organization_id, &attempt.user_id).await {
        Ok(caller) => Ok(Admin::of(&caller).ok()),
        Err(crate::Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The credentials and their scopes; nothing for an installation that the person cannot see.
async fn exchange(
    app: &App,
    attempt: &ConnectAttempt,
    code: &SecretString,
    verifier: &SecretString,
) -> std::result::Result<Option<(StoredCredentials, Vec<String>)>, TokenError> {
    let not_set_up = || TokenError::Refused("not_set_up".to_owned());
    let (oauth, now) = (&app.services.oauth, app.now());
    let service = oauth.service(&attempt.service).ok_or_else(not_set_up)?;
    let grant = service
        .exchange(code, verifier, &attempt.redirect_uri, now)
        .await?;
    let Some(id) = attempt.installation_id else {
        let scopes = grant.scopes.clone();
        return Ok(Some((
            StoredCredentials::OAuth2(OAuthTokens::from(grant)),
            scopes,
        )));
    };
    let IssuedTokens { access_token, .. } = grant;
    if !oauth.sees_installation(id, &access_token, now).await? {
        return Ok(None);
    }
    let installation = Installation {
        id,
        app: None,
        issued: None,
    };
    Ok(Some((
        StoredCredentials::GithubApp(installation),
        Vec::new(),
    )))
}

async fn save(
    app: &App,
    admin: &Admin,
    attempt: ConnectAttempt,
    stored: &StoredCredentials,
    scopes: Vec<String>,
) -> Result<bool> {
    let now = app.now();
    let name = declaration(&attempt.service).map(|source| source.display_name);
    let new = || IntegrationId::generate(now, &*app.entropy);
    let integration = Integration {
        id: attempt.integration_id.unwrap_or_else(new),
        organization_id: attempt.organization_id,
        provider: stored.provider(),
        display_name: name.unwrap_or(&attempt.service).to_owned(),
        service: attempt.service,
        scopes,
        status: IntegrationStatus::Active,
        created_by: Some(admin.user_id().clone()),
        created_at: now,
        updated_at: now,
    };
    let sealed = SealedIntegration {
        sealed_credentials: stored.seal(&app.keyring, &*app.entropy, &integration)?,
        integration,
    };
    let id = sealed.integration.id;
    let mut tx = app.db.write().await?;
    let saved = if attempt.integration_id.is_some() {
        store::integration_reconnect(&mut tx, &sealed).await?
    } else {
        store::integration_insert(&mut tx, &sealed).await?;
        true
    };
    if saved {
        audit::record_operation(&mut tx, app, admin, "integration_connect", Some(id.uuid()))
            .await?;
    }
    tx.commit().await?;
    Ok(saved)
}
