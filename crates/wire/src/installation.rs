//! The checks of an installation.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum InstallationCheckState {
    Ok,
    /// The gateway works; something that a later step needs does not.
    Warning,
    Failed,
}

/// One check of the installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallationCheckView {
    /// What was looked at, such as `database`. Several checks can be of one thing.
    pub name: String,
    pub state: InstallationCheckState,
    pub sentence: String,
    /// What to do; absent where there is nothing to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub remedy: Option<String>,
}

/// The checks of the installation, as the instance that answers sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstallationChecksResponse {
    /// Whether no check failed.
    pub ok: bool,
    pub checks: Vec<InstallationCheckView>,
}
