//! A tool call and its response (sections 4 to 6 of the contract).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::ArtifactRef;

/// A call of a tool. Its claims about the caller must agree with the credential; they grant nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolCallRequest {
    #[schema(example = "ocr.extract")]
    pub tool_name: String,
    #[schema(example = "ocr.extract")]
    pub operation: String,
    #[serde(default)]
    #[schema(example = "TOOL_DOCUMENT_INTAKE")]
    pub lane_id: Option<String>,
    #[serde(default)]
    pub actor: Option<ToolCallActor>,
    #[serde(default)]
    pub role_id: Option<String>,
    #[serde(default)]
    #[schema(example = "CASE-2026-014")]
    pub case_id: Option<String>,
    /// A run created in advance with `POST /v1/runs`; the gateway creates one otherwise.
    #[serde(default)]
    pub run_id: Option<String>,
    /// The running run of the agent or orchestrator that calls.
    #[serde(default)]
    pub parent_run_id: Option<String>,
    #[serde(default)]
    pub correlation_id: Option<String>,
    #[serde(default)]
    pub input_artifacts: Vec<InputArtifact>,
    #[serde(default)]
    pub parameters: Map<String, Value>,
    /// The scope of the call, by the keys the lane requires.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, String>)]
    pub scope: BTreeMap<String, String>,
    #[serde(default)]
    pub contract_version: Option<String>,
    /// The policy the caller expects to apply.
    #[serde(default)]
    pub expected_policy_versions: Option<ExpectedPolicyVersions>,
    /// Checked if given. `docs/concepts/mediation.md` defines what is hashed.
    #[serde(default)]
    pub request_hash_sha256: Option<String>,
}

/// The caller, as it identifies itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolCallActor {
    /// `agent`, `human` or `system`.
    pub actor_type: String,
    pub actor_id: String,
    #[serde(default)]
    pub agent_name: Option<String>,
}

/// A stored input. The whole `artifact_ref` of an upload or a call may be sent back; only id, kind and
/// hash are used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InputArtifact {
    pub artifact_id: String,
    pub artifact_kind: String,
    pub hash_sha256: String,
    #[serde(default)]
    pub case_id: Option<Value>,
    #[serde(default)]
    pub session_id: Option<Value>,
    #[serde(default)]
    pub scope: Option<Value>,
    #[serde(default)]
    pub storage_locator: Option<Value>,
    #[serde(default)]
    pub content_type: Option<Value>,
    #[serde(default)]
    pub byte_size: Option<Value>,
    #[serde(default)]
    pub created_at_utc: Option<Value>,
    #[serde(default)]
    pub hash_source: Option<Value>,
    #[serde(default)]
    pub lineage: Option<Value>,
    #[serde(default)]
    pub confidentiality: Option<Value>,
}

impl From<ArtifactRef> for InputArtifact {
    /// With the members that are used, and nothing else.
    fn from(artifact: ArtifactRef) -> Self {
        Self {
            artifact_id: artifact.artifact_id.to_string(),
            artifact_kind: artifact.artifact_kind,
            hash_sha256: artifact.hash_sha256,
            case_id: None,
            session_id: None,
            scope: None,
            storage_locator: None,
            content_type: None,
            byte_size: None,
            created_at_utc: None,
            hash_source: None,
            lineage: None,
            confidentiality: None,
        }
    }
}

/// Git blob ids of the policy's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectedPolicyVersions {
    pub lanes: String,
    pub roles: String,
}

/// The response to a call: also to one that is denied, fails, or is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ToolCallAnswer {
    pub outcome: ToolCallOutcome,
    /// Absent for a request that could not be parsed.
    pub tool_name: Option<String>,
    pub operation: Option<String>,
    /// The run of the call; `GET /v1/runs/{id}` returns its status.
    pub run_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub correlation_id: Option<String>,
    pub output_artifacts: Vec<ArtifactRef>,
    /// Absent while the call is under way.
    pub response_hash_sha256: Option<String>,
    /// The reason as a word, such as the rule that denied.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "operation_not_allowed")]
    pub outcome_reason: Option<String>,
    pub error: Option<ToolCallError>,
}

/// The status of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolCallOutcome {
    /// Accepted and under way.
    Allow,
    /// Not allowed; nothing was done.
    Deny,
    Success,
    Failure,
}

/// Why a call did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ToolCallError {
    /// `POLICY_DENIED`, `TOOL_TIMEOUT`, `TOOL_ERROR`, `INVALID_REQUEST` or `DEPENDENCY_DOWN`.
    #[schema(example = "POLICY_DENIED")]
    pub error_code: String,
    #[schema(max_length = 500, example = "lane prohibits requested tool")]
    pub message: String,
    pub retryable: bool,
}
