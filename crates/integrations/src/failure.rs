//! Why a call of an integration failed, and whether the same call may be made again: one type for built-in sources and
//! for connectors. The verdict is set where the reply is read, and nowhere else.
//!
//! INVARIANT: a call that may have changed something and has no complete reply is [`Retry::OutcomeUnknown`]. It must not
//! be taken for a call that had no effect.

use std::time::Duration;

use domain::{
    action::Risk,
    limits::{
        ERROR_MESSAGE_LENGTH_MAX, SOURCE_RATE_PAUSE, SOURCE_RETRY_AFTER_MAX, SOURCE_RETRY_PAUSE,
    },
};
use tools::egress::Refused;

use crate::output::ActionOutput;

domain::text_enum! {
    /// What kind of failure; closed, so that callers can act on it.
    FailureKind {
        /// The integration does not accept the credential: an admin has to connect it again.
        Unauthorized = "unauthorized",
        /// The credential is accepted and lacks a permission.
        Forbidden = "forbidden",
        /// What the call is about does not exist, or is not visible to this credential.
        NotFound = "not_found",
        /// The integration rejects the call.
        Invalid = "invalid",
        /// Too many calls.
        RateLimited = "rate_limited",
        /// The integration failed inside.
        Upstream = "upstream",
        /// There is no connection to the integration, or it broke.
        Unreachable = "unreachable",
        /// The integration did not answer in time.
        TimedOut = "timed_out",
        /// The reply cannot be read, or does not follow the protocol.
        MalformedReply = "malformed_reply",
        /// The reply exceeds its bound.
        TooLarge = "too_large",
        /// The egress guard refused the request, or the server redirected it.
        Refused = "refused",
        /// The connector's secret is missing or cannot be sent.
        Secret = "secret",
        /// The tool ran and reports an error.
        Tool = "tool",
        /// The gateway cannot make the call: a connector that is off, arguments that are too large.
        NotCallable = "not_callable",
        /// The permit is for another call: a defect of the gateway.
        PermitMismatch = "permit_mismatch",
    }
}

/// Whether the same call may be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It would fail again.
    Never,
    /// Nothing was changed; it may succeed after this long.
    Later(Duration),
    /// It may have had its effect. A user has to look before it is repeated.
    OutcomeUnknown,
}

impl Retry {
    /// The verdict on a call that was sent and has no complete reply. `for_reads` is the one for a call that changes
    /// nothing.
    pub(crate) const fn after_sending(risk: Risk, for_reads: Self) -> Self {
        match risk {
            Risk::Read => for_reads,
            Risk::Write | Risk::Danger => Self::OutcomeUnknown,
        }
    }

    /// After the pause that the integration asks for, or else a pause for this kind of failure.
    pub(crate) fn later(kind: FailureKind, after: Option<Duration>) -> Self {
        let pause = match kind {
            FailureKind::RateLimited => SOURCE_RATE_PAUSE,
            _ => SOURCE_RETRY_PAUSE,
        };
        Self::Later(after.unwrap_or(pause).min(SOURCE_RETRY_AFTER_MAX))
    }
}

/// A failure whose message is safe to show.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub kind: FailureKind,
    pub retry: Retry,
    message: String,
    /// What the integration returned with the failure, as data.
    pub output: Option<Box<ActionOutput>>,
}

impl Failure {
    pub fn new(kind: FailureKind, retry: Retry, message: impl AsRef<str>) -> Self {
        Self {
            kind,
            retry,
            message: presentable(message.as_ref()),
            output: None,
        }
    }

    pub(crate) fn never(kind: FailureKind, message: impl AsRef<str>) -> Self {
        Self::new(kind, Retry::Never, message)
    }

    /// Nothing was sent, or the integration did not take it.
    pub(crate) fn later(kind: FailureKind, message: impl AsRef<str>) -> Self {
        Self::new(kind, Retry::later(kind, None), message)
    }

    /// The params are not valid for the action.
    pub(crate) fn invalid(message: impl AsRef<str>) -> Self {
        Self::never(FailureKind::Invalid, message)
    }

