//! The tools of a connector: how risky they are, why, and whether they read as they did.

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

/// How a tool's definition compares with the one that is pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConnectorToolState {
    /// None is pinned: the connector is not saved.
    New,
    Unchanged,
    /// It reads differently: a write at least, until an admin accepts it.
    Changed,
}

/// A tool of a connector, as an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorToolView {
    /// The action's name.
    #[schema(example = "search")]
    pub name: String,
    /// What the server calls it; `overrides` of a risk policy go by this.
    pub tool: String,
    pub description: String,
    pub risk_level: RiskLevel,
    pub risk_source: RiskSource,
    pub params: Vec<ActionParam>,
    pub state: ConnectorToolState,
    /// Of the definition as it is now.
    pub sha256: String,
    /// Of the definition that is pinned.
    pub pinned_sha256: Option<String>,
    pub first_seen_at: Option<DateTime<Utc>>,
    /// Who accepted the pinned definition, if it is not the first that was seen.
    pub reviewed_by: Option<String>,
    pub reviewed_at: Option<DateTime<Utc>>,
    /// All that `sha256` stands for, where no admin has accepted a definition yet: to be read before one is.
    #[serde(default)]
    pub definition: Option<Value>,
    /// Where it reads differently than the pinned one: both, to be compared.
    #[serde(default)]
    pub changed: Option<ChangedDefinition>,
}

/// How a tool read when it was accepted, and how it reads now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedDefinition {
    /// `null` if it was accepted before definitions were kept.
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

/// A definition that somebody has looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcceptedTool {
    /// The action's name.
    #[schema(example = "search")]
    pub name: String,
    /// `sha256` of what was looked at; refused if the tool reads differently by now.
    #[schema(min_length = 64, max_length = 64)]
    pub sha256: String,
}
