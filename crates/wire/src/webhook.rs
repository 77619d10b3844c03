//! Webhooks: the endpoints that an organization has notifications about its actions sent to, and
//! the results of their deliveries.

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    clock::Timestamp,
    id::{DeliveryId, InvocationId},
    notice::NoticeKind,
    page::PageRequest,
    webhook::{Delivery, DeliveryStatus as DomainStatus, Webhook},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{page::page_request, patch::not_null, secret_text::SecretText};

wire_enum! {
    /// The events; the words are those of the session's stream.
    WebhookEvent = NoticeKind {
        ActionApprovalRequest = "action_approval_request",
        ActionApprovalResult = "action_approval_result",
        ActionCompleted = "action_completed",
        /// A share of a spend limit of the organization was reached.
        SpendNotice = "spend_notice",
    }
}

wire_enum! {
    /// The status of a delivery.
    DeliveryStatus = DomainStatus {
        /// It is to be sent.
        Requested = "requested",
        /// It failed and is retried.
        Retried = "retried",
        /// The receiver accepted it.
        Accepted = "accepted",
        /// It failed permanently.
        Failed = "failed",
    }
}

/// A webhook without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookView {
    pub id: Uuid,
    pub url: String,
    pub events: Vec<WebhookEvent>,
    pub enabled: bool,
    pub created_by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// When the receiver last accepted a delivery.
    pub last_success_at: Option<DateTime<Utc>>,
    /// Since when it has accepted no delivery; `null` while it does. The webhook stays enabled.
    pub failing_since: Option<DateTime<Utc>>,
    /// Failed attempts since the last success.
    pub failed_attempts: u64,
    /// The last error.
    pub last_error: Option<String>,
}

/// Adds a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateWebhookRequest {
    #[schema(max_length = 2000, example = "https://hooks.example.com/proliferate")]
    pub url: String,
    /// All of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<WebhookEvent>>,
}

/// A new webhook. The secret is shown here once and cannot be retrieved again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateWebhookResponse {
    pub webhook: WebhookView,
    /// The key that deliveries are signed with.
    pub secret: SecretText,
}

/// A webhook with a new secret. The previous one stays valid for another day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RotateWebhookSecretResponse {
    pub webhook: WebhookView,
    /// The key that deliveries are signed with from now on; shown here once.
    pub secret: SecretText,
}

/// The result of a test delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestWebhookResponse {
    /// The `webhook-id` that the receiver got.
    pub id: Uuid,
    pub accepted: bool,
    /// The status of the receiver's response, if there was one.
    pub response_status: Option<u16>,
    pub error: Option<String>,
    pub duration_ms: u64,
}

/// Changes a webhook.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateWebhookRequest {
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_length = 2000)]
    pub url: Option<String>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub events: Option<Vec<WebhookEvent>>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub enabled: Option<bool>,
}

/// The delivery of one event to a receiver, with all of its attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDeliveryView {
    pub id: Uuid,
    pub webhook_id: Uuid,
    pub event: WebhookEvent,
    /// `null` for a notice that is about no action.
    #[schema(required)]
    pub invocation_id: Option<Uuid>,
    pub status: DeliveryStatus,
    pub attempts: u32,
    /// The status of the receiver's last response, if there was one.
    pub response_status: Option<u16>,
    pub error: Option<String>,
    pub created_at: DateTime<Utc>,
    pub last_attempt_at: Option<DateTime<Utc>>,
    pub next_attempt_at: Option<DateTime<Utc>>,
}

/// Which page of the log of a webhook.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeliveryListQuery {
    /// Only deliveries with this status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<DeliveryStatus>,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many entries at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
}

impl DeliveryListQuery {
    pub fn page_request(&self) -> Result<PageRequest<DeliveryId>, Invalid> {
        page_request(self.cursor.as_deref(), self.limit)
    }
}

impl From<Webhook> for WebhookView {
    fn from(webhook: Webhook) -> Self {
        let health = webhook.health;
        Self {
            id: webhook.id.uuid(),
            url: webhook.url,
            events: webhook.events.into_iter().map(Into::into).collect(),
            enabled: webhook.enabled,
            created_by: webhook.created_by.map(|user| user.to_string()),
            created_at: webhook.created_at.datetime(),
            updated_at: webhook.updated_at.datetime(),
            last_success_at: health.last_success_at.map(Timestamp::datetime),
            failing_since: health.failing_since.map(Timestamp::datetime),
            failed_attempts: u64::try_from(health.failed_attempts).unwrap_or_default(),
            last_error: health.last_error,
        }
    }
}

impl From<Delivery> for WebhookDeliveryView {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.id.uuid(),
            webhook_id: delivery.webhook_id.uuid(),
            event: delivery.event.into(),
            invocation_id: delivery.invocation_id.map(InvocationId::uuid),
            status: delivery.status.into(),
            attempts: delivery.attempts,
            response_status: delivery.response_status,
            error: delivery.error,
            created_at: delivery.created_at.datetime(),
            last_attempt_at: delivery.last_attempt_at.map(Timestamp::datetime),
            next_attempt_at: delivery.next_attempt_at.map(Timestamp::datetime),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json, to_value};

    use super::*;

    #[test]
    fn a_secret_is_in_the_answer_and_not_in_debug() {
        let body = json!({
            "webhook": {
                "id": "0192f0c1-2345-7abc-8def-0123456789ab",
                "url": "https://hooks.example.com/x",
                "events": ["action_approval_request", "action_approval_result", "action_completed"],
                "enabled": true,
                "createdBy": "user_1",
                "createdAt": "2026-01-05T09:30:00Z",
                "updatedAt": "2026-01-05T09:30:00Z",
                "lastSuccessAt": null,
                "failingSince": "2026-01-05T09:31:00Z",
                "failedAttempts": 3,
                "lastError": "it answered 503",
            },
            "secret": "whsec_3f9a1c07ffff",
        });
        let response: CreateWebhookResponse = from_value(body.clone()).unwrap();
        assert_eq!(to_value(&response).unwrap(), body);
        let printed = format!("{response:?}");
        assert!(!printed.contains("3f9a1c07"), "{printed}");
    }

    #[test]
    fn a_request_refuses_what_it_does_not_know() {
        assert!(from_value::<CreateWebhookRequest>(json!({"url": "u"})).is_ok());
        assert!(from_value::<CreateWebhookRequest>(json!({"url": "u", "secret": "x"})).is_err());
        assert!(from_value::<CreateWebhookRequest>(json!({"url": "u", "events": ["x"]})).is_err());
        assert!(from_value::<UpdateWebhookRequest>(json!({"enabled": null})).is_err());
    }

    #[test]
    fn a_delivery_as_it_is_shown() {
        let delivery = WebhookDeliveryView {
            id: Uuid::from_u128(1),
            webhook_id: Uuid::from_u128(2),
            event: WebhookEvent::ActionApprovalRequest,
            invocation_id: Some(Uuid::from_u128(3)),
            status: DeliveryStatus::Retried,
            attempts: 2,
            response_status: Some(503),
            error: None,
            created_at: "2026-01-05T09:30:00Z".parse().unwrap(),
            last_attempt_at: Some("2026-01-05T09:30:02Z".parse().unwrap()),
            next_attempt_at: Some("2026-01-05T09:30:06Z".parse().unwrap()),
        };
        insta::assert_json_snapshot!(delivery);
    }
}
