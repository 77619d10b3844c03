//! The one mapping from failures to what a client reads.
//!
//! A failure is passed as a [`Failure`] in the response's extensions and is rendered by the
//! outermost layer, which knows the request's id. Client text and internal context are separate: the
//! context is logged there, once, and never sent.

use std::{sync::Arc, time::Duration};

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::capacity::CapacityExceeded;
use wire::problem::{Code, MEDIA_TYPE, Problem};

/// How long a client should wait before it retries a retryable request.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// A problem to be sent, with the context that is only logged.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) problem: Box<Problem>,
    pub(crate) code: Code,
    pub(crate) context: Option<Arc<str>>,
    /// How long to wait, where that is known.
    retry_after: Option<Duration>,
    /// Whether the refusal is in the audit log.
    pub(crate) is_recorded: bool,
}

impl Failure {
    pub(crate) fn new(code: Code, detail: impl AsRef<str>) -> Self {
        Self {
            problem: Box::new(Problem::new(code, detail.as_ref())),
            code,
            context: None,
            retry_after: None,
            is_recorded: false,
        }
    }

    /// Sets a hint that is more precise than the code's own.
    pub(crate) fn with_hint(mut self, hint: &str) -> Self {
        self.problem = Box::new(self.problem.with_hint(hint));
        self
    }

    /// Sets how long to wait.
    fn after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Names the instance that serves the session.
    fn of(mut self, owner_url: &str) -> Self {
        self.problem = Box::new(self.problem.with_owner_url(owner_url));
        self
    }

    fn with_context(mut self, error: &dyn std::error::Error) -> Self {
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            text.push_str(": ");
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        self.context = Some(text.into());
        self
    }

    /// Whether it concerns only the entity that was named, not the request or the gateway.
    pub(crate) fn is_about_one(&self) -> bool {
        matches!(self.code, Code::NotFound | Code::Conflict | Code::Expired)
    }

    /// The response for a client.
    pub(crate) fn render(self, request_id: &str) -> Response {
        let status =
            StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let problem = self.problem.with_request_id(request_id);
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if self.code.retryable() {
            let wait = self.retry_after.unwrap_or(RETRY_AFTER);
            // Rounded up, so that the wait is never too short.
            let seconds = wait.as_millis().div_ceil(1000).max(1);
            let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<domain::Invalid> for Failure {
    fn from(invalid: domain::Invalid) -> Self {
        app::Error::from(invalid).into()
    }
}

impl From<CapacityExceeded> for Failure {
    /// The caller's own share depends on how much it requests; the capacity of the whole instance
    /// does not.
    fn from(exceeded: CapacityExceeded) -> Self {
        metrics::counter!("proliferate_capacity_refusals_total", "capacity" => exceeded.what,
            "share" => exceeded.whose.as_str())
        .increment(1);
        let code = if exceeded.is_own_share() {
            Code::RateLimited
        } else {
            Code::Overloaded
        };
        Self::new(code, exceeded.to_string())
    }
}

impl From<app::Error> for Failure {
    fn from(error: app::Error) -> Self {
        let (error, is_recorded) = error.into_inner();
        Self {
            is_recorded,
            ..Self::of_error(&error)
        }
    }
}

impl Failure {
    /// The client's view of `error`; `is_recorded` is set by the caller.
    pub(crate) fn of_error(error: &app::Error) -> Self {
        use app::Error as E;
        let text = error.to_string();
        match error {
            E::Invalid(fields) => {
                let detail = match fields.as_slice() {
                    [one] => one.to_string(),
                    _ => text,
                };
                let mut problem = Problem::new(Code::InvalidRequest, &detail);
                for invalid in fields {
                    problem = problem.with_field(&invalid.field, &invalid.message);
                }
                Self {
                    problem: Box::new(problem),
                    ..Self::new(Code::InvalidRequest, "")
                }
            }
            E::Unauthenticated(_) => Self::new(Code::Unauthenticated, text),
            E::TokenExpired => Self::new(Code::TokenExpired, text),
            E::Forbidden(_) => Self::new(Code::Forbidden, text),
            E::OrganizationSuspended(_) => Self::new(Code::OrganizationSuspended, text),
            E::NotFound(_) => Self::new(Code::NotFound, text),
            E::Conflict(_) => Self::new(Code::Conflict, text),
            E::IdempotencyConflict => Self::new(Code::IdempotencyConflict, text),
            E::InvalidState(_) => Self::new(Code::InvalidState, text),
            E::LimitReached(_) => Self::new(Code::LimitReached, text),
            E::AdmissionDenied(_) => Self::new(Code::AdmissionDenied, text),
            E::Store(store::Error::Unavailable { .. }) => Self::new(
                Code::DatabaseUnavailable,
                "the database does not respond in time",
            )
            .with_context(error),
            E::Store(store::Error::MissingReference) => Self::new(
                Code::Conflict,
                "something this refers to was removed meanwhile",
            ),
            E::TooLarge { .. } => Self::new(Code::PayloadTooLarge, text),
            E::Incomplete => Self::new(Code::InvalidRequest, text),
            E::Altered(_) => Self::new(
                Code::ArtifactAltered,
                "the stored bytes of this artifact are missing or have changed",
            )
            .with_context(error),
            E::Storage(_) => Self::new(Code::StorageUnavailable, "stored bytes cannot be reached")
                .with_context(error),
            E::RateLimited { retry_after, .. } => {
                Self::new(Code::RateLimited, text).after(*retry_after)
            }
            E::Exceeded(exceeded) => (*exceeded).into(),
            E::Full { retry_after } => Self::new(Code::Overloaded, text).after(*retry_after),
            E::Gone(_) => Self::new(Code::Expired, text),
            E::Overloaded(_) | E::Draining | E::SessionInTransition | E::OwnerUnavailable => {
                Self::new(Code::Overloaded, text)
            }
            E::Elsewhere { url } => Self::new(Code::WrongInstance, text).of(url),
            E::Outside(_) => Self::new(Code::UpstreamUnavailable, text),
            E::Coordination(_) => Self::new(
                Code::CoordinationUnavailable,
                "the coordination service does not respond",
            )
            .with_context(error),
            E::Recorded(inner) => Self::of_error(inner),
            E::Store(_) | E::Sealed(_) | E::Internal(_) => {
                Self::new(Code::Internal, "the gateway had an internal error").with_context(error)
            }
        }
    }
}
