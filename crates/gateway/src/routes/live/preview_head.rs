//! Which parts of a preview's requests and responses are passed on: the URL, and headers.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

/// The permissions of a page from a sandbox: scripts in an opaque origin. Only the gateway's own pages
/// may frame it.
const POLICY: &str = "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads; frame-ancestors 'self'";

/// Hop-by-hop headers, and those by which a page would act for the whole origin.
const LEFT_OUT: [&str; 17] = [
    "connection",
    "keep-alive",
    "transfer-encoding",
    "trailer",
    "te",
    "set-cookie",
    "strict-transport-security",
    "clear-site-data",
    "service-worker-allowed",
    "content-security-policy",
    "content-security-policy-report-only",
    "x-frame-options",
    "alt-svc",
    "report-to",
    "nel",
    "origin-agent-cluster",
    "www-authenticate",
];

/// The path behind the preview's own, unmodified.
pub(super) fn target_path(uri: &Uri) -> String {
    // Behind `/proliferate`, the id, `preview` and the port, or `look` and the ticket.
    let rest = uri.path().splitn(6, '/').nth(5).unwrap_or_default();
    match uri.query() {
        Some(query) => format!("/{rest}?{query}"),
        None => format!("/{rest}"),
    }
}

/// The headers of the response that are passed on.
pub(super) fn response_headers(headers: &HeaderMap, base: &str, port: u16) -> HeaderMap {
    let is_kept = |name: &HeaderName| {
        !LEFT_OUT.contains(&name.as_str()) && !name.as_str().starts_with("access-control-")
    };
    let mut kept: HeaderMap = headers
        .iter()
        .filter(|(name, _)| is_kept(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if headers.contains_key(header::UPGRADE) {
        kept.insert(header::CONNECTION, HeaderValue::from_static("Upgrade"));
    }
    let location = kept.get(header::LOCATION).and_then(|to| to.to_str().ok());
    if let Some(to) = location.and_then(|to| rewritten_location(to, base, port)) {
        kept.insert(header::LOCATION, to);
    }
    kept.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    );
    kept.insert(
        header::X_FRAME_OPTIONS,
        HeaderValue::from_static("SAMEORIGIN"),
    );
    kept
}

/// The redirect of the server, rewritten if it points to the server itself.
fn rewritten_location(to: &str, base: &str, port: u16) -> Option<HeaderValue> {
    let own = [
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{port}"),
    ];
    let path = own.iter().find_map(|own| to.strip_prefix(own.as_str()));
    let path = path.unwrap_or(to);
    let is_own = path.starts_with('/') && !path.starts_with("//");
    is_own.then(|| HeaderValue::from_str(&format!("{base}{path}")).ok())?
}

/// Whether it is the URL of a preview with a ticket.
pub(crate) fn is_preview_look(path: &str) -> bool {
    let mut parts = path.split('/').skip(1);
    parts.next() == Some("proliferate") && parts.nth(1) == Some("look")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_sends_browsers_to_places_of_its_own() {
        let base = "/proliferate/s/preview/3000";
        for (to, expected) in [
            (
                "/login?next=/",
                Some("/proliferate/s/preview/3000/login?next=/"),
            ),
            (
                "http://localhost:3000/a",
                Some("/proliferate/s/preview/3000/a"),
            ),
            ("http://localhost:3001/a", None),
            ("//evil.example/", None),
            ("https://example.com/", None),
            ("next", None),
        ] {
            let moved = rewritten_location(to, base, 3000);
            let moved = moved.as_ref().and_then(|to| to.to_str().ok());
            assert_eq!(moved, expected, "{to}");
        }
    }

    #[test]
    fn a_page_does_not_speak_for_the_gateway() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("set-cookie", "session=x"),
            ("access-control-allow-origin", "*"),
            ("content-security-policy", "default-src *"),
            ("content-type", "text/html"),
        ] {
            headers.insert(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        let told = response_headers(&headers, "/p", 1);
        assert_eq!(told["content-security-policy"], POLICY);
        assert!(
            told.get("set-cookie").is_none() && told.len() == 3,
            "{told:?}"
        );
    }

    #[test]
    fn only_what_is_below_a_ticket_is_asked_without_an_origin() {
        for (path, expected) in [
            ("/proliferate/s/look/v1.x/", true),
            ("/proliferate/s/look/v1.x/api/items", true),
            ("/proliferate/s/preview/3000/look/", false),
            ("/proliferate/s/message", false),
            ("/v1/sessions/look/look", false),
            ("/look", false),
        ] {
            assert_eq!(is_preview_look(path), expected, "{path}");
        }
    }
}
