//! Webhooks: where an organization is told of what happens to actions, and whether it was heard.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{patch::not_null, secret_text::SecretText};

/// What can be told; the words are those of the session's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookEvent {
    ActionApprovalRequest,
    ActionApprovalResult,
    ActionCompleted,
}

/// How far a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// It is to be sent.
    Requested,
    /// The receiver took it.
    Accepted,
    /// It failed and is tried again.
    Retried,
    /// It failed for good.
    Failed,
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

/// A new webhook. The secret is shown here once and cannot be had again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateWebhookResponse {
    pub webhook: WebhookView,
    /// What deliveries are signed with.
    pub secret: SecretText,
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

/// One attempt after another to tell a receiver of one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDeliveryView {
    pub id: Uuid,
    pub webhook_id: Uuid,
    pub event: WebhookEvent,
    pub invocation_id: Uuid,
    pub status: DeliveryStatus,
    pub attempts: u32,
    /// What the receiver answered last, if it did.
    pub response_status: Option<u16>,
    pub error: Option<String>,
    pub created_at: DateTime<Utc>,
    pub last_attempt_at: Option<DateTime<Utc>>,
    pub next_attempt_at: Option<DateTime<Utc>>,
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
            invocation_id: Uuid::from_u128(3),
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
