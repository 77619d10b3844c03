//! The origin check for requests with a cookie. A browser adds cookies to the requests of any page, so that a
//! cookie alone does not prove where the request comes from: an unsafe request, and a WebSocket, must come from the
//! gateway's own pages.
//!
//! `SameSite=Strict` is the first defence; this is the second, for browsers and hosts where the first is not
//! enough.

use axum::http::{HeaderMap, Method, header};
use wire::problem::Code;

use super::own_url::{OwnUrl, parse_origin};
use crate::error::Failure;

/// A header that the gateway's own pages send, and that other pages cannot send without a CORS
/// preflight.
const CSRF: &str = "x-proliferate-csrf";

/// Refuses a request with a cookie that another page may have sent.
pub(crate) fn check(method: &Method, headers: &HeaderMap, own_url: &OwnUrl) -> Result<(), Failure> {
    if headers.contains_key(header::UPGRADE) {
        let named = headers.contains_key(header::ORIGIN);
        return if named && is_own_page(headers, own_url) {
            Ok(())
        } else {
            Err(refused(
                "a WebSocket with a cookie is opened by the gateway's own pages",
            ))
        };
    }
    if method.is_safe() {
        return Ok(());
    }
    if !is_own_page(headers, own_url) {
        return Err(refused(
            "a request with a cookie comes from the gateway's own pages",
        ));
    }
    if headers.get(CSRF).is_none_or(|value| value != "1") {
        return Err(refused(
            "a request with a cookie needs the header X-Proliferate-Csrf: 1",
        ));
    }
    Ok(())
}

/// Whether the request comes from the gateway's own page, or from a program that is not a browser.
///
/// The browser's `Sec-Fetch-*` headers decide first; without them, the origin must equal the requested host. DNS
/// rebinding does not help: the cookie belongs to another host.
pub(crate) fn is_own_page(headers: &HeaderMap, own_url: &OwnUrl) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let is_of_host = |host| {
        let url = parse_origin(origin);
        url.is_some_and(|url| url.authority().eq_ignore_ascii_case(host))
    };
    host.is_some_and(is_of_host) || own_url.has_origin(origin)
}

fn refused(detail: &str) -> Failure {
    Failure::new(Code::Forbidden, detail).with_hint(
        "Programs use a bearer token instead of a cookie; docs/concepts/login.md says more.",
    )
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    const OWN: &str = "https://gw.example";

    fn headers(given: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            let name = HeaderName::from_static(name);
            (name, HeaderValue::from_static(value))
        };
        given.iter().map(pair).collect()
    }

    #[test]
    fn only_our_own_pages_change_anything_with_a_cookie() {
        let csrf = ("x-proliferate-csrf", "1");
        let host = ("host", "10.0.0.7:7777");
        let table: [(&[(&'static str, &'static str)], bool); 12] = [
            (&[csrf], true),
            (&[], false),
            (&[("x-proliferate-csrf", "0")], false),
            (&[csrf, ("sec-fetch-site", "same-origin")], true),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[csrf, ("sec-fetch-site", "same-site")], false),
            (&[csrf, ("sec-fetch-site", "cross-site")], false),
            (&[csrf, host, ("origin", "http://10.0.0.7:7777")], true),
            (&[csrf, host, ("origin", "https://gw.example")], true),
            (&[csrf, host, ("origin", "https://evil.example")], false),
            (&[csrf, host, ("origin", "null")], false),
            (&[csrf, ("host", ""), ("origin", "null")], false),
        ];
        for (given, taken) in table {
            let (headers, own) = (headers(given), OwnUrl::parse(OWN));
            for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                let checked = check(&method, &headers, &own).is_ok();
                assert_eq!(checked, taken, "{method} {given:?}");
            }
            assert!(check(&Method::GET, &headers, &own).is_ok(), "{given:?}");
        }
    }

    #[test]
    fn a_socket_is_opened_by_our_own_pages_alone() {
        let upgrade = ("upgrade", "websocket");
        let host = ("host", "localhost:7777");
        let table: [(&[(&'static str, &'static str)], bool); 5] = [
            (&[upgrade, host], false),
            (&[upgrade, host, ("origin", "http://localhost:7777")], true),
            (&[upgrade, host, ("origin", "http://localhost:7778")], false),
            (&[upgrade, host, ("origin", "http://evil.example")], false),
            (
                &[
                    upgrade,
                    host,
                    ("origin", "http://localhost:7777"),
                    ("sec-fetch-site", "cross-site"),
                ],
                false,
            ),
        ];
        for (given, taken) in table {
            let own = OwnUrl::parse(OWN);
            let checked = check(&Method::GET, &headers(given), &own).is_ok();
            assert_eq!(checked, taken, "{given:?}");
        }
    }
}
