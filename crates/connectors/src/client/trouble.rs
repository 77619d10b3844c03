//! What can go wrong below the protocol, and what that means for a handshake, a listing or a call. Texts
//! are ours: neither an address nor a server's words get into them.

use std::time::Duration;

use domain::action::Risk;
use reqwest::StatusCode;
use rmcp::{
    service::{ClientInitializeError, ServiceError},
    transport::{DynamicTransportError, streamable_http_client::StreamableHttpError},
};

use crate::failure::{Failure, FailureKind as Kind, Retry, after_sending};

/// One exchange that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Trouble {
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

/// What an error of the library is to us.
#[derive(Debug)]
pub(crate) enum Cause {
    Trouble(Trouble),
    /// The server answered with an error of its own.
    Said {
        code: i32,
        message: String,
    },
    /// The library gave up and does not say why.
    Lost,
}

impl Trouble {
    pub(crate) fn of(error: &reqwest::Error) -> Self {
        match (error.is_connect(), error.is_timeout()) {
            (true, timeout) => Self::NoConnection { in_time: !timeout },
            (false, true) => Self::TooSlow,
            (false, false) => Self::Broken,
        }
    }

    /// As a failure of a call of this risk that was being sent. What only prepares a call is a read.
    pub(crate) fn failure(self, risk: Risk) -> Failure {
        let later = Retry::Later { after: None };
        let unless_sent = |for_reads| after_sending(risk, for_reads);
        let (kind, message, retry) = match self {
            Self::NoConnection { in_time: true } => {
                (Kind::Unreachable, "the server cannot be reached", later)
            }
            Self::NoConnection { in_time: false } => (
                Kind::Timeout,
                "the server did not take the connection in time",
                later,
            ),
            Self::Broken => (
                Kind::Unreachable,
                "the connection broke before the answer was there",
                unless_sent(later),
            ),
            Self::TooSlow => (
                Kind::Timeout,
                "the server did not answer in time",
                unless_sent(later),
            ),
            // The server has said that it did not take the request.
            Self::SessionGone => (
                Kind::Protocol,
                "the server ends its sessions at once",
                later,
            ),
            Self::TooLarge => (
                Kind::TooLarge,
                "the server answered with more than it may",
                unless_sent(Retry::Never),
            ),
            Self::NotTheProtocol(what) => (Kind::Protocol, what, unless_sent(Retry::Never)),
            Self::Status { status, after } => return of_status(status, after, risk),
        };
        Failure::new(kind, message, retry)
    }
}

fn of_status(status: StatusCode, after: Option<Duration>, risk: Risk) -> Failure {
    let code = status.as_u16();
    match code {
        401 => Failure::never(Kind::Auth, "the server wants other credentials (401)"),
        403 => Failure::never(
            Kind::Auth,
            "the credentials are not enough for the server (403)",
        ),
        404 | 405 => {
            let message = format!("there is no tool server at this address ({code})");
            Failure::never(Kind::Protocol, message)
        }
        429 => Failure::new(
            Kind::RateLimited,
            "the server asks for a pause (429)",
            Retry::Later { after },
        ),
        300..=399 => {
            let message = format!("the server pointed elsewhere, which is not followed ({code})");
            Failure::never(Kind::Refused, message)
        }
        500..=599 => {
            let retry = after_sending(risk, Retry::Later { after });
            Failure::new(Kind::Server, format!("the server failed ({code})"), retry)
        }
        _ => Failure::never(
            Kind::Protocol,
            format!("the server did not take the request ({code})"),
        ),
    }
}

impl Cause {
    pub(crate) fn of_request(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) => Self::Said {
                code: error.code.0,
                message: error.message.into_owned(),
            },
            ServiceError::TransportSend(error) => Self::of_transport(&error),
            ServiceError::UnexpectedResponse => Self::Trouble(Trouble::NotTheProtocol(
                "the server answered something else than it was asked",
            )),
            _ => Self::Lost,
        }
    }

    pub(crate) fn of_handshake(error: ClientInitializeError) -> Self {
        match error {
            ClientInitializeError::TransportError { error, .. } => Self::of_transport(&error),
            // The second attempt is the one that a server of any age understands.
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => {
                Self::of_handshake(*fallback)
            }
            ClientInitializeError::JsonRpcError(error) => Self::Said {
                code: error.code.0,
                message: error.message.into_owned(),
            },
            ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::Cancelled => {
                Self::Lost
            }
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => Self::Trouble(
                Trouble::NotTheProtocol("the server speaks no version of the protocol that we do"),
            ),
            _ => Self::Trouble(Trouble::NotTheProtocol(
                "the server does not begin as the protocol says",
            )),
        }
    }

    fn of_transport(error: &DynamicTransportError) -> Self {
        match error.error.downcast_ref::<StreamableHttpError<Trouble>>() {
            Some(StreamableHttpError::Client(trouble)) => Self::Trouble(*trouble),
            Some(StreamableHttpError::SessionExpired) => Self::Trouble(Trouble::SessionGone),
            _ => Self::Lost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that can happen below the protocol, for a read and for a write.
    #[test]
    fn every_trouble_has_its_kind_and_its_verdict() {
        use Retry::{Never, OutcomeUnknown};
        let later = Retry::Later { after: None };
        let status = |code: u16| Trouble::Status {
            status: StatusCode::from_u16(code).unwrap(),
            after: None,
        };
        #[rustfmt::skip]
        let table = [
            (Trouble::NoConnection { in_time: true }, Kind::Unreachable, later, later),
            (Trouble::NoConnection { in_time: false }, Kind::Timeout, later, later),
            (Trouble::Broken, Kind::Unreachable, later, OutcomeUnknown),
            (Trouble::TooSlow, Kind::Timeout, later, OutcomeUnknown),
            (Trouble::SessionGone, Kind::Protocol, later, later),
            (Trouble::TooLarge, Kind::TooLarge, Never, OutcomeUnknown),
            (Trouble::NotTheProtocol("x"), Kind::Protocol, Never, OutcomeUnknown),
            (status(302), Kind::Refused, Never, Never),
            (status(400), Kind::Protocol, Never, Never),
            (status(401), Kind::Auth, Never, Never),
            (status(403), Kind::Auth, Never, Never),
            (status(404), Kind::Protocol, Never, Never),
            (status(429), Kind::RateLimited, later, later),
            (status(500), Kind::Server, later, OutcomeUnknown),
            (status(503), Kind::Server, later, OutcomeUnknown),
        ];
        for (trouble, kind, for_read, for_write) in table {
            for (risk, retry) in [
                (Risk::Read, for_read),
                (Risk::Write, for_write),
                (Risk::Danger, for_write),
            ] {
                let failure = trouble.failure(risk);
                assert_eq!(
                    (failure.kind, failure.retry),
                    (kind, retry),
                    "{trouble} {risk}"
                );
            }
        }
    }
}
