//! The first message of a client: everything it needs to show the session as it is.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{LiveMessage, LiveStatus};
use crate::notice::ActionApprovalRequest;

/// The current state of the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Init {
    /// Oldest first.
    pub messages: Vec<LiveMessage>,
    pub status: LiveStatus,
    /// The last event that is in `messages`; further events have higher numbers.
    pub seq: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub config: Option<LiveConfig>,
    /// Approval requests that are pending.
    #[serde(default)]
    pub pending_approvals: Vec<ActionApprovalRequest>,
    /// Forms that the agent asked users to fill in.
    #[serde(default)]
    pub env_requests: Vec<EnvRequest>,
    /// Connected clients, this one included; of very many, the first.
    #[serde(default)]
    pub clients: Vec<ConnectedClient>,
    /// The steps of the sandbox's boot, or of the session's migration to it.
    #[serde(default)]
    pub timeline: Vec<BootStep>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveConfig {
    pub session_id: Uuid,
    pub org_id: String,
    /// This client's id in `clients` and `presence`.
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

/// A form to fill in, by the call that requested it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnvRequest {
    pub tool_call_id: String,
    /// The agent's arguments: keys, descriptions, suggestions.
    #[schema(value_type = Object)]
    pub args: Value,
}

/// A connected client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectedClient {
    pub connection_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub user_id: Option<String>,
}

/// One step of a boot, or of a migration to a fresh sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BootStep {
    pub stage: BootStage,
    /// Milliseconds since 1970, when it started.
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

/// In order. A migration to a fresh sandbox has the first three too, a boot does not.
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
