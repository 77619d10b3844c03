//! The pages that are not the dashboard's: the end of a login or of an authorization at a service, and the notice of a
//! build without the dashboard.
//!
//! INVARIANT: every text is the gateway's own; a page shows nothing from the request. No inline script or style: the
//! content security policy forbids them.

use axum::{
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
};

/// Returns a page with one message.
pub(super) fn message_page(status: StatusCode, title: &str, text: &str) -> Response {
    let page = include_str!("../assets/message.html");
    let page = page.replace("{title}", title).replace("{text}", text);
    (status, Html(page)).into_response()
}

/// Returns the page that says how to build the dashboard.
pub(super) fn not_built(status: StatusCode) -> Response {
    let page = Html(include_str!("../assets/not_built.html"));
    (status, page).into_response()
}

/// Returns the style sheet of these pages, if that is its name.
pub(super) fn style_sheet(name: &str) -> Option<Response> {
    let text = include_str!("../assets/style.css");
    let content_type = [(header::CONTENT_TYPE, "text/css; charset=utf-8")];
    (name == "style.css").then(|| (content_type, text).into_response())
}