    /// The egress guard refused the request. `what` names the peer and `hint` ends the sentence.
    pub(crate) fn refused(refused: Refused, what: &str, hint: &str) -> Self {
        let message = format!("{what} cannot be called: {refused}{hint}");
        match refused {
            Refused::Unresolved => Self::later(FailureKind::Unreachable, message),
            Refused::NoClient => Self::later(FailureKind::Refused, message),
            _ => Self::never(FailureKind::Refused, message),
        }
    }

    #[must_use]
    pub(crate) fn with_output(mut self, output: ActionOutput) -> Self {
        self.output = Some(Box::new(output));
        self
    }

    /// Bounded, one line, without control characters, addresses and the credential.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// How a call that was sent failed, as far as the reply of the service says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UpstreamFailure {
    pub(crate) kind: FailureKind,
    /// The service's own words.
    pub(crate) detail: Option<String>,
    /// How long it asks to wait.
    pub(crate) after: Option<Duration>,
    /// Whether the reply shows that part of the call had its effect all the same.
    pub(crate) partly_done: bool,
}

impl From<FailureKind> for UpstreamFailure {
    fn from(kind: FailureKind) -> Self {
        Self {
            kind,
            detail: None,
            after: None,
            partly_done: false,
        }
    }
}

impl UpstreamFailure {
    pub(crate) fn with_detail(kind: FailureKind, detail: impl Into<String>) -> Self {
        Self {
            detail: Some(detail.into()),
            ..kind.into()
        }
    }

    /// As the failure of a call of this risk.
    pub(crate) fn into_failure(self, service: &str, risk: Risk) -> Failure {
        let sentence = sentence(self.kind);
        let message = match self.detail.filter(|detail| !detail.trim().is_empty()) {
            Some(detail) => format!("{service} {sentence}: {detail}"),
            None => format!("{service} {sentence}"),
        };
        let verdict = verdict(self.kind, risk, self.after);
        let retry = if self.partly_done {
            Retry::after_sending(risk, verdict)
        } else {
            verdict
        };
        Failure::new(self.kind, retry, message)
    }
}

/// The verdict on a call that was sent, by its kind of failure alone.
pub(crate) fn verdict(kind: FailureKind, risk: Risk, after: Option<Duration>) -> Retry {
    match kind {
        FailureKind::Unauthorized
        | FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::Invalid
        | FailureKind::Refused
        | FailureKind::Secret
        | FailureKind::Tool
        | FailureKind::NotCallable
        | FailureKind::PermitMismatch => Retry::Never,
        // Refused before anything was done: that is what a rate limit is.
        FailureKind::RateLimited => Retry::later(kind, after),
        FailureKind::Upstream | FailureKind::Unreachable | FailureKind::TimedOut => {
            Retry::after_sending(risk, Retry::later(kind, after))
        }
        // The same request gets the same reply.
        FailureKind::MalformedReply | FailureKind::TooLarge => {
            Retry::after_sending(risk, Retry::Never)
        }
    }
}

fn sentence(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Unauthorized => "does not accept the credential",
        FailureKind::Forbidden => "denies permission",
        FailureKind::NotFound => "does not find it",
        FailureKind::Invalid => "rejected the call",
        FailureKind::RateLimited => "limits the rate of calls",
        FailureKind::Upstream => "failed",
        FailureKind::Unreachable => "could not be reached, or the connection broke",
        FailureKind::TimedOut => "did not answer in time",
        FailureKind::MalformedReply => "sent a reply that cannot be read",
        FailureKind::TooLarge => "sent a larger reply than the gateway reads",
        FailureKind::Refused | FailureKind::NotCallable => "cannot be called",
        FailureKind::Secret => "has no usable secret",
        FailureKind::Tool => "reports an error",
        FailureKind::PermitMismatch => "was not called: the permit is for another call",
    }
}

/// One line of bounded length, without characters that control a terminal or reverse text.
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
