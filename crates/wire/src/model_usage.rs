//! A session's model usage, its budget, and an error in the format of an agent's own library.

use domain::model_usage::{Budget, Usage};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A session's model usage so far. Money is in millionths of a dollar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionUsageView {
    pub session_id: Uuid,
    pub total: ModelUsageView,
    pub models: Vec<ModelUsageOf>,
    /// What it may spend; `null` is no limit.
    #[schema(required, example = 5_000_000)]
    pub budget_micro_usd: Option<i64>,
    /// Whether an admin set the budget of this session; otherwise it is its configuration's, its organization's, or
    /// the operator's for every session.
    pub has_own_budget: bool,
    /// Whether the budget is used up: the session is paused, and its model refused, until it is
    /// raised.
    pub over_budget: bool,
}

/// The share of one model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelUsageOf {
    #[schema(example = "claude-opus-4.6")]
    pub model_id: String,
    #[serde(flatten)]
    pub usage: ModelUsageView,
}

/// The counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelUsageView {
    pub requests: i64,
    /// Those of them whose response was interrupted before it reported its usage, and that are estimated by
    /// their length.
    pub estimated_requests: i64,
    /// Neither read from the provider's cache nor written to it.
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub cache_read_tokens: i64,
    pub cache_write_tokens: i64,
    /// By the provider's price list.
    #[schema(example = 1_234_567)]
    pub cost_micro_usd: i64,
}

impl From<Usage> for ModelUsageView {
    fn from(usage: Usage) -> Self {
        Self {
            requests: usage.requests,
            estimated_requests: usage.estimated,
            input_tokens: usage.tokens.input,
            output_tokens: usage.tokens.output,
            cache_read_tokens: usage.tokens.cache_read,
            cache_write_tokens: usage.tokens.cache_write,
            cost_micro_usd: usage.cost_micro_usd,
        }
    }
}

/// A budget for one session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateSessionBudgetRequest {
    /// Millionths of a dollar; `null` is no limit. Required: no budget is a decision.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(
        required,
        minimum = 0,
        maximum = 1_000_000_000_000_i64,
        example = 5_000_000
    )]
    pub budget_micro_usd: Option<i64>,
}

impl UpdateSessionBudgetRequest {
    pub fn budget(&self) -> Budget {
        self.budget_micro_usd.into()
    }
}

/// What each session of the organization may spend on its models, where neither it nor its configuration has a budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationBudgetView {
    /// Millionths of a dollar, as an admin set it; `null` is the operator's setting.
    pub budget_micro_usd: Option<i64>,
    /// The effective budget; `null` is no limit.
    pub in_force_micro_usd: Option<i64>,
}

/// A budget for the sessions of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateOrganizationBudgetRequest {
    /// Millionths of a dollar; `null` is the operator's setting. Required: that is a decision, too.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(
        required,
        minimum = 0,
        maximum = 1_000_000_000_000_i64,
        example = 5_000_000
    )]
    pub budget_micro_usd: Option<i64>,
}

/// An error of the model's routes, in the envelope of Anthropic's API: the agent's library reads that one,
/// decides by `type` and status what to retry, and shows the `message`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ModelErrorView {
    /// Always `error`.
    #[schema(example = "error")]
    pub r#type: String,
    pub error: ModelErrorDetail,
    /// As in the header `x-request-id`; only where a retry may help. The agent takes a `500` anywhere in a body for
    /// that status, and an id contains one sooner or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

/// What failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ModelErrorDetail {
    #[schema(example = "overloaded_error")]
    pub r#type: String,
    pub message: String,
}

impl ModelErrorView {
    pub fn new(kind: &str, message: &str, request_id: Option<&str>) -> Self {
        Self {
            r#type: "error".to_owned(),
            error: ModelErrorDetail {
                r#type: kind.to_owned(),
                message: message.to_owned(),
            },
            request_id: request_id.map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_budget_is_said_and_not_left_out() {
        let read = serde_json::from_str::<UpdateSessionBudgetRequest>;
        assert_eq!(
            read(r#"{"budgetMicroUsd":5}"#).unwrap().budget(),
            Budget::MicroUsd(5)
        );
        assert_eq!(
            read(r#"{"budgetMicroUsd":null}"#).unwrap().budget(),
            Budget::Unlimited
        );
        for bad in [
            "{}",
            r#"{"budgetMicroUsd":1.5}"#,
            r#"{"budgetMicroUsd":"5"}"#,
            r#"{"budget":5}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
