//! Why a connector could not be used: a closed kind, a sentence of ours that may be shown to anybody, and
//! whether trying again makes sense. The verdict is made here, where the reply is understood.

use std::time::Duration;

use domain::action::Risk;
use tools::egress::Refused;

use crate::content::Content;

domain::text_enum! {
    /// What went wrong.
    FailureKind {
        /// The server wants other credentials, or any.
        Auth = "auth",
        /// It did not answer in time.
        Timeout = "timeout",
        /// It cannot be reached, or the connection broke.
        Unreachable = "unreachable",
        /// What it says is not the protocol.
        Protocol = "protocol",
        /// The egress guard does not let the request out.
        Refused = "refused",
        /// The connector's secret is not there or cannot be sent.
        Secret = "secret",
        /// It asked for a pause.
        RateLimited = "rate_limited",
        /// It failed inside.
        Server = "server",
        /// It answered with more than we take.
        TooLarge = "too_large",
        /// It did the call and says that it failed.
        Tool = "tool",
        /// It does not take the call.
        Rejected = "rejected",
        /// The tool reads differently than when it was judged.
        DefinitionChanged = "tool_definition_changed",
        /// The call cannot be made: no such action, a connector that is off, a permit for something else.
        NotCallable = "not_callable",
    }
}

domain::text_enum! {
    /// What to look at first, for who sets a connector up.
    Diagnostic {
        Auth = "auth",
        Timeout = "timeout",
        Unreachable = "unreachable",
        Protocol = "protocol",
        Refused = "refused",
        Unknown = "unknown",
    }
}

/// Whether trying again makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It would end the same way.
    Never,
    /// Nothing was done; perhaps after this long, if the server said so.
    Later { after: Option<Duration> },
    /// The call may have had its effect. Only a person can say whether to try again.
    OutcomeUnknown,
}

/// A failure.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub kind: FailureKind,
    /// A sentence of ours, without addresses, secrets or a server's words.
    pub message: String,
    pub retry: Retry,
    /// What the server said, as data.
    pub content: Option<Box<Content>>,
}

impl FailureKind {
    pub const fn diagnostic(self) -> Diagnostic {
        match self {
            Self::Auth | Self::Secret => Diagnostic::Auth,
            Self::Timeout => Diagnostic::Timeout,
            Self::Unreachable | Self::RateLimited | Self::Server => Diagnostic::Unreachable,
            Self::Protocol | Self::TooLarge | Self::Rejected => Diagnostic::Protocol,
            Self::Refused => Diagnostic::Refused,
            Self::Tool | Self::DefinitionChanged | Self::NotCallable => Diagnostic::Unknown,
        }
    }
}

impl Failure {
    pub(crate) fn never(kind: FailureKind, message: impl Into<String>) -> Self {
        Self::new(kind, message, Retry::Never)
    }

    pub(crate) fn later(kind: FailureKind, message: impl Into<String>) -> Self {
        Self::new(kind, message, Retry::Later { after: None })
    }

    pub(crate) fn new(kind: FailureKind, message: impl Into<String>, retry: Retry) -> Self {
        Self {
            kind,
            message: message.into(),
            retry,
            content: None,
        }
    }

    pub(crate) fn refused(refused: Refused) -> Self {
        let message = format!("the connector's server cannot be asked: {refused}");
        match refused {
            Refused::Unresolved => Self::later(FailureKind::Unreachable, message),
            Refused::NoClient => Self::later(FailureKind::Refused, message),
            _ => Self::never(FailureKind::Refused, message),
        }
    }

    #[must_use]
    pub(crate) fn with_content(mut self, content: Content) -> Self {
        self.content = Some(Box::new(content));
        self
    }
}

/// The verdict on a call that was sent and has no whole answer.
pub(crate) fn after_sending(risk: Risk, for_reads: Retry) -> Retry {
    match risk {
        Risk::Read => for_reads,
        Risk::Write | Risk::Danger => Retry::OutcomeUnknown,
    }
}
