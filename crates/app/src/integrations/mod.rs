//! Connections to outside services. Credentials go in sealed and come out only here, for a call made
//! by the gateway itself.

mod connect;
mod credential;
mod finish;
mod github_app;
mod renew;
pub(crate) mod renewals;
pub(crate) mod services;
mod session;
mod token;

use domain::{
    id::IntegrationId,
    integration::{Integration, IntegrationProvider, IntegrationStatus},
    invalid::{Invalid, bounded_count, bounded_text},
    limits,
    page::{Page, PageRequest},
    secret::validate_value,
};
use secrecy::{ExposeSecret, SecretString};
use store::SealedIntegration;

pub use connect::{CALLBACK_PATH, ConnectRedirect, ConnectRequest, connect};
pub use credential::Credential;
pub use finish::{AuthorizationResponse, ConnectOutcome, finish};
pub use github_app::{GithubApp, InvalidAppKey};
pub use services::Services;
pub use session::{for_source, list_for_session};
pub(crate) use token::stored_fingerprints;
pub use token::{check_token, get_token, renew_refused};

use self::credential::{Installation, StoredCredentials};
use crate::{
    access::{Admin, Insider, Person},
    audit,
    context::App,
    error::{Error, Result},
};

#[derive(Debug)]
pub struct NewIntegration {
    /// Which service, e.g. `linear`.
    pub service: String,
    pub display_name: Option<String>,
    pub credentials: NewCredentials,
    pub scopes: Vec<String>,
}

/// The credentials that an admin enters to connect a service.
#[derive(Debug)]
pub enum NewCredentials {
    Token(SecretString),
    /// An installation of the organization's own app. The app's key may be used for all of its installations.
    GithubApp {
        app_id: String,
        installation_id: i64,
        private_key: SecretString,
    },
}

/// `None` leaves as it is.
#[derive(Debug)]
pub struct IntegrationChange {
    pub display_name: Option<String>,
    pub token: Option<SecretString>,
    pub status: Option<IntegrationStatus>,
}

