//! URLs of settings. A password may be inside, so a URL prints without it, and no message repeats
//! the text.

use std::fmt;

use domain::limits::URL_LENGTH_MAX;
use secrecy::{ExposeSecret, SecretString};
use url::{Host, ParseError, Position, Url};

use super::SettingValue;
use crate::invalid::InvalidValue;

/// A URL that may carry a password: shown without it, complete only through [`Self::expose`].
#[derive(Clone)]
pub struct ConnectionUrl {
    text: SecretString,
    shown: String,
    holds_secret: bool,
}

impl ConnectionUrl {
    /// Accepts `scheme://[user[:password]@]host[:port][/...]` with one of `schemes`.
    pub(crate) fn parse(text: &str, schemes: &[&str], example: &str) -> Result<Self, InvalidValue> {
        let hint = format!("write a URL such as `{example}`");
        let url = parse_url(text).map_err(|why| InvalidValue::new(why, hint.as_str()))?;
        if !schemes.contains(&url.scheme()) {
            return Err(InvalidValue::new(
                "has a scheme this setting does not know",
                hint,
            ));
        }
        let behind_host = &url[Position::AfterPort..];
        // A slash or question mark in an unencoded password ends the host early; what follows would
        // then be shown as if it were a path.
        if behind_host.contains('@') {
            return Err(InvalidValue::new(
                "contains `@` behind the host",
                "percent-encode special characters of the password: `/` is `%2F`, `?` is `%3F`, \
                 `@` is `%40`",
            ));
        }
        Ok(Self {
            holds_secret: url.password().is_some()
                || behind_host.to_ascii_lowercase().contains("password="),
            shown: without_password(url),
            text: text.to_owned().into(),
        })
    }

    pub(crate) fn holds_secret(&self) -> bool {
        self.holds_secret
    }

    /// The complete URL, password included.
    pub fn expose(&self) -> &str {
        self.text.expose_secret()
    }
}

impl fmt::Display for ConnectionUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for ConnectionUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConnectionUrl({})", self.shown)
    }
}

/// A base URL of an HTTP service, without a slash at its end. Carries no credentials, because it is
/// advertised to other instances and printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpUrl(String);

impl HttpUrl {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the host is this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        let url = Url::parse(&self.0).ok();
        url.is_some_and(|url| match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            None => false,
        })
    }
}

impl SettingValue for HttpUrl {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let hint = "write a URL such as `https://gateway.example.com`";
        let url = parse_url(text).map_err(|why| InvalidValue::new(why, hint))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(InvalidValue::new("is not an http or https URL", hint));
        }
        if text.contains(['@', '?', '#']) {
            return Err(InvalidValue::new(
                "must not contain a user, a password or a query",
                hint,
            ));
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }

    fn show(&self) -> String {
        self.0.clone()
    }
}

/// The address of one resource of a service, exactly as written: Sentry's end with a slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointUrl(String);

impl EndpointUrl {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl SettingValue for EndpointUrl {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        HttpUrl::parse(text)?;
        Ok(Self(text.to_owned()))
    }

    fn show(&self) -> String {
        self.0.clone()
    }
}

/// What a browser sends as `Origin`: scheme, host and, unless it is the scheme's own, port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl SettingValue for Origin {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let refuse = |why: String| {
            InvalidValue::new(
                format!("has an entry that {why}"),
                "write scheme, host and port of each site, such as `https://app.example.com`; \
                 wildcards are not supported",
            )
        };
        let url = parse_url(text).map_err(&refuse)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refuse("is not an http or https origin".into()));
        }
        let behind_scheme = &text[url.scheme().len() + "://".len()..];
        if behind_scheme.contains(['@', '/', '?', '#']) {
            return Err(refuse("is more than an origin".into()));
        }
        Ok(Self(url.origin().ascii_serialization()))
    }

    fn show(&self) -> String {
        self.0.clone()
    }
}

