//! Connections to outside services. Credentials go in sealed and come out only here, for a call made
//! by the gateway itself.

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

pub use token::{check_token, get_token};

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
    pub token: SecretString,
    pub scopes: Vec<String>,
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
    let integration = Integration {
        id: IntegrationId::generate(now, &*app.entropy),
        organization_id: admin.organization_id().clone(),
        provider: IntegrationProvider::Static,
        display_name: new.display_name.unwrap_or_else(|| new.service.clone()),
        service: new.service,
        scopes: new.scopes,
        status: IntegrationStatus::Active,
        created_by: Some(admin.user_id().clone()),
        created_at: now,
        updated_at: now,
    };
    let sealed_credentials = token::seal(app, &integration, &new.token)?;
    let sealed = SealedIntegration {
        integration,
        sealed_credentials,
    };
    let mut tx = app.db.write().await?;
    tx.integration_insert(&sealed).await?;
    let id = sealed.integration.id;
    audit::done(&mut tx, app, admin, "integration_create", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(sealed.integration)
}

pub async fn fetch(app: &App, insider: &Insider, id: IntegrationId) -> Result<Integration> {
    let mut conn = app.db.read().await?;
    let found = conn
        .integration_fetch(insider.organization_id(), id)
        .await?;
    found.ok_or(Error::NotFound("integration"))
}

pub async fn list(
    app: &App,
    insider: &Insider,
    page: PageRequest<IntegrationId>,
) -> Result<Page<Integration, IntegrationId>> {
    Ok(app
        .db
        .read()
        .await?
        .integration_list(insider.organization_id(), page)
        .await?)
}

pub async fn update(
    app: &App,
    admin: &Admin,
    id: IntegrationId,
    change: IntegrationChange,
) -> Result<Integration> {
    let mut tx = app.db.write().await?;
    let found = tx.integration_fetch(admin.organization_id(), id).await?;
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
    }
    integration.updated_at = app.now();
    let sealed = change
        .token
        .map(|token| token::seal(app, &integration, &token))
        .transpose()?;
    let changed = tx
        .integration_update(&integration, sealed.as_deref())
        .await?;
    if changed {
        audit::done(&mut tx, app, admin, "integration_update", Some(id.uuid())).await?;
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
    let found = tx.integration_fetch(person.organization_id(), id).await?;
    let found = found.ok_or(Error::NotFound("integration"))?;
    if found.created_by.as_ref() != Some(person.user_id()) {
        person.admin()?;
    }
    let deleted = tx.integration_delete(person.organization_id(), id).await?;
    if deleted {
        audit::done(&mut tx, app, person, "integration_delete", Some(id.uuid())).await?;
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
    validate_token(&new.token)
}

fn validate_token(token: &SecretString) -> Result<()> {
    if token.expose_secret().trim().is_empty() {
        return Err(Invalid::new("token", "must not be empty").into());
    }
    Ok(validate_value("token", token.expose_secret())?)
}
