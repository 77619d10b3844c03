//! A URL of this gateway, taken apart: what cookies, redirects and the origin check need of it.

use reqwest::Url;

/// A URL of this gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnUrl {
    /// Scheme, host and port, as browsers name it in the `Origin` header.
    origin: Option<String>,
    /// The path without a trailing slash; empty at the root.
    pub(crate) path: String,
    pub(crate) is_secure: bool,
    /// Absent if it is the scheme's own.
    pub(crate) port: Option<u16>,
}

impl OwnUrl {
    /// An invalid URL, which no settings have, is the URL of no page.
    pub(crate) fn parse(text: &str) -> Self {
        match Url::parse(text) {
            Ok(url) => Self {
                origin: url
                    .origin()
                    .is_tuple()
                    .then(|| url.origin().ascii_serialization()),
                path: url.path().trim_end_matches('/').to_owned(),
                is_secure: url.scheme() == "https",
                port: url.port(),
            },
            Err(_) => Self {
                origin: None,
                path: String::new(),
                is_secure: false,
                port: None,
            },
        }
    }

    /// The address of a page of the dashboard, as it is given away.
    pub(crate) fn page(&self, path: &str) -> String {
        let origin = self.origin.as_deref().unwrap_or_default();
        format!("{origin}{}{path}", self.path)
    }

    /// Whether the `Origin` header of a page of this URL reads so.
    pub(super) fn has_origin(&self, given: &str) -> bool {
        let own = self.origin.as_deref();
        own.is_some_and(|own| own.eq_ignore_ascii_case(given))
    }
}

/// Parses an `Origin` header. `None` for one without a host, such as `null`, and for one with more than scheme, host and
/// port.
pub(super) fn parse_origin(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let is_origin = url
        .origin()
        .ascii_serialization()
        .eq_ignore_ascii_case(text);
    is_origin.then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_taken_apart() {
        let table = [
            (
                "http://127.0.0.1:7777",
                Some("http://127.0.0.1:7777"),
                "",
                false,
                Some(7777),
            ),
            (
                "https://gw.example/",
                Some("https://gw.example"),
                "",
                true,
                None,
            ),
            (
                "https://GW.example:443/p/",
                Some("https://gw.example"),
                "/p",
                true,
                None,
            ),
            (
                "http://[::1]:80/a/b",
                Some("http://[::1]"),
                "/a/b",
                false,
                None,
            ),
            ("not a URL", None, "", false, None),
        ];
        for (text, origin, path, is_secure, port) in table {
            let expected = OwnUrl {
                origin: origin.map(str::to_owned),
                path: path.to_owned(),
                is_secure,
                port,
            };
            assert_eq!(OwnUrl::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn an_origin_has_no_more_than_scheme_host_and_port() {
        for (text, authority) in [
            ("https://gw.example", Some("gw.example")),
            ("http://10.0.0.7:7777", Some("10.0.0.7:7777")),
            ("http://[::1]:4000", Some("[::1]:4000")),
            ("https://gw.example/path", None),
            ("https://user@gw.example", None),
            ("null", None),
            ("", None),
        ] {
            let parsed = parse_origin(text);
            assert_eq!(parsed.as_ref().map(Url::authority), authority, "{text}");
        }
    }
}
