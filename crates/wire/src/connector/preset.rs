//! Templates of connectors.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ConnectorAuth;
use crate::action::RiskLevel;

/// The available presets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorPresetList {
    pub presets: Vec<ConnectorPreset>,
}

/// The settings of a server that are known in advance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorPreset {
    #[schema(example = "context7")]
    pub preset: String,
    #[schema(example = "Context7")]
    pub name: String,
    /// `null` for servers that each organization hosts itself.
    pub url: Option<String>,
    /// How a secret is sent, if the server requires one; its key is a suggestion.
    pub auth: ConnectorAuth,
    /// The risk of its tools unless another setting applies.
    pub default_risk: Option<RiskLevel>,
}
