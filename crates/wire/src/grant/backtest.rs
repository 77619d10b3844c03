//! What a grant would have allowed.

use chrono::{DateTime, Utc};
use domain::{action::Judgement, clock::Timestamp, id::InvocationId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Calls of the last 30 days, as if the grant had existed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BacktestResponse {
    /// Oldest first.
    pub calls: Vec<BacktestEntry>,
    /// How many would have run without an approval request.
    pub allowed: usize,
    /// Whether there were more calls than the limit.
    pub truncated: bool,
}

/// A past call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BacktestEntry {
    pub invocation_id: Uuid,
    pub at: DateTime<Utc>,
    pub integration: String,
    pub action: String,
    /// Whether it would have run without an approval request.
    pub allowed: bool,
    /// Why, or why not.
    pub reason: String,
}

impl BacktestEntry {
    pub fn new(
        id: InvocationId,
        at: Timestamp,
        (integration, action): (&str, &str),
        judgement: &Judgement,
    ) -> Self {
        Self {
            invocation_id: id.uuid(),
            at: at.datetime(),
            integration: integration.to_owned(),
            action: action.to_owned(),
            allowed: *judgement == Judgement::Allowed,
            reason: match judgement {
                Judgement::Allowed => "it would have been allowed".to_owned(),
                Judgement::NotNeeded => "reads need no grant".to_owned(),
                Judgement::Danger => "danger is denied whatever is granted".to_owned(),
                Judgement::NotCovered(verdict) => verdict.to_string(),
            },
        }
    }
}
