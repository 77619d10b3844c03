//! Notifications about an action: messages of a session's stream, and the same content as the body of a
//! webhook. `app::notices` writes them; readers ignore unknown members.

use chrono::{DateTime, Utc};
use domain::{notice::ApprovalOutcome, organization_spend::SpendPeriod};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::action::{ActionStatus, RiskLevel};

wire_enum! {
    /// How an approval request ended.
    ApprovalResult = ApprovalOutcome {
        Approved = "approved",
        Denied = "denied",
        /// Without a decision.
        Expired = "expired",
    }
}

/// A message of a session's stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum NoticeMessage {
    ActionApprovalRequest(ActionApprovalRequest),
    ActionApprovalResult(ActionApprovalResult),
    ActionCompleted(ActionCompleted),
}

/// An approval is needed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionApprovalRequest {
    pub invocation_id: Uuid,
    pub integration: String,
    pub action: String,
    pub risk_level: RiskLevel,
    /// Without secrets, at most 10 KB.
    pub params: Value,
    /// Whether `params` is all of the call. An admin opens any other call before deciding it.
    #[serde(default)]
    #[schema(required)]
    pub params_complete: bool,
    /// The digest of the call as it would run. A decision about it sends it. Empty from an older gateway.
    #[serde(default)]
    #[schema(required)]
    pub call_sha256: String,
    /// Until when it can be decided.
    pub expires_at: DateTime<Utc>,
    /// Why it has to be approved once more, if it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returned_because: Vec<String>,
}

/// It was decided, or expired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionApprovalResult {
    pub invocation_id: Uuid,
    pub integration: String,
    pub action: String,
    pub risk_level: RiskLevel,
    pub status: ApprovalResult,
    /// The user who decided, in either way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_by: Option<String>,
    /// Their reason, or why the platform denied it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// It ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionCompleted {
    pub invocation_id: Uuid,
    pub integration: String,
    pub action: String,
    pub risk_level: RiskLevel,
    /// `completed` or `failed`.
    pub status: ActionStatus,
    /// Without secrets, at most 10 KB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// With a failure: whether its effect in the outside service is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome_unknown: Option<bool>,
}

/// The body of a webhook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WebhookBody {
    /// When it happened, not when it was sent.
    pub timestamp: DateTime<Utc>,
    #[serde(flatten)]
    pub content: WebhookContent,
}

/// The content of a webhook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
pub enum WebhookContent {
    ActionApprovalRequest(Placed<ActionApprovalRequest>),
    ActionApprovalResult(Placed<ActionApprovalResult>),
    ActionCompleted(Placed<ActionCompleted>),
    SpendNotice(SpendLimitNotice),
}

wire_enum! {
    /// What a spend limit is for.
    SpendLimitPeriod = SpendPeriod {
        Day = "day",
        Month = "month",
    }
}

/// A share of a spend limit of the organization was reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SpendLimitNotice {
    pub organization_id: String,
    pub period: SpendLimitPeriod,
    /// The first day of the period (UTC), as `YYYY-MM-DD`.
    pub begins: String,
    /// 80 or 100.
    pub percent: i64,
    pub spent_micro_usd: i64,
    pub limit_micro_usd: i64,
}

/// A notice with the ids that a session's stream implies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Placed<T> {
    pub organization_id: String,
    pub session_id: Uuid,
    /// The invocation's status when this was sent, which may be later.
    pub current_status: ActionStatus,
    #[serde(flatten)]
    pub notice: T,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request() -> ActionApprovalRequest {
        ActionApprovalRequest {
            invocation_id: Uuid::from_u128(1),
            integration: "linear".into(),
            action: "create_issue".into(),
            risk_level: RiskLevel::Write,
            params: json!({"title": "It is broken"}),
            params_complete: true,
            call_sha256: "0".repeat(64),
            expires_at: "2026-01-05T09:35:00Z".parse().unwrap(),
            returned_because: Vec::new(),
        }
    }

    #[test]
    fn messages_of_a_stream() {
        let result = ActionApprovalResult {
            invocation_id: Uuid::from_u128(1),
            integration: "linear".into(),
            action: "create_issue".into(),
            risk_level: RiskLevel::Write,
            status: ApprovalResult::Denied,
            approved_by: Some("user_1".into()),
            reason: Some("not now".into()),
        };
        let completed = ActionCompleted {
            invocation_id: Uuid::from_u128(1),
            integration: "linear".into(),
            action: "create_issue".into(),
            risk_level: RiskLevel::Write,
            status: ActionStatus::Failed,
            result: None,
            error: Some("it answered 500".into()),
            outcome_unknown: Some(true),
        };
        insta::assert_json_snapshot!([
            NoticeMessage::ActionApprovalRequest(request()),
            NoticeMessage::ActionApprovalResult(result),
            NoticeMessage::ActionCompleted(completed),
        ]);
    }

    #[test]
    fn the_body_of_a_webhook() {
        let body = WebhookBody {
            timestamp: "2026-01-05T09:30:00Z".parse().unwrap(),
            content: WebhookContent::ActionApprovalRequest(Placed {
                organization_id: "org_acme".into(),
                session_id: Uuid::from_u128(2),
                current_status: ActionStatus::Expired,
                notice: request(),
            }),
        };
        insta::assert_json_snapshot!(body);
        let text = serde_json::to_string(&body).unwrap();
        assert_eq!(serde_json::from_str::<WebhookBody>(&text).unwrap(), body);
    }
}
