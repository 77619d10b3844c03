//! The reply of a service. The credential is removed before the reply is read: services have been seen to echo requests.

use reqwest::header::HeaderMap;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;

use crate::{FailureKind, failure::UpstreamFailure};

const REMOVED: &str = "[removed]";

/// A whole reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: HeaderMap,
    /// `None` if it is no JSON; `null` if there is nothing.
    json: Option<Value>,
    credential: SecretString,
}

impl Reply {
    pub(crate) fn new(
        status: u16,
        headers: HeaderMap,
        body: &[u8],
        credential: &SecretString,
    ) -> Self {
        let mut json = match body {
            [] => Some(Value::Null),
            body => serde_json::from_slice(body).ok(),
        };
        if let Some(json) = &mut json {
            scrub(json, credential.expose_secret());
        }
        Self {
            status,
            headers,
            json,
            credential: credential.clone(),
        }
    }

    /// Returns the document, or the failure that there is none.
    pub(crate) fn json(&self) -> Result<&Value, UpstreamFailure> {
        let none = || UpstreamFailure::with_detail(FailureKind::MalformedReply, "it is no JSON");
        self.json.as_ref().ok_or_else(none)
    }

    pub(crate) fn into_json(self) -> Result<Value, UpstreamFailure> {
        self.json().cloned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let text = self.headers.get(name)?.to_str().ok()?;
        Some(remove(text, self.credential.expose_secret()))
    }
}

/// What a status means where a service says nothing else. `None` for success.
pub(crate) fn kind_of(status: u16) -> Option<FailureKind> {
    Some(match status {
        200..=299 => return None,
        // Redirects are not followed, so what was requested is not found.
        300..=399 | 404 | 410 => FailureKind::NotFound,
        401 => FailureKind::Unauthorized,
        402 | 403 => FailureKind::Forbidden,
        408 => FailureKind::TimedOut,
        429 => FailureKind::RateLimited,
        400..=499 => FailureKind::Invalid,
        _ => FailureKind::Upstream,
    })
}

fn scrub(value: &mut Value, credential: &str) {
    match value {
        Value::String(text) if text.contains(credential) => *text = remove(text, credential),
        Value::Array(items) => items.iter_mut().for_each(|item| scrub(item, credential)),
        Value::Object(members) => {
            if members.keys().any(|key| key.contains(credential)) {
                *members = std::mem::take(members)
                    .into_iter()
                    .map(|(key, value)| (remove(&key, credential), value))
                    .collect();
            }
            members
                .values_mut()
                .for_each(|member| scrub(member, credential));
        }
        _ => {}
    }
}

fn remove(text: &str, credential: &str) -> String {
    text.replace(credential, REMOVED)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TOKEN: &str = "xoxb-1234567890-abc/def";

    fn reply(body: &[u8]) -> Reply {
        let mut headers = HeaderMap::new();
        headers.insert("link", format!("<{TOKEN}>").parse().unwrap());
        Reply::new(200, headers, body, &TOKEN.into())
    }

    #[test]
    fn the_credential_is_taken_out_however_it_is_written() {
        // Once plainly, once with an escaped slash and letter, once as a key.
        let body = format!(
            r#"{{"a": "Bearer {TOKEN}!", "b": ["xoxb-1234567890-\u0061bc\/def"], "{TOKEN}": 1}}"#
        );
        let reply = reply(body.as_bytes());
        let expected = json!({"a": "Bearer [removed]!", "b": ["[removed]"], "[removed]": 1});
        assert_eq!(reply.json(), Ok(&expected));
        assert_eq!(reply.header("link").as_deref(), Some("<[removed]>"));
        assert!(!format!("{reply:?}").contains("\"a\": \"Bearer xoxb"));
    }

    #[test]
    fn nothing_is_something_and_what_is_no_json_is_not() {
        assert_eq!(reply(b"").json(), Ok(&Value::Null));
        for body in [&b"<h1>no</h1>"[..], b"\xff\xfe", b"{\"a\": ", b"{} {}"] {
            let kind = reply(body).json().unwrap_err().kind;
            assert_eq!(kind, FailureKind::MalformedReply);
        }
    }

    #[test]
    fn every_status_has_a_meaning() {
        let table = [
            (200, None),
            (204, None),
            (301, Some(FailureKind::NotFound)),
            (307, Some(FailureKind::NotFound)),
            (400, Some(FailureKind::Invalid)),
            (401, Some(FailureKind::Unauthorized)),
            (403, Some(FailureKind::Forbidden)),
            (404, Some(FailureKind::NotFound)),
            (408, Some(FailureKind::TimedOut)),
            (409, Some(FailureKind::Invalid)),
            (410, Some(FailureKind::NotFound)),
            (422, Some(FailureKind::Invalid)),
            (429, Some(FailureKind::RateLimited)),
            (500, Some(FailureKind::Upstream)),
            (503, Some(FailureKind::Upstream)),
            (599, Some(FailureKind::Upstream)),
        ];
        for (status, kind) in table {
            assert_eq!(kind_of(status), kind, "{status}");
        }
    }
}
