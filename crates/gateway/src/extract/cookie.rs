//! Cookies: small values that a browser stores for the gateway, and sends back.

use axum::http::{HeaderMap, HeaderValue, header};
use domain::{clock::Timestamp, limits::BEARER_TOKEN_BYTES_MAX};

use super::own_url::OwnUrl;

/// The login cookie, with the name it has at one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LoginCookie {
    name: String,
    attributes: String,
}

impl LoginCookie {
    /// `Strict`: the app sends requests from its own pages, and a request from another page never carries it. Where
    /// possible, the name restricts the cookie to this host; without TLS it contains the port, which cookies otherwise
    /// do not distinguish.
    pub(crate) fn at(url: &OwnUrl) -> Self {
        let OwnUrl { path, .. } = url;
        let name = match (url.is_secure, path.as_str(), url.port) {
            (true, "", _) => "__Host-proliferate_login".to_owned(),
            (true, ..) => "__Secure-proliferate_login".to_owned(),
            (false, _, Some(port)) => format!("proliferate_login_{port}"),
            (false, _, None) => "proliferate_login".to_owned(),
        };
        let secure = if url.is_secure { "; Secure" } else { "" };
        Self {
            name,
            attributes: format!("; HttpOnly; SameSite=Strict; Path={path}/{secure}"),
        }
    }

    /// The value the browser sent, if it may be a login.
    pub(crate) fn find<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        find(headers, &self.name)
    }

    /// Sets the cookie, no longer than the login lasts.
    pub(crate) fn set(&self, value: &str, now: Timestamp, end: Timestamp) -> Option<HeaderValue> {
        let seconds = end.since(now).as_secs();
        let Self { name, attributes } = self;
        sensitive(&format!("{name}={value}; Max-Age={seconds}{attributes}"))
    }

    /// Deletes the cookie.
    pub(crate) fn clear(&self) -> Option<HeaderValue> {
        let Self { name, attributes } = self;
        sensitive(&format!("{name}=; Max-Age=0{attributes}"))
    }
}

/// The value of the cookie of this name, if it is not longer than the gateway's own.
pub(crate) fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let given = headers.get_all(header::COOKIE).iter();
    let pairs = given.filter_map(|value| value.to_str().ok());
    pairs
        .flat_map(|pairs| pairs.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(given, value)| *given == name && value.len() <= BEARER_TOKEN_BYTES_MAX)
        .map(|(_, value)| value)
        .filter(|value| !value.is_empty())
}

pub(crate) fn sensitive(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_for_one_address() {
        let table = [
            (
                "http://127.0.0.1:7777",
                "proliferate_login_7777=v; Max-Age=0; HttpOnly; SameSite=Strict; Path=/",
            ),
            (
                "http://gateway.test",
                "proliferate_login=v; Max-Age=0; HttpOnly; SameSite=Strict; Path=/",
            ),
            (
                "https://gw.example",
                "__Host-proliferate_login=v; Max-Age=0; HttpOnly; SameSite=Strict; Path=/; Secure",
            ),
            (
                "https://gw.example/p/",
                "__Secure-proliferate_login=v; Max-Age=0; HttpOnly; SameSite=Strict; Path=/p/; Secure",
            ),
        ];
        let now = Timestamp::from_micros(0).unwrap();
        for (url, expected) in table {
            let cookie = LoginCookie::at(&OwnUrl::parse(url))
                .set("v", now, now)
                .unwrap();
            assert!(cookie.is_sensitive());
            assert_eq!(cookie.to_str().unwrap(), expected);
        }
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        let line = HeaderValue::from_static("a=1; proliferate_login_7777=x; b; c=");
        headers.append(header::COOKIE, line);
        let cookie = LoginCookie::at(&OwnUrl::parse("http://localhost:7777"));
        assert_eq!(cookie.find(&headers), Some("x"));
        assert_eq!(find(&headers, "c"), None);
        assert_eq!(
            LoginCookie::at(&OwnUrl::parse("http://localhost:7778")).find(&headers),
            None
        );
        let other = HeaderValue::from_static("xproliferate_login_7777=x");
        let headers = HeaderMap::from_iter([(header::COOKIE, other)]);
        assert_eq!(cookie.find(&headers), None);
    }
}
