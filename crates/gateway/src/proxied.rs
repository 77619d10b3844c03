//! The routes that lead to a server in a sandbox.

use axum::http::Method;

/// The routes that the document leaves out, apart from the dashboard's files: the gateway forwards them to a server inside
/// a sandbox, with [any of these methods](PROXIED_METHODS) or `GET`. `GET` of the first and the third is documented.
pub const PROXIED_PATHS: [&str; 4] = [
    "/proliferate/{id}/preview/{port}/",
    "/proliferate/{id}/preview/{port}/{*path}",
    "/proliferate/{id}/look/{ticket}/",
    "/proliferate/{id}/look/{ticket}/{*path}",
];

/// The methods of [`PROXIED_PATHS`], except `GET`.
pub const PROXIED_METHODS: [Method; 5] = [
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
];

/// Returns the operation of a route that leads to a server in a sandbox. The document has only `GET` of these addresses.
pub(crate) fn proxied_operation(route: &str) -> Option<&'static str> {
    let [preview, below_preview, look, below_look] = PROXIED_PATHS;
    if [preview, below_preview].contains(&route) {
        Some("session_preview")
    } else if [look, below_look].contains(&route) {
        Some("session_preview_look")
    } else {
        None
    }
}
