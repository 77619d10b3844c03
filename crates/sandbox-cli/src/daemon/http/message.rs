//! Requests and responses of the daemon, and how documents and problems are written.

use std::convert::Infallible;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, combinators::UnsyncBoxBody};
use hyper::{
    Request, Response, StatusCode,
    body::Incoming,
    header::{self, HeaderValue},
};
use serde_json::Value;
use wire::problem::MEDIA_TYPE;

use crate::{daemon::refusal::Refusal, system};

/// A body of any kind.
pub(crate) type ResponseBody = UnsyncBoxBody<Bytes, Infallible>;

pub(crate) type DaemonRequest = Request<Incoming>;

/// A response, or why the request is refused.
pub(crate) type DaemonResult = Result<Response<ResponseBody>, Refusal>;

/// Writes a refusal as the problem document that the gateway writes, too.
pub(super) fn problem(refusal: &Refusal) -> Response<ResponseBody> {
    let problem = refusal.problem().with_request_id(system::unique());
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let text = serde_json::to_vec(&problem).unwrap_or_default();
    let mut response = with_body(text.into(), MEDIA_TYPE);
    *response.status_mut() = status;
    if status == StatusCode::UNAUTHORIZED {
        let scheme = HeaderValue::from_static("Bearer");
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, scheme);
    }
    response
}

pub(super) fn with_body(bytes: Bytes, media_type: &'static str) -> Response<ResponseBody> {
    let mut response = Response::new(Full::new(bytes).boxed_unsync());
    let media_type = HeaderValue::from_static(media_type);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    response
}

pub(super) fn document(document: &Value) -> Response<ResponseBody> {
    with_body(document.to_string().into(), "application/json")
}
