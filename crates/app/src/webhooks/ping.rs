//! Sends a test message to a webhook: signed like all others, sent now and not retried.

use std::time::Duration;

use domain::{
    id::{DeliveryId, WebhookId},
    webhook::Attempt,
};
use serde_json::json;

use super::send::{Receiver, WebhookMessage};
use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
};

/// The result of a test delivery.
#[derive(Debug, Clone)]
pub struct PingResult {
    /// What the receiver found in `webhook-id`.
    pub id: DeliveryId,
    pub accepted: bool,
    pub response_status: Option<u16>,
    pub error: Option<String>,
    pub duration: Duration,
}

pub async fn test(app: &App, admin: &Admin, id: WebhookId) -> Result<PingResult> {
    let mut tx = app.db.write().await?;
    let found = store::webhook_fetch_sealed(&mut tx, admin.organization_id(), id).await?;
    let sealed = found.ok_or(Error::NotFound("webhook"))?;
    audit::record_operation(&mut tx, app, admin, "webhook_test", Some(id.uuid())).await?;
    tx.commit().await?;
    let now = app.now();
    let ping = DeliveryId::generate(now, &*app.entropy);
    let body = json!({
        "type": "ping",
        "timestamp": now.to_string(),
        "data": {"organizationId": admin.organization_id().as_str(), "webhookId": id.to_string()},
    });
    let began = app.clock.monotonic();
    let attempt = match Receiver::open(app, &sealed).await {
        Err(attempt) => attempt,
        Ok(receiver) => {
            let post = WebhookMessage {
                id: ping.uuid(),
                body: &body.to_string(),
            };
            receiver.send(&post, now).await
        }
    };
    let accepted = matches!(attempt, Attempt::Accepted { .. });
    let settled = attempt.settle(1, now);
    Ok(PingResult {
        id: ping,
        accepted,
        response_status: settled.response_status,
        error: settled.error,
        duration: app.clock.monotonic().saturating_sub(began),
    })
}
