//! Secrets in bulk: importing the text of a .env file, and checking which keys exist.

use domain::{Invalid, secret::SecretScope as DomainScope};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::scope::{SecretScope, or_organization};
use crate::secret_text::SecretText;

/// Stores every variable of a .env text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportSecretsRequest {
    /// The text: `KEY=value` lines, `export`, comments and quotes as usual. At most 512 KiB and 500
    /// variables. Never returned.
    pub text: SecretText,
    /// The whole organization if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<SecretScope>,
    /// What to do with a key that exists in the scope; `skip` if absent.
    #[serde(default)]
    pub on_existing: OnExisting,
}

impl ImportSecretsRequest {
    pub fn scope(&self) -> Result<DomainScope, Invalid> {
        or_organization(self.scope.clone())
    }
}

/// What an import does with an existing key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum OnExisting {
    /// Keeps the stored value.
    #[default]
    Skip,
    /// Replaces the stored value.
    Update,
}

/// The result of an import, by key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSecretsResponse {
    pub created: Vec<String>,
    pub updated: Vec<String>,
    /// Existing keys that were kept.
    pub skipped: Vec<String>,
}

/// Asks which keys exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckSecretsRequest {
    #[schema(max_items = 500, example = json!(["DATABASE_URL", "STRIPE_KEY"]))]
    pub keys: Vec<String>,
    /// The whole organization if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<SecretScope>,
}

impl CheckSecretsRequest {
    pub fn scope(&self) -> Result<DomainScope, Invalid> {
        or_organization(self.scope.clone())
    }
}

/// Whether one key exists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretCheck {
    pub key: String,
    pub exists: bool,
}
