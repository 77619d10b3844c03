//! Creates, updates and deletes webhooks.

use std::collections::BTreeSet;

use domain::{
    id::WebhookId,
    invalid::{Invalid, bounded_text},
    limits::{URL_LENGTH_MAX, WEBHOOK_SECRET_OVERLAP, WEBHOOKS_PER_ORGANIZATION_MAX},
    notice::NoticeKind,
    webhook::{Webhook, WebhookHealth},
};
use secrecy::SecretString;
use store::SealedWebhook;

use super::{deliver::SWITCHED_OFF, secret};
use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
};

#[derive(Debug)]
pub struct NewWebhook {
    pub url: String,
    /// All of them if `None`.
    pub events: Option<Vec<NoticeKind>>,
}

/// `None` leaves as it is.
#[derive(Debug)]
pub struct WebhookChange {
    pub url: Option<String>,
    pub events: Option<Vec<NoticeKind>>,
    pub enabled: Option<bool>,
}

/// The record, and the secret for the only time.
pub async fn create(app: &App, admin: &Admin, new: NewWebhook) -> Result<(Webhook, SecretString)> {
    check_url(app, &new.url).await?;
    let events = match new.events {
        Some(events) => some(events)?,
        None => NoticeKind::ALL.iter().copied().collect(),
    };
    let now = app.now();
    let webhook = Webhook {
        id: WebhookId::generate(now, &*app.entropy),
        organization_id: admin.organization_id().clone(),
        url: new.url,
        events,
        enabled: true,
        created_by: Some(admin.user_id().clone()),
        created_at: now,
        updated_at: now,
        health: WebhookHealth::default(),
    };
    let secret = secret::generate(app);
    let sealed = SealedWebhook {
        sealed_secret: secret::seal(app, &webhook, &secret)?,
        webhook,
        before: None,
    };
    let id = sealed.webhook.id;
    let mut tx = app.db.write().await?;
    if store::webhook_count(&mut tx, admin.organization_id()).await?
        >= i64::from(WEBHOOKS_PER_ORGANIZATION_MAX)
    {
        let message =
            format!("an organization has at most {WEBHOOKS_PER_ORGANIZATION_MAX} webhooks");
        return Err(Error::LimitReached(message));
    }
    store::webhook_insert(&mut tx, &sealed).await?;
    audit::record_operation(&mut tx, app, admin, "webhook_create", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok((sealed.webhook, secret))
}

pub async fn update(
    app: &App,
    admin: &Admin,
    id: WebhookId,
    change: WebhookChange,
) -> Result<Webhook> {
    // Before the transaction: it asks a resolver.
    if let Some(url) = &change.url {
        check_url(app, url).await?;
    }
    let events = change.events.map(some).transpose()?;
    let mut tx = app.db.write().await?;
    let found = store::webhook_fetch(&mut tx, admin.organization_id(), id).await?;
    let found = found.ok_or(Error::NotFound("webhook"))?;
    let was_enabled = found.enabled;
    let webhook = Webhook {
        url: change.url.unwrap_or(found.url),
        events: events.unwrap_or(found.events),
        enabled: change.enabled.unwrap_or(found.enabled),
        updated_at: app.now(),
        ..found
    };
    if !store::webhook_update(&mut tx, &webhook).await? {
        return Err(Error::NotFound("webhook"));
    }
    if was_enabled && !webhook.enabled {
        store::webhook_delivery_give_up(&mut tx, id, SWITCHED_OFF).await?;
    }
    audit::record_operation(&mut tx, app, admin, "webhook_update", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(webhook)
}

/// A new secret, shown this once. For a while deliveries are signed with the one before as well, so that the
/// receiver can change over without missing any.
pub async fn rotate(app: &App, admin: &Admin, id: WebhookId) -> Result<(Webhook, SecretString)> {
    let organization_id = admin.organization_id();
    let mut tx = app.db.write().await?;
    let found = store::webhook_fetch(&mut tx, organization_id, id).await?;
    let found = found.ok_or(Error::NotFound("webhook"))?;
    let secret = secret::generate(app);
    let sealed = secret::seal(app, &found, &secret)?;
    let now = app.now();
    let overlap = now.plus(WEBHOOK_SECRET_OVERLAP);
    let rotated = store::webhook_rotate(&mut tx, organization_id, id, &sealed, overlap, now);
    if !rotated.await? {
        return Err(Error::NotFound("webhook"));
    }
    audit::record_operation(&mut tx, app, admin, "webhook_rotate", Some(id.uuid())).await?;
    tx.commit().await?;
    let webhook = Webhook {
        updated_at: now,
        ..found
    };
    Ok((webhook, secret))
}

/// With its log.
pub async fn delete(app: &App, admin: &Admin, id: WebhookId) -> Result<()> {
    let mut tx = app.db.write().await?;
    if !store::webhook_delete(&mut tx, admin.organization_id(), id).await? {
        return Err(Error::NotFound("webhook"));
    }
    audit::record_operation(&mut tx, app, admin, "webhook_delete", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(())
}

/// Checks where the URL leads: now, for the admin who enters it, and again at each delivery.
async fn check_url(app: &App, url: &str) -> Result<()> {
    bounded_text("url", url, 1, URL_LENGTH_MAX)?;
    let checked = app.guard.check(url).await;
    checked.map_err(|refused| Invalid::new("url", refused.to_string()))?;
    Ok(())
}

fn some(events: Vec<NoticeKind>) -> Result<BTreeSet<NoticeKind>> {
    if events.is_empty() {
        return Err(Invalid::new("events", "must not be empty").into());
    }
    Ok(events.into_iter().collect())
}
