//! The dashboard in a browser: its one page at each of its own addresses, and the files that page loads.
//!
//! INVARIANT: these responses are the same for every caller and contain no user data; the app gets all of its data
//! from the API.

use std::borrow::Cow;

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{Html, IntoResponse, Redirect, Response},
    routing::get,
};
use wire::problem::Code;

use super::{Answer, home};
use crate::{
    dashboard::{Dashboard, File, INDEX},
    error::Failure,
    extract::PathId,
    state::Gateway,
};

/// The first path segments of the app's own URLs; deeper paths belong to the app as well.
const ADDRESSES: [&str; 12] = [
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
    "settings",
    "login",
];

/// What the page may load. Styles may be written by scripts: the terminal makes style elements and attributes (of colours
/// that are not in its palette), the scroll lock of dialogs an element. `'self'` of connections includes WebSockets of the same host.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; connect-src 'self'; worker-src 'self'; \
    manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// For a file with a digest in its name: its content never changes.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// May be cached, and must be revalidated.
const ASK_AGAIN: &str = "no-cache";

pub(crate) fn routes() -> Router<Gateway> {
    let mut router = Router::new().route("/assets/{*name}", get(asset));
    for address in ADDRESSES {
        router = router
            .route(&format!("/{address}"), get(page))
            .route(&format!("/{address}/{{*rest}}"), get(page));
    }
    router
}

/// The app's page, or instructions for building it.
async fn page(State(gateway): State<Gateway>, headers: HeaderMap) -> Response {
    index(&gateway, &headers).unwrap_or_else(|| {
        let page = Html(include_str!("../assets/missing.html"));
        (StatusCode::NOT_FOUND, page).into_response()
    })
}

/// The app's page, if this gateway has the app.
pub(crate) fn index(gateway: &Gateway, headers: &HeaderMap) -> Option<Response> {
    let mut response = sent(gateway.options.dashboard, INDEX, ASK_AGAIN, headers)?;
    let policy = HeaderValue::from_static(POLICY);
    let named = response.headers_mut();
    named.insert(header::CONTENT_SECURITY_POLICY, policy);
    Some(response)
}

/// A session at its URL in the app, if this gateway has the app.
pub(crate) fn session(gateway: &Gateway, uri: &Uri) -> Option<Response> {
    let address = uri.path_and_query()?.as_str();
    let rest = address.strip_prefix("/session/")?;
    let redirect = || Redirect::temporary(&format!("/sessions/{rest}")).into_response();
    gateway.options.dashboard.is_built().then(redirect)
}

/// A file beside the page, such as its icon.
pub(crate) fn beside(gateway: &Gateway, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
    let name = uri.path().strip_prefix('/')?;
    let is_beside = !name.contains('/') && name != INDEX;
    let dashboard = gateway.options.dashboard;
    is_beside.then(|| sent(dashboard, name, ASK_AGAIN, headers))?
}

/// A script, style sheet or font: of the plain pages by its name, of the app by a name that has a digest in it.
async fn asset(
    State(gateway): State<Gateway>,
    PathId(name): PathId<String>,
    headers: HeaderMap,
) -> Answer<Response> {
    if let Some(asset) = home::asset(&name) {
        return Ok(asset);
    }
    let path = format!("assets/{name}");
    sent(gateway.options.dashboard, &path, FOREVER, &headers)
        .ok_or_else(|| Failure::new(Code::NotFound, "there is no such file"))
}

/// The file, compressed if there is such a copy of it and the client takes it; 304 if the client has it.
fn sent(
    dashboard: Dashboard,
    path: &str,
    caching: &'static str,
    headers: &HeaderMap,
) -> Option<Response> {
    // Precompressed copies are not served under their own names.
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    if ENCODINGS.iter().any(|(_, copy)| extension == Some(copy)) {
        return None;
    }
    let file = dashboard.file(path)?;
    let mut taken = ENCODINGS
        .iter()
        .filter(|(coding, _)| takes(headers, coding));
    let compressed = taken
        .find_map(|(coding, copy)| Some((*coding, dashboard.file(&format!("{path}.{copy}"))?)));
    let (coding, file) = compressed.map_or((None, file), |(coding, file)| (Some(coding), file));
    let tag = tag(&file);
    let known = headers.get(header::IF_NONE_MATCH);
    let known = known.and_then(|value| value.to_str().ok());
    let mut response = if known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag)) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let bytes = match file.bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        ([(header::CONTENT_TYPE, content_type(extension))], bytes).into_response()
    };
    let named = response.headers_mut();
    named.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    named.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    named.insert(header::ETAG, HeaderValue::from_str(&tag).ok()?);
    if let Some(coding) = coding {
        named.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    Some(response)
}

/// Names of encodings, best first, and the file suffix of a copy in it.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

fn takes(headers: &HeaderMap, coding: &str) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut accepted = accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    accepted.any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        let refused = ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains(&weight.trim());
        name.trim().eq_ignore_ascii_case(coding) && !refused
    })
}

fn tag(file: &File) -> String {
    use std::fmt::Write as _;
    let mut tag = String::from("\"");
    for byte in &file.sha256[..16] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag + "\""
}

/// For the files of an app build.
fn content_type(extension: Option<&str>) -> &'static str {
    match extension.unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
