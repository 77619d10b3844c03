//! The actions available to a session outside its sandbox.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::RiskLevel;

/// Connected services and their actions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvailableActions {
    pub integrations: Vec<AvailableIntegration>,
    /// Connected services that do not respond, and why.
    #[serde(default)]
    pub unavailable: Vec<UnavailableIntegration>,
}

/// A connected service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvailableIntegration {
    /// The connection; `null` for a connector.
    pub integration_id: Option<Uuid>,
    /// The name to call it by: an adapter's name, or `connector:` and an id.
    #[schema(example = "linear")]
    pub integration: String,
    pub display_name: String,
    pub actions: Vec<ActionView>,
}

/// A service that does not respond.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnavailableIntegration {
    pub integration: String,
    pub display_name: String,
    pub reason: String,
}

/// An action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionView {
    #[schema(example = "create_issue")]
    pub name: String,
    pub description: String,
    pub risk_level: RiskLevel,
    pub params: Vec<ActionParam>,
}

/// A parameter, flattened for reading; the whole schema decides what is accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionParam {
    #[schema(example = "teamId")]
    pub name: String,
    #[serde(rename = "type")]
    pub param_type: ActionParamType,
    pub required: bool,
    pub description: String,
}

/// The type of a parameter. Lists are objects here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ActionParamType {
    String,
    Number,
    Boolean,
    Object,
}

/// How to use a service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuideResponse {
    #[schema(example = "linear")]
    pub integration: String,
    /// Markdown.
    pub guide: String,
}
