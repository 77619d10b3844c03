//! Logging in with a browser.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::secret_text::SecretText;

/// The ways to log in besides a token, a key or a one-time link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginOptions {
    /// Whether there is an identity provider.
    pub oidc: bool,
    /// The identity providers, at most 21, in the order in which the operator lists them.
    pub providers: Vec<LoginProvider>,
    /// Whether `POST /v1/login/mail` mails a link to a member's address.
    pub mail: bool,
    /// Whether this installation has no organization yet: the operator's setup link makes the first one.
    pub setup: bool,
}

/// An identity provider that users can log in with, by `/login/oidc?provider=NAME`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginProvider {
    pub name: String,
    /// For its button.
    pub label: String,
}

/// Where a browser goes after the end of its login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogoutResponse {
    /// Ends the session at the identity provider too, and comes back to the login page.
    pub end_session_url: String,
}

/// A logout token that was refused (OpenID Connect Back-Channel Logout 1.0, section 2.8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BackchannelLogoutError {
    /// `invalid_request`, or `temporarily_unavailable` for a token that may be sent again.
    pub error: String,
    pub error_description: String,
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
