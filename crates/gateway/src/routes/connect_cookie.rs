//! The cookie that the browser has to send back after connecting a service.

use axum::http::HeaderMap;
use domain::limits::{CONNECT_ATTEMPT_LIFE, CONNECT_PARAMETER_LENGTH_MAX};
use secrecy::{ExposeSecret as _, SecretString};

use crate::extract::{cookie, own_url::OwnUrl};

const COOKIE: &str = "proliferate_connect";

pub(super) fn find_cookie(headers: &HeaderMap) -> Option<SecretString> {
    let value = cookie::find(headers, COOKIE);
    let value = value.filter(|value| value.len() <= CONNECT_PARAMETER_LENGTH_MAX);
    value.map(SecretString::from)
}

/// For the callback URL of this gateway alone. `Lax`: the callback is a cross-site navigation.
pub(super) fn set_cookie(advertised_url: &str, browser: &SecretString) -> String {
    let url = OwnUrl::parse(advertised_url);
    let secure = if url.is_secure { "; Secure" } else { "" };
    format!(
        "{COOKIE}={}; HttpOnly; SameSite=Lax; Max-Age={}; Path={}/v1/integrations{secure}",
        browser.expose_secret(),
        CONNECT_ATTEMPT_LIFE.as_secs(),
        url.path,
    )
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, header};

    use super::*;

    #[test]
    fn the_cookie_is_for_the_way_back_alone() {
        let secret = SecretString::from("b");
        let table = [
            ("http://127.0.0.1:7777", "Path=/v1/integrations"),
            ("https://gw.example", "Path=/v1/integrations; Secure"),
            ("https://gw.example/p/", "Path=/p/v1/integrations; Secure"),
        ];
        for (advertised, end) in table {
            let cookie = set_cookie(advertised, &secret);
            let begin = "proliferate_connect=b; HttpOnly; SameSite=Lax; Max-Age=600; ";
            assert_eq!(cookie, format!("{begin}{end}"));
        }
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(
            header::COOKIE,
            HeaderValue::from_static("a=1; proliferate_connect=x; b"),
        );
        assert_eq!(find_cookie(&headers).unwrap().expose_secret(), "x");
        let other = HeaderValue::from_static("xproliferate_connect=x");
        assert!(find_cookie(&HeaderMap::from_iter([(header::COOKIE, other)])).is_none());
    }
}
