//! Why an action did not succeed, and whether trying again can help. The verdict is given here alone, from
//! what was found where the reply was read.
//!
//! INVARIANT: what may have changed something and has no clear end is [`Retry::OutcomeUnknown`]. Nobody may
//! take it for something that did not happen.

use std::time::Duration;

use domain::limits::{
    ERROR_MESSAGE_LENGTH_MAX, SOURCE_RATE_PAUSE, SOURCE_RETRY_AFTER_MAX, SOURCE_RETRY_PAUSE,
};

domain::text_enum! {
    /// What kind of failure; closed, so that callers can act on it.
    FailureKind {
        /// The credential is not accepted: somebody has to connect the integration again.
        Unauthorized = "unauthorized",
        /// The credential is good and not enough.
        Forbidden = "forbidden",
        /// What the call is about is not there, or not for this credential to see.
        NotFound = "not_found",
        /// The call is not one the service takes.
        Invalid = "invalid",
        /// Too many calls.
        RateLimited = "rate_limited",
        /// The service failed.
        Upstream = "upstream",
        /// The service could not be asked, or the connection to it broke.
        Unreachable = "unreachable",
        /// The service did not answer in time.
        TimedOut = "timed_out",
        /// What the service answered cannot be read.
        MalformedReply = "malformed_reply",
        /// The service answered with more than is taken.
        TooLarge = "too_large",
    }
}

/// Whether the same call may be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It would fail again.
    Never,
    /// Nothing was changed; it may succeed after this long.
    Later(Duration),
    /// It may have been done. Somebody has to look before it is tried again.
    OutcomeUnknown,
}

/// A failure that can be shown to people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub kind: FailureKind,
    pub retry: Retry,
    message: String,
}

impl Failure {
    pub fn new(kind: FailureKind, retry: Retry, message: &str) -> Self {
        let message = presentable(message);
        Self {
            kind,
            retry,
            message,
        }
    }

    /// The params are not ones that the action takes.
    pub(crate) fn invalid(message: &str) -> Self {
        Self::new(FailureKind::Invalid, Retry::Never, message)
    }

    /// Bounded, one line, without control characters and without the credential.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// What went wrong with a call that was sent, as far as its reply says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) kind: FailureKind,
    /// The service's own words.
    pub(crate) detail: Option<String>,
    /// How long it asks to wait.
    pub(crate) after: Option<Duration>,
    /// Whether the reply shows that something may have been done all the same.
    pub(crate) partly_done: bool,
}

impl From<FailureKind> for Trouble {
    fn from(kind: FailureKind) -> Self {
        Self {
            kind,
            detail: None,
            after: None,
            partly_done: false,
        }
    }
}

impl Trouble {
    pub(crate) fn with_detail(kind: FailureKind, detail: impl Into<String>) -> Self {
        Self {
            detail: Some(detail.into()),
            ..kind.into()
        }
    }

    /// `changes`: whether the call was one that changes something.
    pub(crate) fn into_failure(self, service: &str, changes: bool) -> Failure {
        let sentence = sentence(self.kind);
        let message = match self.detail.filter(|detail| !detail.trim().is_empty()) {
            Some(detail) => format!("{service} {sentence}: {detail}"),
            None => format!("{service} {sentence}"),
        };
        let unknown = changes && self.partly_done;
        let retry = match verdict(self.kind, changes, self.after) {
            _ if unknown => Retry::OutcomeUnknown,
            retry => retry,
        };
        Failure::new(self.kind, retry, &message)
    }
}

/// For a call that was sent.
fn verdict(kind: FailureKind, changes: bool, after: Option<Duration>) -> Retry {
    use FailureKind as Kind;
    let later = |pause: Duration| Retry::Later(after.unwrap_or(pause).min(SOURCE_RETRY_AFTER_MAX));
    let refused = match kind {
        Kind::Unauthorized | Kind::Forbidden | Kind::NotFound | Kind::Invalid => Some(Retry::Never),
        // Refused before anything was done: that is what a rate limit is.
        Kind::RateLimited => Some(later(SOURCE_RATE_PAUSE)),
        Kind::Upstream
        | Kind::Unreachable
        | Kind::TimedOut
        | Kind::MalformedReply
        | Kind::TooLarge => None,
    };
    match (refused, kind) {
        (Some(verdict), _) => verdict,
        (None, _) if changes => Retry::OutcomeUnknown,
        // The same question has the same answer.
        (None, Kind::MalformedReply | Kind::TooLarge) => Retry::Never,
        (None, _) => later(SOURCE_RETRY_PAUSE),
    }
}

fn sentence(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Unauthorized => "does not accept the credential",
        FailureKind::Forbidden => "does not allow it",
        FailureKind::NotFound => "does not have it",
        FailureKind::Invalid => "does not take the call",
        FailureKind::RateLimited => "was asked too often",
        FailureKind::Upstream => "failed",
        FailureKind::Unreachable => "could not be reached, or the connection broke",
        FailureKind::TimedOut => "did not answer in time",
        FailureKind::MalformedReply => "answered something that cannot be read",
        FailureKind::TooLarge => "answered with more than is taken",
    }
}

/// One line of bounded length, without characters that steer a terminal or turn text around.
fn presentable(text: &str) -> String {
    let steers = |letter: char| {
        letter.is_control()
            || matches!(letter,
                '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let plain: String = text
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .filter(|letter| !steers(*letter))
        .collect();
    if plain.chars().count() <= ERROR_MESSAGE_LENGTH_MAX {
        return plain;
    }
    let kept = plain.chars().take(ERROR_MESSAGE_LENGTH_MAX - 1);
    kept.chain(['…']).collect()
}

#[cfg(test)]
mod tests;
