//! Tokens that a token endpoint issued, or why it issued none.

use std::time::Duration;

use domain::{clock::Timestamp, limits::TOKEN_RENEW_PAUSE};
use secrecy::SecretString;

/// The tokens that a code or a refresh token was exchanged for.
#[derive(Debug, Clone)]
pub struct IssuedTokens {
    pub access_token: SecretString,
    /// Absent: the tokens are not renewed, or the earlier refresh token is still valid.
    pub refresh_token: Option<SecretString>,
    /// Absent: the service does not say.
    pub expires_at: Option<Timestamp>,
    pub scopes: Vec<String>,
}

/// Why no tokens were issued. Holds nothing of the request, and of the reply only its error code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The code, refresh token or installation in the request is no longer valid.
    #[error("the code, refresh token or installation is no longer valid")]
    NoLongerValid,
    /// The service rejects the client or the request: the operator has to look at the settings.
    #[error("the service rejected the request with `{0}`")]
    Refused(String),
    /// The service did not answer, or sent a reply that cannot be read.
    #[error("the service is not available now")]
    Unavailable { after: Duration },
}

impl TokenError {
    /// To be repeated after the pause that the service asks for, or else after the pause between two renewals.
    pub(super) fn unavailable(after: Option<Duration>) -> Self {
        Self::Unavailable {
            after: after.unwrap_or(TOKEN_RENEW_PAUSE),
        }
    }
}
