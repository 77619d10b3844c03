//! The class of a connector's failure: where an admin looks first.

use crate::FailureKind;

domain::text_enum! {
    /// The class of a failure, for the admin who sets the connector up.
    Diagnostic {
        Auth = "auth",
        Timeout = "timeout",
        Unreachable = "unreachable",
        Protocol = "protocol",
        Refused = "refused",
        Unknown = "unknown",
    }
}

impl FailureKind {
    pub const fn diagnostic(self) -> Diagnostic {
        match self {
            Self::Unauthorized | Self::Forbidden | Self::Secret => Diagnostic::Auth,
            Self::TimedOut => Diagnostic::Timeout,
            Self::Unreachable | Self::RateLimited | Self::Upstream => Diagnostic::Unreachable,
            Self::MalformedReply | Self::TooLarge | Self::Invalid | Self::NotFound => {
                Diagnostic::Protocol
            }
            Self::Refused => Diagnostic::Refused,
            Self::Tool | Self::NotCallable | Self::PermitMismatch => Diagnostic::Unknown,
        }
    }
}
