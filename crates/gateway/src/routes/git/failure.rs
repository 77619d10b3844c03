//! Failures for git: it prints a text, and would print a problem document as a status number.

use std::collections::BTreeMap;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use utoipa::openapi::{RefOr, Response as ResponseDoc, ResponseBuilder, content::ContentBuilder};
use wire::problem::Code;

use crate::error::Failure;

/// The failure as git shows it, after `remote:`.
pub(crate) fn render_for_git(failure: &Failure) -> Response {
    let status = StatusCode::from_u16(failure.code.status());
    let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, format!("{}\n", failure.problem.detail)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if status == StatusCode::UNAUTHORIZED {
        // Makes git ask its credential helper for a password.
        let challenge = HeaderValue::from_static("Basic realm=\"proliferate\"");
        headers.insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

const CODES: [Code; 14] = [
    Code::InvalidRequest,
    Code::Unauthenticated,
    Code::TokenExpired,
    Code::Forbidden,
    Code::NotFound,
    Code::Conflict,
    Code::PayloadTooLarge,
    Code::BodyTooSlow,
    Code::RateLimited,
    Code::Internal,
    Code::Overloaded,
    Code::DatabaseUnavailable,
    Code::UpstreamUnavailable,
    Code::RequestTimeout,
];

/// Of the git routes.
pub(crate) struct GitProblems;

impl utoipa::IntoResponses for GitProblems {
    fn responses() -> BTreeMap<String, RefOr<ResponseDoc>> {
        let mut by_status = BTreeMap::<String, Vec<&str>>::new();
        for code in CODES {
            let status = code.status().to_string();
            by_status.entry(status).or_default().push(code.as_str());
        }
        let answer = |codes: Vec<&str>| {
            ResponseBuilder::new()
                .description(format!("{}, as a sentence", codes.join(", ")))
                .content("text/plain", ContentBuilder::new().build())
        };
        by_status
            .into_iter()
            .map(|(status, codes)| (status, RefOr::T(answer(codes).build())))
            .collect()
    }
}
