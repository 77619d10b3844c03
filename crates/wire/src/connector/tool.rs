//! The tools of a connector: their risk, why, and whether their definitions have changed.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::action::{ActionParam, RiskLevel};

wire_enum! {
    /// Where a risk comes from.
    RiskSource = domain::action::RiskSource {
        ToolOverride = "tool_override",
        DestructiveHint = "destructive_hint",
        ReadOnlyHint = "read_only_hint",
        ConnectorDefault = "connector_default",
        Fallback = "fallback",
        DefinitionChanged = "definition_changed",
    }
}

/// How a tool's definition compares with the pinned one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConnectorToolState {
    /// None is pinned: the connector is not saved.
    New,
    Unchanged,
    /// The definition has changed: at least a write, until an admin accepts it.
    Changed,
}

/// A tool of a connector, as an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorToolView {
    /// The action's name.
    #[schema(example = "search")]
    pub name: String,
    /// The server's name for it; `overrides` of a risk policy use this name.
    pub tool: String,
    pub description: String,
    pub risk_level: RiskLevel,
    pub risk_source: RiskSource,
    pub params: Vec<ActionParam>,
    pub state: ConnectorToolState,
    /// The digest of the current definition.
    pub sha256: String,
    /// The digest of the pinned definition.
    pub pinned_sha256: Option<String>,
    pub first_seen_at: Option<DateTime<Utc>>,
    /// The admin who accepted the pinned definition, if it is not the first that was seen.
    pub reviewed_by: Option<String>,
    pub reviewed_at: Option<DateTime<Utc>>,
    /// The whole definition that `sha256` covers, where no admin has accepted one yet: to be reviewed first.
    #[serde(default)]
    pub definition: Option<Value>,
    /// Where it differs from the pinned definition: both, for comparison.
    #[serde(default)]
    pub changed: Option<ChangedDefinition>,
}

/// A tool's definition when it was accepted, and now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedDefinition {
    /// `null` if it was accepted before definitions were stored.
    pub accepted: Option<Value>,
    pub now: Value,
}

/// Accepts definitions of a connector's tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewConnectorRequest {
    #[schema(min_items = 1, max_items = 512)]
    pub tools: Vec<AcceptedTool>,
}

/// A definition that an admin has reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcceptedTool {
    /// The action's name.
    #[schema(example = "search")]
    pub name: String,
    /// `sha256` of the reviewed definition; refused if the tool's definition has changed since.
    #[schema(min_length = 64, max_length = 64)]
    pub sha256: String,
}
