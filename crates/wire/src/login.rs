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
    /// Whether `POST /v1/login/mail` mails a link to a member's address.
    pub mail: bool,
}

/// Requests a sign-in link by mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LoginMailRequest {
    #[schema(max_length = 254, example = "ada@acme.example")]
    pub email: String,
}

/// The credential of a browser login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LoginRequest {
    /// A user token, an API key, or the code of a one-time link.
    pub token: SecretText,
}
