//! The first message of a client: everything it needs to show the session as it is.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{LiveMessage, LiveStatus};
use crate::notice::ActionApprovalRequest;

/// The session as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Init {
    /// Oldest first.
    pub messages: Vec<LiveMessage>,
    pub status: LiveStatus,
    /// The last event that is in `messages`; what comes next has a higher one.
    pub seq: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub config: Option<LiveConfig>,
    /// What waits for somebody's decision.
    #[serde(default)]
    pub pending_approvals: Vec<ActionApprovalRequest>,
    /// What the agent asked people to fill in.
    #[serde(default)]
    pub env_requests: Vec<EnvRequest>,
    /// Who watches, this client among them; of very many, the first.
    #[serde(default)]
    pub clients: Vec<ConnectedClient>,
    /// How the sandbox came up, or how the session moved to it.
    #[serde(default)]
    pub timeline: Vec<BootStep>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveConfig {
    pub session_id: Uuid,
    pub org_id: String,
    /// This client, as `clients` and `presence` have it.
    pub connection_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub repo_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub user_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub preview_tunnel_url: Option<String>,
}

/// A form that waits to be filled in, by the call that asked for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnvRequest {
    pub tool_call_id: String,
    /// As the agent gave them: keys, descriptions, suggestions.
    #[schema(value_type = Object)]
    pub args: Value,
}

/// Somebody who watches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectedClient {
    pub connection_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub user_id: Option<String>,
}

/// One step of a boot, or of a move to a fresh sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BootStep {
    pub stage: BootStage,
    /// Milliseconds since 1970, when it began.
    pub started_at: i64,
    /// Absent while it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub duration_ms: Option<u64>,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
}

/// In their order. A move to a fresh sandbox has the first three too, a boot has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BootStage {
    Created,
    /// The agent ends its turn.
    Settle,
    /// Programs in the sandbox stop writing.
    Quiesce,
    Snapshot,
    Sandbox,
    Repo,
    Files,
    Agent,
    Stream,
    Ready,
}
