//! Failures of model requests, in the envelope of Anthropic's API. Every other route responds with a problem
//! document; here the reader is the agent's model library, which would show one as `undefined` and could not
//! decide whether to retry.

use std::{collections::BTreeMap, sync::Arc};

use app::models::ModelRefusal;
use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{
    capacity::CapacityExceeded,
    limits::{ERROR_MESSAGE_LENGTH_MAX, MODEL_REQUEST_BYTES_MAX},
};
use utoipa::openapi::{
    Ref, RefOr, Response as ResponseDoc, ResponseBuilder, content::ContentBuilder,
};
use wire::{model_usage::ModelErrorView, problem::Code};

use crate::{
    error::Failure,
    extract::{BodyError, too_slow_message},
};

/// Statuses with their names in the envelope. 529 is Anthropic's own.
const KINDS: [(u16, &str); 12] = [
    (400, "invalid_request_error"),
    (401, "authentication_error"),
    (402, "billing_error"),
    (403, "permission_error"),
    (404, "not_found_error"),
    (405, "invalid_request_error"),
    (408, "timeout_error"),
    (413, "request_too_large"),
    (429, "rate_limit_error"),
    (502, "api_error"),
    (504, "timeout_error"),
    (529, "overloaded_error"),
];
/// Seconds after which a request to an overloaded model is retried.
const RETRY_AFTER: u16 = 1;

/// An error to be sent.
#[derive(Debug, Clone)]
pub(crate) struct ModelFailure {
    status: u16,
    message: String,
    /// Of the provider, where the error is its own.
    headers: Box<HeaderMap>,
    body: Option<Bytes>,
    /// Context that is only logged.
    context: Option<Arc<str>>,
}

impl ModelFailure {
    fn new(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            headers: Box::default(),
            body: None,
            context: None,
        }
    }

    pub(super) fn unauthenticated(message: &str) -> Self {
        Self::new(401, message)
    }

    pub(super) fn too_large() -> Self {
        let most = MODEL_REQUEST_BYTES_MAX / 1024 / 1024;
        Self::new(
            413,
            format!("the body has more than {most} MiB, or more than its announced length"),
        )
    }

    /// Retryable after a moment.
    fn with_retry_after(mut self) -> Self {
        let after = HeaderValue::from(RETRY_AFTER);
        self.headers.insert(header::RETRY_AFTER, after);
        self
    }

    pub(crate) fn log(&self) {
        let status = self.status;
        if let Some(context) = &self.context {
            tracing::error!(status, %context, "request to the model failed");
        } else {
            let message = self.message.as_str();
            tracing::debug!(status, message, "request to the model refused");
        }
    }

    pub(crate) fn render(self, request_id: &str) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = self.body.unwrap_or_else(|| {
            let message: String = self
                .message
                .chars()
                .take(ERROR_MESSAGE_LENGTH_MAX)
                .collect();
            let request_id = may_pass(self.status).then_some(request_id);
            let view = ModelErrorView::new(kind(self.status), &message, request_id);
            serde_json::to_vec(&view).unwrap_or_default().into()
        });
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.extend(*self.headers);
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::CONTENT_TYPE, json);
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if self.status == 529 {
            let after = headers.entry(header::RETRY_AFTER);
            after.or_insert(HeaderValue::from(RETRY_AFTER));
        }
        response
    }
}

/// Whether the same request may succeed later.
fn may_pass(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500..)
}

fn kind(status: u16) -> &'static str {
    let known = KINDS.iter().find(|(known, _)| *known == status);
    match (known, status) {
        (Some((_, kind)), _) => kind,
        (None, 400..500) => "invalid_request_error",
        (None, _) => "api_error",
    }
}

impl From<ModelRefusal> for ModelFailure {
    fn from(refusal: ModelRefusal) -> Self {
        let message = refusal.to_string();
        match refusal {
            ModelRefusal::Invalid(_) => Self::new(400, message),
            ModelRefusal::BudgetReached | ModelRefusal::SpendLimitReached => {
                Self::new(402, message)
            }
            ModelRefusal::Unreachable => Self::new(529, message),
            ModelRefusal::Exceeded(exceeded) => exceeded.into(),
            ModelRefusal::NotConfigured(_) => Self::new(502, message),
            ModelRefusal::Upstream {
                status,
                headers,
                body,
            } => Self {
                headers,
                body,
                ..Self::new(status, message)
            },
            ModelRefusal::Failed(error) => error.into(),
        }
    }
}

impl From<app::Error> for ModelFailure {
    fn from(error: app::Error) -> Self {
        Failure::from(error).into()
    }
}

impl From<CapacityExceeded> for ModelFailure {
    fn from(exceeded: CapacityExceeded) -> Self {
        Failure::from(exceeded).into()
    }
}

impl From<BodyError> for ModelFailure {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLarge => Self::too_large(),
            BodyError::TooSlow => Self::new(408, too_slow_message()).with_retry_after(),
            BodyError::Broken => Self::new(400, "the body ended before it was complete"),
            BodyError::Exceeded(exceeded) => exceeded.into(),
        }
    }
}

/// Failures of the layers around every route.
impl From<Failure> for ModelFailure {
    fn from(failure: Failure) -> Self {
        let status = match failure.code {
            Code::Overloaded | Code::DatabaseUnavailable => 529,
            Code::RequestTimeout => 504,
            code => code.status(),
        };
        let written = Self {
            context: failure.context,
            ..Self::new(status, failure.problem.detail)
        };
        if failure.code == Code::RateLimited {
            written.with_retry_after()
        } else {
            written
        }
    }
}

impl IntoResponse for ModelFailure {
    fn into_response(self) -> Response {
        let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// For `responses(...)`: every error of these routes.
pub(crate) struct ModelProblems;

impl utoipa::IntoResponses for ModelProblems {
    fn responses() -> BTreeMap<String, RefOr<ResponseDoc>> {
        let statuses = KINDS
            .iter()
            .filter(|(status, _)| ![403, 405].contains(status));
        let statuses = statuses.chain(&[(500, "api_error")]);
        let response = |(status, kind): &(u16, &str)| {
            let schema = RefOr::Ref(Ref::from_schema_name("ModelErrorView"));
            let content = ContentBuilder::new().schema(Some(schema)).build();
            let response = ResponseBuilder::new()
                .description(*kind)
                .content("application/json", content);
            (status.to_string(), RefOr::T(response.build()))
        };
        statuses.map(response).collect()
    }
}
