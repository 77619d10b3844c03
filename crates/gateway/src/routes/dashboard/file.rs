//! One file of the dashboard as a response: its compressed copy, its caching, its entity tag.

use std::borrow::Cow;

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};

use crate::dashboard::{Dashboard, File};

/// How long a browser keeps a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Caching {
    /// Its name has a digest: its content never changes.
    Forever,
    /// It must be revalidated each time.
    Revalidate,
}

impl Caching {
    fn header(self) -> &'static str {
        match self {
            Self::Forever => "public, max-age=31536000, immutable",
            Self::Revalidate => "no-cache",
        }
    }
}

/// Returns a file, compressed if there is such a copy of it and the client accepts that; 304 if the client has it.
pub(super) fn file_response(
    dashboard: Dashboard,
    path: &str,
    caching: Caching,
    headers: &HeaderMap,
) -> Option<Response> {
    // Precompressed copies are not served under their own names.
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    if ENCODINGS.iter().any(|(_, copy)| extension == Some(copy)) {
        return None;
    }
    let file = dashboard.file(path)?;
    let mut accepted = ENCODINGS
        .iter()
        .filter(|(coding, _)| accepts(headers, coding));
    let compressed = accepted
        .find_map(|(coding, copy)| Some((*coding, dashboard.file(&format!("{path}.{copy}"))?)));
    let (coding, file) = compressed.map_or((None, file), |(coding, file)| (Some(coding), file));
    let tag = entity_tag(&file);
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
    let response_headers = response.headers_mut();
    response_headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static(caching.header()),
    );
    response_headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response_headers.insert(header::ETAG, HeaderValue::from_str(&tag).ok()?);
    if let Some(coding) = coding {
        response_headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    Some(response)
}

/// Names of encodings, best first, and the file suffix of a copy in it.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

fn accepts(headers: &HeaderMap, coding: &str) -> bool {
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

fn entity_tag(file: &File) -> String {
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
