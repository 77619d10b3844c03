//! The dashboard in a browser: its one page at each of its own addresses, the files that page loads, and the reference of
//! the API, which is built with it. A build without the dashboard says so at all of these addresses.
//!
//! INVARIANT: these responses are the same for every caller and contain no user data; the app gets all of its data
//! from the API.

mod file;

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{Redirect, Response},
    routing::get,
};
use wire::problem::Code;

use self::file::{Caching, file_response};
use super::{Answer, message_page};
use crate::{
    dashboard::{INDEX, REFERENCE},
    error::Failure,
    extract::PathId,
    state::Gateway,
};

/// The first path segments of the app's own URLs; deeper paths belong to the app as well.
const ADDRESSES: [&str; 17] = [
    "sessions",
    "approvals",
    "grants",
    "connectors",
    "configurations",
    "secrets",
    "automations",
    "policy",
    "audit",
    "fleet",
    "organizations",
    "settings",
    "login",
    "shared",
    "invite",
    "device",
    "setup",
];

/// What the app's page may load. Styles may be written by scripts: the terminal makes style elements and attributes (of
/// colours that are not in its palette), the scroll lock of dialogs an element. `'self'` of connections includes
/// WebSockets of the same host.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; connect-src 'self'; worker-src 'self'; \
    manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

pub(crate) fn routes() -> Router<Gateway> {
    let mut router = Router::new().route("/assets/{*name}", get(asset));
    for address in ADDRESSES {
        router = router
            .route(&format!("/{address}"), get(page))
            .route(&format!("/{address}/{{*rest}}"), get(page));
    }
    router
}

/// The dashboard; in a build without it, a page that says how to build it.
#[utoipa::path(get, path = "/", operation_id = "home", tag = "operations", security(()),
    responses((status = 200, description = "The page", content_type = "text/html")))]
pub(crate) async fn home(State(gateway): State<Gateway>, headers: HeaderMap) -> Response {
    index(&gateway, &headers).unwrap_or_else(|| message_page::not_built(StatusCode::OK))
}

/// A session's page: redirects to its address in the dashboard.
#[utoipa::path(get, path = "/session/{id}", operation_id = "session_page", tag = "operations", security(()),
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 307, description = "The page is the dashboard's: `/sessions/{id}`")))]
pub(crate) async fn session_page(uri: Uri) -> Redirect {
    let address = uri.path_and_query().map_or("", |address| address.as_str());
    let rest = address.strip_prefix("/session/").unwrap_or_default();
    Redirect::temporary(&format!("/sessions/{rest}"))
}

/// The API's reference, as a page of the dashboard's build.
#[utoipa::path(get, path = "/docs", operation_id = "docs", tag = "operations", security(()),
    responses((status = 200, description = "The page", content_type = "text/html"),
        (status = 404, description = "This build has no dashboard", content_type = "text/html")))]
pub(crate) async fn reference(State(gateway): State<Gateway>, headers: HeaderMap) -> Response {
    let dashboard = gateway.options.dashboard;
    file_response(dashboard, REFERENCE, Caching::Revalidate, &headers)
        .unwrap_or_else(|| message_page::not_built(StatusCode::NOT_FOUND))
}

/// The app's page, or instructions for building it.
async fn page(State(gateway): State<Gateway>, headers: HeaderMap) -> Response {
    index(&gateway, &headers).unwrap_or_else(|| message_page::not_built(StatusCode::NOT_FOUND))
}

/// Returns the app's page, if this gateway has the app.
fn index(gateway: &Gateway, headers: &HeaderMap) -> Option<Response> {
    let dashboard = gateway.options.dashboard;
    let mut response = file_response(dashboard, INDEX, Caching::Revalidate, headers)?;
    let policy = HeaderValue::from_static(CONTENT_SECURITY_POLICY);
    let response_headers = response.headers_mut();
    response_headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    Some(response)
}

/// Returns a file beside the page, such as its icon.
pub(crate) fn file_beside_page(
    gateway: &Gateway,
    uri: &Uri,
    headers: &HeaderMap,
) -> Option<Response> {
    let name = uri.path().strip_prefix('/')?;
    let is_beside = !name.contains('/') && ![INDEX, REFERENCE].contains(&name);
    let dashboard = gateway.options.dashboard;
    is_beside.then(|| file_response(dashboard, name, Caching::Revalidate, headers))?
}

/// A script, style sheet or font of the app, by a name that has a digest in it; or the one style sheet of other pages.
async fn asset(
    State(gateway): State<Gateway>,
    PathId(name): PathId<String>,
    headers: HeaderMap,
) -> Answer<Response> {
    if let Some(style_sheet) = message_page::style_sheet(&name) {
        return Ok(style_sheet);
    }
    let (dashboard, path) = (gateway.options.dashboard, format!("assets/{name}"));
    file_response(dashboard, &path, Caching::Forever, &headers)
        .ok_or_else(|| Failure::new(Code::NotFound, "there is no such file"))
}