pub async fn create(app: &App, admin: &Admin, new: NewIntegration) -> Result<Integration> {
    validate(&new)?;
    let now = app.now();
    let stored = match new.credentials {
        NewCredentials::Token(token) => StoredCredentials::Static(token),
        NewCredentials::GithubApp {
            app_id,
            installation_id,
            private_key,
        } => StoredCredentials::GithubApp(Installation {
            id: installation_id,
            app: Some((app_id, private_key)),
            issued: None,
        }),
    };
    let integration = Integration {
        id: IntegrationId::generate(now, &*app.entropy),
        organization_id: admin.organization_id().clone(),
        provider: stored.provider(),
        display_name: new.display_name.unwrap_or_else(|| new.service.clone()),
        service: new.service,
        scopes: new.scopes,
        status: IntegrationStatus::Active,
        created_by: Some(admin.user_id().clone()),
        created_at: now,
        updated_at: now,
    };
    let sealed = SealedIntegration {
        sealed_credentials: stored.seal(&app.keyring, &*app.entropy, &integration)?,
        integration,
    };
    let mut tx = app.db.write().await?;
    store::integration_insert(&mut tx, &sealed).await?;
    let id = sealed.integration.id;
    audit::record_operation(&mut tx, app, admin, "integration_create", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(sealed.integration)
}

pub async fn fetch(app: &App, insider: &Insider, id: IntegrationId) -> Result<Integration> {
    let mut conn = app.db.read().await?;
    let found = store::integration_fetch(&mut conn, insider.organization_id(), id).await?;
    found.ok_or(Error::NotFound("integration"))
}

pub async fn list(
    app: &App,
    insider: &Insider,
    page: PageRequest<IntegrationId>,
) -> Result<Page<Integration, IntegrationId>> {
    Ok(store::integration_list(&mut app.db.read().await?, insider.organization_id(), page).await?)
}

pub async fn update(
    app: &App,
    admin: &Admin,
    id: IntegrationId,
    change: IntegrationChange,
) -> Result<Integration> {
    let mut tx = app.db.write().await?;
    let found = store::integration_fetch(&mut tx, admin.organization_id(), id).await?;
    let mut integration = found.ok_or(Error::NotFound("integration"))?;
    if let Some(display_name) = change.display_name {
        bounded_text("displayName", &display_name, 1, limits::NAME_LENGTH_MAX)?;
        integration.display_name = display_name;
    }
    if let Some(status) = change.status {
        integration.status = status;
    }
    if let Some(token) = &change.token {
        validate_token(token)?;
        // New credentials are what an expired or revoked connection was waiting for.
        integration.status = change.status.unwrap_or(IntegrationStatus::Active);
        integration.provider = IntegrationProvider::Static;
    }
    integration.updated_at = app.now();
    let sealed = change
        .token
        .map(|token| {
            StoredCredentials::Static(token).seal(&app.keyring, &*app.entropy, &integration)
        })
        .transpose()?;
    let changed = store::integration_update(&mut tx, &integration, sealed.as_deref()).await?;
    if changed {
        audit::record_operation(&mut tx, app, admin, "integration_update", Some(id.uuid())).await?;
    }
    tx.commit().await?;
    if changed {
        Ok(integration)
    } else {
        Err(Error::NotFound("integration"))
    }
}

/// An admin may remove any connection, a member the ones they made.
pub async fn delete(app: &App, person: &Person, id: IntegrationId) -> Result<()> {
    let mut tx = app.db.write().await?;
    let found = store::integration_fetch(&mut tx, person.organization_id(), id).await?;
    let found = found.ok_or(Error::NotFound("integration"))?;
    if found.created_by.as_ref() != Some(person.user_id()) {
        person.admin()?;
    }
    let deleted = store::integration_delete(&mut tx, person.organization_id(), id).await?;
    if deleted {
        audit::record_operation(&mut tx, app, person, "integration_delete", Some(id.uuid()))
            .await?;
    }
    tx.commit().await?;
    if deleted {
        Ok(())
    } else {
        Err(Error::NotFound("integration"))
    }
}

fn validate(new: &NewIntegration) -> Result<()> {
    bounded_text("integrationId", &new.service, 1, limits::NAME_LENGTH_MAX)?;
    let safe = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
    if !new.service.bytes().all(safe) {
        let message = "must hold only lower-case letters, digits, `-` and `_`";
        return Err(Invalid::new("integrationId", message).into());
    }
    if let Some(display_name) = &new.display_name {
        bounded_text("displayName", display_name, 1, limits::NAME_LENGTH_MAX)?;
    }
    bounded_count("scopes", new.scopes.len(), limits::SESSION_INTEGRATIONS_MAX)?;
    for (index, scope) in new.scopes.iter().enumerate() {
        bounded_text(
            &format!("scopes[{index}]"),
            scope,
            1,
            limits::NAME_LENGTH_MAX,
        )?;
    }
    match &new.credentials {
        NewCredentials::Token(token) => validate_token(token),
        NewCredentials::GithubApp {
            app_id,
            installation_id,
            private_key,
        } => {
            if new.service != "github" {
                let message = "is for github alone";
                return Err(Invalid::new("githubApp", message).into());
            }
            bounded_text("githubApp.appId", app_id, 1, limits::NAME_LENGTH_MAX)?;
            if *installation_id < 1 {
                let message = "must be the number of an installation";
                return Err(Invalid::new("githubApp.installationId", message).into());
            }
            let invalid =
                |error: InvalidAppKey| Invalid::new("githubApp.privateKey", error.to_string());
            GithubApp::new(app_id, private_key).map_err(invalid)?;
            Ok(())
        }
    }
}

fn validate_token(token: &SecretString) -> Result<()> {
    if token.expose_secret().trim().is_empty() {
        return Err(Invalid::new("token", "must not be empty").into());
    }
    Ok(validate_value("token", token.expose_secret())?)
}
