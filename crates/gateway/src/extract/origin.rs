//! The `Origin` check. Browsers send the header; other programs do not, and are accepted.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};

use super::own_url::{OwnUrl, parse_origin};

/// Whether a request of this origin is accepted: none given, the gateway's own, or one that is allowed by name.
///
/// The host name a request was sent to proves nothing: DNS rebinding can point any name to this machine. It
/// counts only if it is an IP address, or a name that DNS cannot reassign.
pub(crate) fn is_allowed(headers: &HeaderMap, allowed: &[String], advertised_url: &str) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    let same = |other: &str| other.trim_end_matches('/').eq_ignore_ascii_case(origin);
    if allowed.iter().any(|allowed| same(allowed))
        || OwnUrl::parse(advertised_url).has_origin(origin)
    {
        return true;
    }
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let (Some(url), Some(host)) = (parse_origin(origin), host) else {
        return false;
    };
    ["http", "https"].contains(&url.scheme())
        && url.authority().eq_ignore_ascii_case(host)
        && url.host_str().is_some_and(is_fixed)
}

/// An IP address, or `localhost`.
fn is_fixed(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::is_allowed;

    #[test]
    fn a_page_of_another_origin_is_not_taken() {
        for (origin, host, taken) in [
            (None, None, true),
            (None, Some("anything"), true),
            (Some("https://app.example"), Some("gateway.example"), true),
            (
                Some("https://app.example:8443"),
                Some("gateway.example"),
                false,
            ),
            (Some("http://app.example"), Some("gateway.example"), false),
            (
                Some("https://gateway.example"),
                Some("gateway.example"),
                true,
            ),
            (Some("http://localhost:4000"), Some("localhost:4000"), true),
            (Some("http://127.0.0.1:4000"), Some("127.0.0.1:4000"), true),
            (Some("http://[::1]:4000"), Some("[::1]:4000"), true),
            (Some("http://localhost:4001"), Some("localhost:4000"), false),
            // A page whose host name points to this machine.
            (
                Some("http://evil.example:4000"),
                Some("evil.example:4000"),
                false,
            ),
            (Some("http://evil.example"), Some("localhost:4000"), false),
            (Some("null"), Some("localhost:4000"), false),
            (Some(""), Some("localhost:4000"), false),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in [(header::ORIGIN, origin), (header::HOST, host)] {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            let allowed = ["https://app.example".to_owned()];
            let url = "https://gateway.example/base";
            assert_eq!(
                is_allowed(&headers, &allowed, url),
                taken,
                "{origin:?} {host:?}"
            );
        }
    }
}
