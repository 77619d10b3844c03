//! Setting up an installation that has no organization.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::secret_text::SecretText;

/// A setup link that is looked at before it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InspectSetupRequest {
    /// The code of the link.
    pub code: SecretText,
}

/// Whether a setup link can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetupLinkView {
    pub valid: bool,
    /// Until when; of a valid one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expires_at: Option<DateTime<Utc>>,
    /// Why it cannot be used, and what to do; of one that is not valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason: Option<String>,
}

/// The first organization of an installation, and its owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetupRequest {
    /// The code of the link.
    pub code: SecretText,
    #[schema(min_length = 1, max_length = 100)]
    pub organization_name: String,
    #[schema(min_length = 1, max_length = 100)]
    pub owner_name: String,
    /// The mail address of the owner.
    #[schema(min_length = 1, max_length = 254)]
    pub owner_email: String,
}