/// Parses a URL. Refuses what the standard would repair: white space, backslashes, a scheme in upper
/// case, and hosts that cannot be resolved.
fn parse_url(text: &str) -> Result<Url, String> {
    if text.len() > URL_LENGTH_MAX {
        return Err(format!("is longer than {URL_LENGTH_MAX} bytes"));
    }
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err("contains white space or control characters".into());
    }
    let url = Url::parse(text).map_err(|error| match error {
        ParseError::InvalidPort => "has a bad port".to_owned(),
        ParseError::RelativeUrlWithoutBase => "is not a URL".to_owned(),
        _ => "has no host".to_owned(),
    })?;
    let behind_scheme = text.strip_prefix(url.scheme());
    if !behind_scheme.is_some_and(|behind| behind.starts_with("://")) {
        return Err("is not a URL".into());
    }
    let is_host_char = |c: char| c.is_ascii_alphanumeric() || ".-_%".contains(c);
    let has_host = match url.host() {
        Some(Host::Domain(name)) => !name.is_empty() && name.chars().all(is_host_char),
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        None => false,
    };
    // A browser takes a backslash for a slash; in the password of another scheme it is one of many characters.
    let has_backslash = matches!(url.scheme(), "http" | "https") && text.contains('\\');
    if !has_host || has_backslash {
        return Err("has no host".into());
    }
    Ok(url)
}

/// The URL as it may be shown. PostgreSQL takes passwords as parameters too; none of them is needed to
/// recognise a URL.
fn without_password(mut url: Url) -> String {
    if url.password().is_some() {
        // Fails for a URL without a host alone, and this one has one.
        let _ = url.set_password(Some("***"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        url.set_query(Some("***"));
        url.set_fragment(None);
    }
    let shown = url.as_str();
    // The parser adds a slash to an empty path, as the standard says.
    match url.path() {
        "/" => shown.strip_suffix('/').unwrap_or(shown).to_owned(),
        _ => shown.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_url_shows_no_password() {
        let schemes = ["redis", "postgres"];
        for (text, shown) in [
            ("redis://h", "redis://h"),
            ("redis://:pw@h:1/0", "redis://:***@h:1/0"),
            ("postgres://u:pw@[::1]:5/db", "postgres://u:***@[::1]:5/db"),
            ("postgres://u:p@w@h/db", "postgres://u:***@h/db"),
            (r"postgres://u:p\w^{1}%@h/db", "postgres://u:***@h/db"),
            ("postgres://u@h/db?password=pw", "postgres://u@h/db?***"),
        ] {
            let url = ConnectionUrl::parse(text, &schemes, "redis://h").unwrap();
            assert_eq!(url.expose(), text);
            assert_eq!(url.to_string(), shown);
            assert!(!format!("{url:?}").contains("pw"), "{url:?}");
        }
        for bad in [
            "",
            "h",
            "http://h",
            "redis://",
            "redis://h:x",
            "redis://u:p/w@h",
            "redis://u:1/w@h",
            "redis://a b",
            "redis://[x]",
        ] {
            let invalid = ConnectionUrl::parse(bad, &schemes, "redis://h").unwrap_err();
            assert!(!invalid.message.contains("/w@"), "{bad}");
        }
    }

    #[test]
    fn origins_are_as_browsers_spell_them() {
        for (text, origin) in [
            ("https://App.Example.com", "https://app.example.com"),
            ("https://a.b:443", "https://a.b"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://[::1]:80", "http://[::1]"),
        ] {
            assert_eq!(Origin::parse(text).unwrap().as_str(), origin);
        }
        for bad in [
            "*",
            "null",
            "https://a.b/",
            "https://a.b/x",
            "https://u@a.b",
            "ftp://a.b",
            "https://*.a.b",
            "https://a.b:99999",
        ] {
            assert!(Origin::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_base_url_has_no_slash_at_its_end_and_no_credentials() {
        assert_eq!(
            HttpUrl::parse("http://a.b/p/").unwrap().as_str(),
            "http://a.b/p"
        );
        for bad in [
            "a.b",
            "http:a.b",
            "http:/a.b",
            "http:\\\\a.b",
            r"http://a.b\c",
            "HTTP://a.b",
            "http://u:p@a.b",
            "http://a.b?x=1",
            "http://a.b:x",
            "http://*.a.b",
            "http://a{b}",
            "redis://a.b",
        ] {
            assert!(HttpUrl::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_connection_url_is_shown_as_it_is_written() {
        for text in [
            "http://h:4318",
            "http://h:4318/v1",
            "redis://h:6379/2",
            "postgres://%2Fvar%2Frun/db",
            "postgres://u@my_host:5432/db",
        ] {
            let schemes = ["http", "redis", "postgres"];
            let url = ConnectionUrl::parse(text, &schemes, "http://h").unwrap();
            assert_eq!(url.to_string(), text);
            assert!(!url.holds_secret());
        }
    }
}
