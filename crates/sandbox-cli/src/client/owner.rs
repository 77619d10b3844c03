//! Addresses that the token may be sent to: the gateway's own, and those it names as a session's owner.

use reqwest::Url;
use serde_json::Value;

use crate::limits::OWNER_URL_BYTES_MAX;

/// The owner that a 409 names.
pub(crate) fn hint(status: u16, body: Option<&Value>) -> Option<&str> {
    let body = body.filter(|_| status == 409)?;
    let named = body.get("ownerUrl").or_else(|| body.get("owner_url"));
    named.and_then(Value::as_str)
}

/// A gateway's address, or what is wrong with it.
pub(crate) fn base_url(text: &str) -> Result<Url, &'static str> {
    if text.len() > OWNER_URL_BYTES_MAX {
        return Err("is too long");
    }
    let url = Url::parse(text).map_err(|_| "is not a URL")?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("is not an http or https URL");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("has a user or a password in it");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("has a query or a fragment");
    }
    Ok(url)
}

/// The owner's address, unless the token would be less safe on the way there.
pub(crate) fn accept(current: &Url, named: &str) -> Result<Url, &'static str> {
    let owner = base_url(named)?;
    if current.scheme() == "https" && owner.scheme() != "https" {
        return Err("is http where the gateway is https");
    }
    Ok(owner)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_a_409_names_an_owner() {
        let body = json!({"ownerUrl": "http://b:1"});
        assert_eq!(hint(409, Some(&body)), Some("http://b:1"));
        assert_eq!(hint(409, Some(&json!({"owner_url": "x"}))), Some("x"));
        assert_eq!(hint(200, Some(&body)), None);
        assert_eq!(hint(409, Some(&json!({"ownerUrl": 3}))), None);
        assert_eq!(hint(409, None), None);
    }

    #[test]
    fn the_token_goes_to_plain_addresses_and_never_from_https_to_http() {
        let http = Url::parse("http://a:1").unwrap();
        let https = Url::parse("https://a").unwrap();
        assert!(accept(&http, "http://b:2/base").is_ok());
        assert!(accept(&http, "https://b").is_ok());
        assert!(accept(&https, "http://b").is_err());
        for bad in [
            "file:///etc/passwd",
            "b:2",
            "",
            "http://u:p@b",
            "http://b?x=1",
            "http://b#x",
        ] {
            assert!(accept(&http, bad).is_err(), "{bad}");
        }
        let long = format!("http://b/{}", "x".repeat(OWNER_URL_BYTES_MAX));
        assert!(accept(&http, &long).is_err());
    }
}
