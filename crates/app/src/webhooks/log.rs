//! The log of deliveries, and the way to send one of them again.

use domain::{
    id::{DeliveryId, WebhookId},
    page::{Page, PageRequest},
    webhook::{Delivery, DeliveryStatus},
};

use super::fetch;
use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
};

/// Newest first, of one status if one is given.
pub async fn deliveries(
    app: &App,
    admin: &Admin,
    webhook_id: WebhookId,
    status: Option<DeliveryStatus>,
    page: PageRequest<DeliveryId>,
) -> Result<Page<Delivery, DeliveryId>> {
    fetch(app, admin, webhook_id).await?;
    let mut conn = app.db.read().await?;
    Ok(
        store::webhook_delivery_page(&mut conn, admin.organization_id(), webhook_id, status, page)
            .await?,
    )
}

/// Sends a finished delivery again, under the id it had. One that is not finished is sent anyway.
pub async fn redeliver(
    app: &App,
    admin: &Admin,
    webhook_id: WebhookId,
    id: DeliveryId,
) -> Result<Delivery> {
    let organization_id = admin.organization_id();
    let mut tx = app.db.write().await?;
    let webhook = store::webhook_fetch(&mut tx, organization_id, webhook_id).await?;
    let webhook = webhook.ok_or(Error::NotFound("webhook"))?;
    let found = store::webhook_delivery_fetch(&mut tx, organization_id, webhook_id, id);
    found.await?.ok_or(Error::NotFound("delivery"))?;
    if !webhook.enabled {
        let message = "the webhook is switched off; switch it on first";
        return Err(Error::Conflict(message.to_owned()));
    }
    let repeated =
        store::webhook_delivery_repeat(&mut tx, organization_id, webhook_id, id, app.now());
    let delivery = repeated.await?.ok_or_else(|| {
        Error::Conflict("it is still being delivered; `nextAttemptAt` says when".to_owned())
    })?;
    let operation = "webhook_delivery_redeliver";
    audit::record_operation(&mut tx, app, admin, operation, Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(delivery)
}
