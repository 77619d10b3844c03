//! Reads the reply of a token endpoint. The verdict whether the request may be repeated is set here.

use std::{collections::BTreeMap, time::Duration};

use domain::{
    clock::Timestamp,
    limits::{SCOPES_MAX, TOKEN_BYTES_MAX, TOKEN_LIFE_MAX},
    source::OAuthDeclaration,
};
use reqwest::Url;
use secrecy::SecretString;
use serde_json::{Map, Value};

use super::{
    token_request::TokenReply,
    tokens::{IssuedTokens, TokenError},
};

/// Error codes of failures that pass, of any status.
const TRANSIENT: [&str; 7] = [
    "temporarily_unavailable",
    "server_error",
    "internal_error",
    "fatal_error",
    "service_unavailable",
    "request_timeout",
    "ratelimited",
];
/// The longest word of a reply that is repeated.
const WORD_LENGTH_MAX: usize = 50;

pub(super) fn issued_tokens(
    reply: &TokenReply,
    oauth: &OAuthDeclaration,
    now: Timestamp,
) -> Result<IssuedTokens, TokenError> {
    let transient = || TokenError::unavailable(reply.after);
    if reply.status >= 500 || matches!(reply.status, 408 | 429) {
        return Err(transient());
    }
    let read = object(&reply.body);
    let word = read.as_ref().and_then(|body| body.get("error")?.as_str());
    let good = (200..300).contains(&reply.status);
    match (&read, word) {
        (_, Some(word)) if TRANSIENT.contains(&word) => Err(transient()),
        (_, Some(word)) if word == "invalid_grant" || oauth.dead_grant_errors.contains(&word) => {
            Err(TokenError::NoLongerValid)
        }
        (_, Some(word)) => Err(TokenError::Refused(displayable(word))),
        (Some(body), None) if good && body.get("ok") != Some(&Value::Bool(false)) => {
            // Slack nests the token of a user, where it issues no other.
            let nested = body.get("authed_user").and_then(Value::as_object);
            let mut inside = [Some(body), nested].into_iter().flatten();
            let found = inside.find_map(|body| of(body, now));
            found.ok_or_else(no_tokens)
        }
        (None, None) if good => Err(no_tokens()),
        _ => Err(TokenError::Refused(format!("status_{}", reply.status))),
    }
}

/// A reply that reports success and has no tokens.
fn no_tokens() -> TokenError {
    TokenError::unavailable(None)
}

/// Reads JSON, or a form, as GitHub answers a request without `Accept`.
fn object(body: &[u8]) -> Option<Map<String, Value>> {
    if let Ok(Value::Object(object)) = serde_json::from_slice(body) {
        return Some(object);
    }
    let text = std::str::from_utf8(body).ok()?;
    let is_form = text.contains('=') && !text.contains(['<', '\n', '{']);
    let mut url = Url::parse("form:x").ok().filter(|_| is_form)?;
    url.set_query(Some(text));
    let pairs: BTreeMap<_, _> = url.query_pairs().into_owned().collect();
    let pairs = pairs.into_iter();
    Some(
        pairs
            .map(|(name, value)| (name, Value::String(value)))
            .collect(),
    )
}

fn of(body: &Map<String, Value>, now: Timestamp) -> Option<IssuedTokens> {
    let token = |name: &str| {
        let text = body.get(name)?.as_str()?;
        // A token has to fit into a header.
        let usable = text.bytes().all(|b| b.is_ascii_graphic());
        (usable && (1..=TOKEN_BYTES_MAX).contains(&text.len())).then(|| SecretString::from(text))
    };
    Some(IssuedTokens {
        access_token: token("access_token")?,
        refresh_token: token("refresh_token"),
        expires_at: life(body.get("expires_in")).map(|life| now.plus(life)),
        scopes: scopes(body.get("scope")),
    })
}

/// Reads seconds, as a number or as text.
fn life(value: Option<&Value>) -> Option<Duration> {
    let seconds = match value? {
        Value::String(text) => text.parse().ok()?,
        other => other.as_u64()?,
    };
    (seconds > 0).then(|| Duration::from_secs(seconds).min(TOKEN_LIFE_MAX))
}

