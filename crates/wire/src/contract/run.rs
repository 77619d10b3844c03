//! Runs in the terms of the contract.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{ToolCallAnswer, ToolCallError};

/// A run to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateRunRequest {
    /// `agent` or `orchestrator` opens a run that calls can belong to; `tool_gateway` creates the run of
    /// one call in advance.
    #[schema(example = "agent")]
    pub run_kind: String,
    /// For `tool_gateway` only.
    #[serde(default)]
    pub parent_run_id: Option<Uuid>,
    #[serde(default)]
    #[schema(example = "CASE-2026-014")]
    pub case_id: Option<String>,
    #[serde(default)]
    pub session_id: Option<Uuid>,
    #[serde(default)]
    pub correlation_id: Option<String>,
}

/// How a run that was opened ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndRunRequest {
    pub status: RunEndStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunEndStatus {
    Completed,
    Failed,
}

/// How long to wait for a run to end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WaitQuery {
    /// Seconds; the response is sent earlier if the run ends earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(minimum = 0, maximum = 25)]
    pub wait: Option<u64>,
}

/// A run record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunView {
    pub run_id: Uuid,
    #[schema(example = "tool_gateway")]
    pub run_kind: String,
    pub parent_run_id: Option<Uuid>,
    pub root_run_id: Uuid,
    /// `created`, `running`, `completed`, `failed`, `denied` or `cancelled`.
    #[schema(example = "completed")]
    pub status: String,
    pub case_id: Option<String>,
    pub session_id: Option<Uuid>,
    pub actor: RunActorView,
    pub contract_version: String,
    /// Absent for a run that never started.
    pub policy_versions: Option<PolicyVersionsView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub correlation_id: Option<String>,
    pub created_at_utc: DateTime<Utc>,
    pub started_at_utc: Option<DateTime<Utc>>,
    pub completed_at_utc: Option<DateTime<Utc>>,
    pub duration_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tool_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub operation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tool_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub outcome_reason: Option<String>,
    pub error: Option<ToolCallError>,
    pub inputs: RunArtifacts,
    pub outputs: RunArtifacts,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub request_hash_sha256: Option<String>,
    /// The response for the caller, for the run of a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub answer: Option<ToolCallAnswer>,
}

/// The actor of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunActorView {
    pub actor_type: String,
    pub actor_id: String,
    pub role_id: String,
    pub lane_id: Option<String>,
}

/// Git blob ids of the files of the policy it is pinned to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PolicyVersionsView {
    pub lanes: String,
    pub roles: String,
    pub tools: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunArtifacts {
    pub artifact_refs: Vec<RunArtifactRef>,
}

/// An artifact in a run record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunArtifactRef {
    pub artifact_id: String,
    pub artifact_kind: String,
    pub hash_sha256: String,
    pub storage_locator: String,
}
