//! Errors below the protocol, and what they mean for a handshake, a listing or a call. The messages are ours: they hold
//! neither an address nor text of the server.

use std::time::Duration;

use domain::action::Risk;
use reqwest::StatusCode;
use rmcp::{
    service::{ClientInitializeError, ServiceError},
    transport::{DynamicTransportError, streamable_http_client::StreamableHttpError},
};

use crate::failure::{self, Failure, FailureKind as Kind};

/// One exchange that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TransportError {
    #[error("no connection")]
    NoConnection { in_time: bool },
    #[error("the connection broke")]
    Broken,
    #[error("no answer in time")]
    TooSlow,
    #[error("status {}", status.as_u16())]
    Status {
        status: StatusCode,
        after: Option<Duration>,
    },
    #[error("the session is gone")]
    SessionGone,
    #[error("the answer is too large")]
    TooLarge,
    #[error("{0}")]
    NotTheProtocol(&'static str),
}

/// An error of the library, as the gateway distinguishes them.
#[derive(Debug)]
pub(crate) enum RequestError {
    Transport(TransportError),
    /// The server answered with an error of the protocol.
    Refused {
        code: i32,
        message: String,
    },
    /// The library reports no answer and no reason.
    NoAnswer,
}

impl TransportError {
    pub(crate) fn of(error: &reqwest::Error) -> Self {
        match (error.is_connect(), error.is_timeout()) {
            (true, timeout) => Self::NoConnection { in_time: !timeout },
            (false, true) => Self::TooSlow,
            (false, false) => Self::Broken,
        }
    }

    /// As a failure of a call of this risk that was being sent. What only prepares a call is a read.
    pub(crate) fn failure(self, risk: Risk) -> Failure {
        let sent = |kind, after, message: &str| {
            Failure::new(kind, failure::verdict(kind, risk, after), message)
        };
        match self {
            // These were not sent, or the server did not take them.
            Self::NoConnection { in_time: true } => {
                Failure::later(Kind::Unreachable, "the server cannot be reached")
            }
            Self::NoConnection { in_time: false } => Failure::later(
                Kind::TimedOut,
                "the server did not accept the connection in time",
            ),
            Self::SessionGone => {
                Failure::later(Kind::MalformedReply, "the server ends its sessions at once")
            }
            Self::Broken => sent(
                Kind::Unreachable,
                None,
                "the connection broke before the answer arrived",
            ),
            Self::TooSlow => sent(Kind::TimedOut, None, "the server did not answer in time"),
            Self::TooLarge => sent(
                Kind::TooLarge,
                None,
                "the server sent a larger answer than the gateway reads",
            ),
            Self::NotTheProtocol(what) => sent(Kind::MalformedReply, None, what),
            Self::Status { status, after } => of_status(status, after, risk),
        }
    }
}

fn of_status(status: StatusCode, after: Option<Duration>, risk: Risk) -> Failure {
    let code = status.as_u16();
    let (kind, message) = match code {
        401 => (
            Kind::Unauthorized,
            "the server does not accept the credentials (401)".to_owned(),
        ),
        403 => (
            Kind::Forbidden,
            "the server denies these credentials permission (403)".to_owned(),
        ),
        429 => (
            Kind::RateLimited,
            "the server limits the rate of requests (429)".to_owned(),
        ),
        300..=399 => (
            Kind::Refused,
            format!("the server redirects, which the gateway does not follow ({code})"),
        ),
        500..=599 => (Kind::Upstream, format!("the server failed ({code})")),
        // The status says that the request was not taken: nothing was done, whatever its risk.
        404 | 405 => {
            let message = format!("there is no MCP server at this address ({code})");
            return Failure::never(Kind::MalformedReply, message);
        }
        _ => {
            let message = format!("the server rejected the request ({code})");
            return Failure::never(Kind::MalformedReply, message);
        }
    };
    Failure::new(kind, failure::verdict(kind, risk, after), message)
}

impl RequestError {
    pub(crate) fn of_request(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) => Self::Refused {
                code: error.code.0,
                message: error.message.into_owned(),
            },
            ServiceError::TransportSend(error) => Self::of_transport(&error),
            ServiceError::UnexpectedResponse => Self::Transport(TransportError::NotTheProtocol(
                "the server answered another request",
            )),
            _ => Self::NoAnswer,
        }
    }

    pub(crate) fn of_handshake(error: ClientInitializeError) -> Self {
        match error {
            ClientInitializeError::TransportError { error, .. } => Self::of_transport(&error),
            // The second attempt is the one that a server of any age understands.
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => {
                Self::of_handshake(*fallback)
            }
            ClientInitializeError::JsonRpcError(error) => Self::Refused {
                code: error.code.0,
                message: error.message.into_owned(),
            },
            ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::Cancelled => {
                Self::NoAnswer
            }
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
                Self::Transport(TransportError::NotTheProtocol(
                    "the server speaks no version of the protocol that we do",
                ))
            }
            _ => Self::Transport(TransportError::NotTheProtocol(
                "the server does not begin as the protocol says",
            )),
        }
    }

    fn of_transport(error: &DynamicTransportError) -> Self {
        match error
            .error
            .downcast_ref::<StreamableHttpError<TransportError>>()
        {
            Some(StreamableHttpError::Client(error)) => Self::Transport(*error),
            Some(StreamableHttpError::SessionExpired) => {
                Self::Transport(TransportError::SessionGone)
            }
            _ => Self::NoAnswer,
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::limits::{SOURCE_RATE_PAUSE, SOURCE_RETRY_PAUSE};

    use super::*;
    use crate::Retry;

    /// Everything that can happen below the protocol, for a read and for a write.
    #[test]
    fn every_error_has_its_kind_and_its_verdict() {
        use Retry::{Never, OutcomeUnknown};
        let later = Retry::Later(SOURCE_RETRY_PAUSE);
        let pause = Retry::Later(SOURCE_RATE_PAUSE);
        let status = |code: u16| TransportError::Status {
            status: StatusCode::from_u16(code).unwrap(),
            after: None,
        };
        #[rustfmt::skip]
        let table = [
            (TransportError::NoConnection { in_time: true }, Kind::Unreachable, later, later),
            (TransportError::NoConnection { in_time: false }, Kind::TimedOut, later, later),
            (TransportError::Broken, Kind::Unreachable, later, OutcomeUnknown),
            (TransportError::TooSlow, Kind::TimedOut, later, OutcomeUnknown),
            (TransportError::SessionGone, Kind::MalformedReply, later, later),
            (TransportError::TooLarge, Kind::TooLarge, Never, OutcomeUnknown),
            (TransportError::NotTheProtocol("x"), Kind::MalformedReply, Never, OutcomeUnknown),
            (status(302), Kind::Refused, Never, Never),
            (status(400), Kind::MalformedReply, Never, Never),
            (status(401), Kind::Unauthorized, Never, Never),
            (status(403), Kind::Forbidden, Never, Never),
            (status(404), Kind::MalformedReply, Never, Never),
            (status(429), Kind::RateLimited, pause, pause),
            (status(500), Kind::Upstream, later, OutcomeUnknown),
            (status(503), Kind::Upstream, later, OutcomeUnknown),
        ];
        for (error, kind, for_read, for_write) in table {
            for (risk, retry) in [
                (Risk::Read, for_read),
                (Risk::Write, for_write),
                (Risk::Danger, for_write),
            ] {
                let failure = error.failure(risk);
                assert_eq!(
                    (failure.kind, failure.retry),
                    (kind, retry),
                    "{error} {risk}"
                );
            }
        }
    }
}
