//! Logging in with a browser.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::secret_text::SecretText;

/// The ways to log in besides a token, a key or a one-time link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginOptions {
    /// Whether `/login/oidc` leads to an identity provider.
    pub oidc: bool,
    /// Whether this installation has no organization yet: the operator's setup link makes the first one.
    pub setup: bool,
}

/// The credential of a browser login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LoginRequest {
    /// A user token, an API key, or the code of a one-time link.
    pub token: SecretText,
}
