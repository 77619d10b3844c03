//! The few things settings need to know about URLs. A password may be inside, so a URL prints
//! without it, and a refusal never repeats the text.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
};

use secrecy::{ExposeSecret, SecretString};

use super::SettingValue;
use crate::invalid::InvalidValue;
use domain::limits::URL_LENGTH_MAX;

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
        let parts = Parts::split(text).map_err(|why| InvalidValue::new(why, hint.as_str()))?;
        if !schemes.contains(&parts.scheme) {
            return Err(InvalidValue::new(
                "has a scheme this setting does not know",
                hint,
            ));
        }
        // A slash or question mark in an unencoded password ends the host early; what follows would
        // then be shown as if it were a path.
        if parts.rest.contains('@') {
            return Err(InvalidValue::new(
                "contains `@` behind the host",
                "percent-encode special characters of the password: `/` is `%2F`, `?` is `%3F`, \
                 `@` is `%40`",
            ));
        }
        Ok(Self {
            shown: parts.without_password(),
            holds_secret: parts.password.is_some_and(|password| !password.is_empty())
                || parts.rest.to_ascii_lowercase().contains("password="),
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
/// told to other instances and printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpUrl(String);

impl HttpUrl {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the host is this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        let rest = self.0.split_once("://").map_or("", |(_, rest)| rest);
        let authority = rest.split('/').next().unwrap_or_default();
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
            _ => authority,
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
    }
}

impl SettingValue for HttpUrl {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let hint = "write a URL such as `https://gateway.example.com`";
        let parts = Parts::split(text).map_err(|why| InvalidValue::new(why, hint))?;
        if !matches!(parts.scheme, "http" | "https") {
            return Err(InvalidValue::new("is not an http or https URL", hint));
        }
        if parts.user.is_some() || parts.rest.contains(['@', '?', '#']) {
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
        let parts = Parts::split(text).map_err(&refuse)?;
        if !matches!(parts.scheme, "http" | "https") {
            return Err(refuse("is not an http or https origin".into()));
        }
        if parts.user.is_some() || !parts.rest.is_empty() {
            return Err(refuse("is more than an origin".into()));
        }
        let host = parts.host.to_ascii_lowercase();
        let default_port = if parts.scheme == "http" { 80 } else { 443 };
        Ok(Self(match parts.port {
            Some(port) if port != default_port => format!("{}://{host}:{port}", parts.scheme),
            _ => format!("{}://{host}", parts.scheme),
        }))
    }

    fn show(&self) -> String {
        self.0.clone()
    }
}

/// A URL taken apart. `rest` starts with `/`, `?` or `#`, or is empty.
struct Parts<'a> {
    scheme: &'a str,
    user: Option<&'a str>,
    password: Option<&'a str>,
    host: &'a str,
    port: Option<u16>,
    rest: &'a str,
}

impl<'a> Parts<'a> {
    fn split(text: &'a str) -> Result<Self, String> {
        if text.len() > URL_LENGTH_MAX {
            return Err(format!("is longer than {URL_LENGTH_MAX} bytes"));
        }
        if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err("contains white space or control characters".into());
        }
        let Some((scheme, behind)) = text.split_once("://") else {
            return Err("is not a URL".into());
        };
        let end = behind.find(['/', '?', '#']).unwrap_or(behind.len());
        let (authority, rest) = behind.split_at(end);
        let (userinfo, address) = match authority.rsplit_once('@') {
            Some((userinfo, address)) => (Some(userinfo), address),
            None => (None, authority),
        };
        let (user, password) = match userinfo.map(|text| text.split_once(':')) {
            Some(Some((user, password))) => (Some(user), Some(password)),
            Some(None) => (userinfo, None),
            None => (None, None),
        };
        // A colon inside the brackets of an IPv6 address does not start a port.
        let colon = address
            .rfind(':')
            .filter(|at| !address[*at..].contains(']'));
        let (host, port) = match colon {
            Some(at) => (&address[..at], Some(&address[at + 1..])),
            None => (address, None),
        };
        let bracketed = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'))
            .is_some_and(|host| host.parse::<Ipv6Addr>().is_ok());
        let named = !host.is_empty()
            && host
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '%'));
        if !bracketed && !named {
            return Err("has no host".into());
        }
        let port = port
            .map(|port| port.parse().map_err(|_| "has a bad port".to_owned()))
            .transpose()?;
        Ok(Self {
            scheme,
            user,
            password,
            host,
            port,
            rest,
        })
    }

    fn without_password(&self) -> String {
        let scheme = self.scheme;
        let host = self.host;
        let userinfo = match (self.user, self.password) {
            (Some(user), Some(_)) => format!("{user}:***@"),
            (Some(user), None) => format!("{user}@"),
            _ => String::new(),
        };
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        // PostgreSQL takes passwords as parameters too; none of them is needed to recognise a URL.
        let rest = match self.rest.split_once(['?', '#']) {
            Some((path, _)) => format!("{path}?***"),
            None => self.rest.to_owned(),
        };
        format!("{scheme}://{userinfo}{host}{port}{rest}")
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
        for bad in ["a.b", "http://u:p@a.b", "http://a.b?x=1", "redis://a.b"] {
            assert!(HttpUrl::parse(bad).is_err(), "{bad}");
        }
    }
}