/// Reads a text with spaces or commas, or a list.
fn scopes(value: Option<&Value>) -> Vec<String> {
    let words: Vec<&str> = match value {
        Some(Value::String(text)) => text.split([' ', ',']).collect(),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let words = words.into_iter().filter(|word| !word.is_empty());
    words.map(displayable).take(SCOPES_MAX).collect()
}

/// Reduces a word of a reply to characters that can be shown.
pub(super) fn displayable(word: &str) -> String {
    let safe = |c: &char| c.is_ascii_alphanumeric() || "_:.-/".contains(*c);
    word.chars().filter(safe).take(WORD_LENGTH_MAX).collect()
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;
    use serde_json::json;

    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_micros(1_767_225_600_000_000).unwrap()
    }

    fn read(service: &str, status: u16, body: &str) -> Result<IssuedTokens, TokenError> {
        let reply = TokenReply {
            status,
            body: body.as_bytes().to_vec(),
            after: Some(Duration::from_secs(7)),
        };
        issued_tokens(&reply, &crate::declaration(service).unwrap().oauth, now())
    }

    #[test]
    fn the_tokens_of_each_service_are_read() {
        let linear = json!({"access_token": "lin_oauth_1", "refresh_token": "r", "expires_in": 86399,
            "token_type": "Bearer", "scope": "read write"});
        let old_linear =
            json!({"access_token": "lin_oauth_1", "expires_in": "60", "scope": ["read"]});
        let slack = json!({"ok": true, "access_token": "xoxb-1", "scope": "chat:write,channels:read",
            "team": {"id": "T1"}, "authed_user": {"id": "U1"}});
        let slack_user = json!({"ok": true, "authed_user": {"access_token": "xoxp-1",
            "refresh_token": "xoxe-1", "expires_in": 43200, "scope": "chat:write"}});
        let table = [
            (
                "linear",
                linear.to_string(),
                "lin_oauth_1",
                Some("r"),
                Some(86399),
                2,
            ),
            (
                "linear",
                old_linear.to_string(),
                "lin_oauth_1",
                None,
                Some(60),
                1,
            ),
            ("slack", slack.to_string(), "xoxb-1", None, None, 2),
            (
                "slack",
                slack_user.to_string(),
                "xoxp-1",
                Some("xoxe-1"),
                Some(43200),
                1,
            ),
            (
                "github",
                "access_token=ghu_1&expires_in=28800&refresh_token=ghr_1&scope=&token_type=bearer"
                    .into(),
                "ghu_1",
                Some("ghr_1"),
                Some(28800),
                0,
            ),
        ];
        for (service, body, access, refresh, life, scopes) in table {
            let issued = read(service, 200, &body).unwrap();
            assert_eq!(issued.access_token.expose_secret(), access, "{body}");
            let found = issued.refresh_token.as_ref();
            assert_eq!(found.map(ExposeSecret::expose_secret), refresh, "{body}");
            let end = life.map(|life| now().plus(Duration::from_secs(life)));
            assert_eq!(issued.expires_at, end, "{body}");
            assert_eq!(issued.scopes.len(), scopes, "{body}");
            assert!(!format!("{issued:?}").contains(access));
        }
    }

    #[test]
    fn each_services_refusal_is_told_apart() {
        let not_valid = || TokenError::NoLongerValid;
        let refused = |word: &str| TokenError::Refused(word.to_owned());
        let later = || TokenError::Unavailable {
            after: Duration::from_secs(7),
        };
        let pause = no_tokens;
        let table = [
            ("linear", 400, r#"{"error": "invalid_grant"}"#, not_valid()),
            ("sentry", 400, r#"{"error": "invalid_grant"}"#, not_valid()),
            (
                "slack",
                200,
                r#"{"ok": false, "error": "invalid_refresh_token"}"#,
                not_valid(),
            ),
            (
                "slack",
                200,
                r#"{"ok": false, "error": "token_revoked"}"#,
                not_valid(),
            ),
            (
                "github",
                200,
                r#"{"error": "bad_refresh_token"}"#,
                not_valid(),
            ),
            (
                "github",
                200,
                "error=bad_refresh_token&error_description=x",
                not_valid(),
            ),
            // What makes a token of one service invalid is a refusal of another's.
            (
                "linear",
                400,
                r#"{"error": "bad_refresh_token"}"#,
                refused("bad_refresh_token"),
            ),
            (
                "linear",
                401,
                r#"{"error": "invalid_client"}"#,
                refused("invalid_client"),
            ),
            (
                "slack",
                200,
                r#"{"ok": false, "error": "bad_client_secret"}"#,
                refused("bad_client_secret"),
            ),
            ("slack", 200, r#"{"ok": false}"#, refused("status_200")),
            ("sentry", 400, r#"{"error": "<b>no</b>"}"#, refused("bno/b")),
            ("sentry", 403, "<html>", refused("status_403")),
            ("sentry", 302, "", refused("status_302")),
            ("linear", 500, r#"{"error": "invalid_grant"}"#, later()),
            ("linear", 503, "", later()),
            ("linear", 429, "", later()),
            (
                "slack",
                200,
                r#"{"ok": false, "error": "ratelimited"}"#,
                later(),
            ),
            (
                "slack",
                200,
                r#"{"ok": false, "error": "internal_error"}"#,
                later(),
            ),
            ("linear", 200, "<html>it works</html>", pause()),
            ("linear", 200, "{}", pause()),
            ("linear", 200, r#"{"access_token": ""}"#, pause()),
            ("linear", 200, r#"{"access_token": "a b"}"#, pause()),
        ];
        for (service, status, body, expected) in table {
            assert_eq!(read(service, status, body).unwrap_err(), expected, "{body}");
        }
    }
}
