//! The page a newcomer sees first, and its parts. No inline script or style: the content security
//! policy forbids them.

use axum::{
    http::header,
    response::{Html, IntoResponse},
};
use wire::problem::Code;

use super::Answer;
use crate::{error::Failure, extract::PathId};

/// A page that shows that the gateway works.
#[utoipa::path(get, path = "/", operation_id = "home", tag = "operations", security(()),
    responses((status = 200, description = "The page", content_type = "text/html")))]
pub(crate) async fn home() -> Html<&'static str> {
    Html(include_str!("../assets/home.html"))
}

/// A page that shows one session as it lives, to whoever has a token in this browser.
#[utoipa::path(get, path = "/session/{id}", operation_id = "session_page", tag = "operations", security(()),
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, description = "The page", content_type = "text/html")))]
pub(crate) async fn session_page() -> Html<&'static str> {
    Html(include_str!("../assets/session.html"))
}

/// A script or style sheet of our pages.
pub(crate) async fn asset(PathId(name): PathId<String>) -> Answer<impl IntoResponse> {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let (content_type, text) = match name.as_str() {
        "style.css" => (
            "text/css; charset=utf-8",
            include_str!("../assets/style.css"),
        ),
        "common.js" => (SCRIPT, include_str!("../assets/common.js")),
        "stream.js" => (SCRIPT, include_str!("../assets/stream.js")),
        "session.js" => (SCRIPT, include_str!("../assets/session.js")),
        "home.js" => (SCRIPT, include_str!("../assets/home.js")),
        "docs.js" => (SCRIPT, include_str!("../assets/docs.js")),
        _ => return Err(Failure::new(Code::NotFound, "there is no such file")),
    };
    Ok(([(header::CONTENT_TYPE, content_type)], text))
}
