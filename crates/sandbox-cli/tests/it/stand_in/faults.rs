//! What can go wrong with one request.

use std::future::Future;

use axum::{
    Json,
    body::Body,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use serde_json::json;

/// Done to one request.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// None: the request is served.
    Serve,
    /// The connection is closed; nothing was done.
    Drop,
    /// It is done, and the connection is closed instead of an answer.
    DoAndDrop,
    /// It is done, and the answer breaks off in its body.
    DoAndBreakOff,
    /// It is done, and no answer ever comes.
    DoAndHang,
    /// An answer of something on the way, which is no gateway.
    Status(u16),
    /// Too many requests; try again in so many seconds.
    Limited(u64),
    /// Another instance owns the session.
    Owner(String),
    /// Somewhere else, in the way of HTTP.
    Redirect(String),
    /// This body with this status.
    Body(u16, String),
}

impl Fault {
    pub(super) async fn inflict(self, served: impl Future<Output = Response>) -> Response {
        match self {
            Self::Serve => served.await,
            Self::Drop => drop_connection(),
            Self::DoAndDrop => {
                served.await;
                drop_connection()
            }
            Self::DoAndBreakOff => {
                served.await;
                let headers = [("content-length", "100")];
                (headers, Body::from("{\"invocation\":")).into_response()
            }
            Self::DoAndHang => {
                served.await;
                std::future::pending().await
            }
            Self::Status(status) => {
                let status = StatusCode::from_u16(status).unwrap();
                (status, "<html>no gateway here</html>").into_response()
            }
            Self::Limited(seconds) => {
                let headers = [("retry-after", seconds.to_string())];
                let answer = problem(429, "RATE_LIMITED", "Too many actions in a minute.");
                (headers, answer).into_response()
            }
            Self::Owner(url) => {
                let body = json!({"status": 409, "code": "WRONG_INSTANCE", "ownerUrl": url});
                (StatusCode::CONFLICT, Json(body)).into_response()
            }
            Self::Redirect(url) => {
                let headers = [("location", url)];
                (StatusCode::TEMPORARY_REDIRECT, headers).into_response()
            }
            Self::Body(status, text) => {
                let status = StatusCode::from_u16(status).unwrap();
                (status, text).into_response()
            }
        }
    }
}

/// Ends the task that serves the connection, without the words of a panic.
fn drop_connection() -> ! {
    std::panic::resume_unwind(Box::new("the connection is dropped on purpose"))
}

pub(super) fn problem(status: u16, code: &str, detail: &str) -> Response {
    let body = json!({"type": format!("/errors/{code}"), "title": "No", "status": status, "code": code,
        "detail": detail, "hint": "Look again.", "retryable": false});
    (StatusCode::from_u16(status).unwrap(), Json(body)).into_response()
}
