//! Errors in Anthropic's envelope.

use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::LABEL_HEADER;

/// An error in the API's format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    pub(super) status: u16,
    pub(super) message: String,
    pub(super) retry_after_ms: Option<u64>,
}

impl ApiError {
    pub(super) fn new(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            retry_after_ms: None,
        }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    /// One that a script requested.
    pub(super) fn asked_for(status: u16, retry_after_ms: Option<u64>) -> Self {
        let message = match status {
            529 => "Overloaded",
            429 => "This request would exceed the rate limit (scripted)",
            _ => "An error of the script",
        };
        Self {
            retry_after_ms,
            ..Self::new(status, message)
        }
    }
}

/// The type that goes with a status.
fn kind(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        504 => "timeout_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}

pub(super) fn envelope(status: u16, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind(status), "message": message}})
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = Json(envelope(self.status, &self.message));
        let mut response = (status, [(LABEL_HEADER, "1")], body).into_response();
        if let Some(ms) = self.retry_after_ms {
            let headers = response.headers_mut();
            headers.insert("retry-after", HeaderValue::from(ms.div_ceil(1000)));
            let exact = HeaderName::from_static("retry-after-ms");
            headers.insert(exact, HeaderValue::from(ms));
        }
        response
    }
}
