//! The plain pages for a build without the dashboard, and their assets. No inline script or style: the content
//! security policy forbids them.

use axum::{
    extract::State,
    http::{HeaderMap, Uri, header},
    response::{Html, IntoResponse, Response},
};

use super::dashboard;
use crate::state::Gateway;

/// The dashboard; in a build without it, a page that shows that the gateway works.
#[utoipa::path(get, path = "/", operation_id = "home", tag = "operations", security(()),
    responses((status = 200, description = "The page", content_type = "text/html")))]
pub(crate) async fn home(State(gateway): State<Gateway>, headers: HeaderMap) -> Response {
    dashboard::index(&gateway, &headers)
        .unwrap_or_else(|| Html(include_str!("../assets/home.html")).into_response())
}

/// A session's page: the dashboard's, or a plain one that uses a token stored in the browser.
#[utoipa::path(get, path = "/session/{id}", operation_id = "session_page", tag = "operations", security(()),
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, description = "The page", content_type = "text/html"),
        (status = 307, description = "The page is the dashboard's: `/sessions/{id}`")))]
pub(crate) async fn session_page(State(gateway): State<Gateway>, uri: Uri) -> Response {
    dashboard::session(&gateway, &uri)
        .unwrap_or_else(|| Html(include_str!("../assets/session.html")).into_response())
}

/// A script or style sheet of the plain pages.
pub(super) fn asset(name: &str) -> Option<Response> {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let (content_type, text) = match name {
        "style.css" => (
            "text/css; charset=utf-8",
            include_str!("../assets/style.css"),
        ),
        "common.js" => (SCRIPT, include_str!("../assets/common.js")),
        "stream.js" => (SCRIPT, include_str!("../assets/stream.js")),
        "session.js" => (SCRIPT, include_str!("../assets/session.js")),
        "home.js" => (SCRIPT, include_str!("../assets/home.js")),
        "docs.js" => (SCRIPT, include_str!("../assets/docs.js")),
        _ => return None,
    };
    Some(([(header::CONTENT_TYPE, content_type)], text).into_response())
}
