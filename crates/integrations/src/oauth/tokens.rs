//! What a token endpoint gives, or why it gives nothing.

use std::time::Duration;

use domain::{clock::Timestamp, limits::TOKEN_RENEW_PAUSE};
use secrecy::SecretString;

/// The tokens that a code or a refresh token was exchanged for.
#[derive(Debug, Clone)]
pub struct Grant {
    pub access_token: SecretString,
    /// Absent: it is not renewed, or the one before it still counts.
    pub refresh_token: Option<SecretString>,
    /// Absent: it does not say.
    pub expires_at: Option<Timestamp>,
    pub scopes: Vec<String>,
}

/// Why there is no grant. Holds nothing of what was sent, and of the answer a word of ours to look up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    /// The code, refresh token or installation it was asked with is good no more.
    #[error("what it was asked with is good no more")]
    Dead,
    /// It does not take us for its client, or the request for one: a matter for the operator.
    #[error("it refused with `{0}`")]
    Refused(String),
    /// It did not answer, or not so that it can be read.
    #[error("it does not answer now")]
    Unavailable { after: Duration },
}

impl GrantError {
    /// After the pause that the service asks for, or else the one between two renewals.
    pub(super) fn unavailable(after: Option<Duration>) -> Self {
        Self::Unavailable {
            after: after.unwrap_or(TOKEN_RENEW_PAUSE),
        }
    }
}
