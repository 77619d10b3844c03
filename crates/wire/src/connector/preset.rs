//! Beginnings of connectors.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ConnectorAuth;
use crate::action::RiskLevel;

/// The presets there are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorPresetList {
    pub presets: Vec<ConnectorPreset>,
}

/// What is known of a server in advance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorPreset {
    #[schema(example = "context7")]
    pub preset: String,
    #[schema(example = "Context7")]
    pub name: String,
    /// `null` where everybody runs their own.
    pub url: Option<String>,
    /// How a secret is sent, if the server wants one; its key is a proposal.
    pub auth: ConnectorAuth,
    /// What its tools do unless something else is known of them.
    pub default_risk: Option<RiskLevel>,
}
