//! Callbacks: the tools of a sandbox that run in the gateway. Names as in the agents' modules.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

/// A call of a tool.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolCallbackRequest {
    /// The model's id of the call; the same for every retry.
    #[schema(example = "toolu_01A09q90qw90lq917835lq9")]
    pub tool_call_id: String,
    /// The arguments of the tool.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub args: Map<String, Value>,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ToolCallbackResponse {
    pub success: bool,
    /// For the model.
    pub result: String,
    /// For users and programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub data: Option<Map<String, Value>>,
}

/// A call of a tool, with the session in the body.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InternalToolRequest {
    pub session_id: Uuid,
    /// The model's id of the call; the same for every retry.
    pub tool_call_id: String,
    /// The arguments of the tool.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
}

/// The result of a call with the session in the body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InternalToolResponse {
    #[schema(value_type = Object)]
    pub result: Map<String, Value>,
}

/// Why it failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InternalToolFailure {
    /// A word for programs.
    #[schema(example = "tool_error")]
    pub error: String,
    pub message: String,
}

/// The record of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolInvocationView {
    /// The run of the call.
    pub id: Uuid,
    pub tool_call_id: String,
    pub tool_name: String,
    /// Without what looks like a secret.
    #[schema(value_type = Object)]
    pub params: Value,
    #[schema(example = "completed")]
    pub status: ToolInvocationStatus,
    /// What the agent got, without what looks like a secret and truncated to 10 KB.
    pub result: Option<Value>,
    pub error: Option<String>,
    pub created_at: DateTime<Utc>,
    pub completed_at: Option<DateTime<Utc>>,
}

/// The status of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolInvocationStatus {
    Executing,
    Completed,
    Failed,
}
