//! What the gateway takes from a verified ID token.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    limits::{EMAIL_LENGTH_MAX, OIDC_GROUPS_MAX, OIDC_ID_TOKEN_KEPT_BYTES_MAX},
    login::login_hash,
};
use openidconnect::core::{CoreIdToken, CoreIdTokenClaims};
use secrecy::SecretString;
use serde_json::Value;

use super::settings::domain_of;

/// A user as the identity provider describes them.
pub(super) struct OidcUser {
    pub(super) issuer: String,
    pub(super) subject: String,
    /// Present if the identity provider has verified it. In lower case.
    pub(super) email: Option<String>,
    /// The domain of the address, verified or not: says whose log a refusal goes to, and nothing else.
    pub(super) stated_domain: Option<String>,
    pub(super) name: Option<String>,
    pub(super) groups: Vec<String>,
    /// Of the provider's session.
    pub(super) sid_digest: Option<String>,
    /// To end that session with. Absent if it is too long for a URL.
    pub(super) id_token: Option<SecretString>,
}

/// The token is verified: `claims` are what it says.
pub(super) fn user_of(
    token: &CoreIdToken,
    claims: &CoreIdTokenClaims,
    groups_claim: &[String],
) -> OidcUser {
    let text = token.to_string();
    let payload = payload(&text);
    let is_verified = claims.email_verified() == Some(true);
    let stated = claims.email().map(|email| email.as_str().to_lowercase());
    let is_short = |email: &String| email.len() <= EMAIL_LENGTH_MAX;
    let name = claims.name().and_then(|name| name.get(None));
    OidcUser {
        issuer: claims.issuer().as_str().to_owned(),
        subject: claims.subject().as_str().to_owned(),
        stated_domain: stated.as_deref().and_then(domain_of),
        email: stated.filter(is_short).filter(|_| is_verified),
        name: name.map(|name| name.as_str().to_owned()),
        groups: groups(&payload, groups_claim),
        sid_digest: payload["sid"].as_str().map(sid_digest),
        id_token: (text.len() <= OIDC_ID_TOKEN_KEPT_BYTES_MAX).then(|| SecretString::from(text)),
    }
}

/// How the gateway stores a provider's name for a session.
pub(super) fn sid_digest(sid: &str) -> String {
    login_hash(sid)
}

/// The claims that the library has no names for.
fn payload(token: &str) -> Value {
    let part = token.split('.').nth(1).unwrap_or_default();
    let bytes = URL_SAFE_NO_PAD.decode(part).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// The groups at the end of the path: a list of texts, or one text.
fn groups(payload: &Value, path: &[String]) -> Vec<String> {
    let found = path
        .iter()
        .fold(payload, |value, name| &value[name.as_str()]);
    match found {
        Value::String(one) => vec![one.clone()],
        Value::Array(items) => {
            if items.len() > OIDC_GROUPS_MAX {
                tracing::warn!(
                    max = OIDC_GROUPS_MAX,
                    "a user has more groups than are read"
                );
            }
            let texts = items.iter().take(OIDC_GROUPS_MAX);
            texts
                .filter_map(|item| item.as_str().map(str::to_owned))
                .collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn groups_are_texts_at_the_end_of_a_path() {
        let claims = json!({"groups": ["a", 5, "b"], "one": "c", "realm_access": {"roles": ["d"]},
            "https://acme.example/groups": ["e"], "none": null});
        let table: [(&[&str], &[&str]); 8] = [
            (&["groups"], &["a", "b"]),
            (&["one"], &["c"]),
            (&["realm_access", "roles"], &["d"]),
            (&["https://acme.example/groups"], &["e"]),
            (&["none"], &[]),
            (&["missing", "roles"], &[]),
            (&["groups", "0"], &[]),
            (&["realm_access"], &[]),
        ];
        for (path, expected) in table {
            let path: Vec<_> = path.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(groups(&claims, &path), expected, "{path:?}");
        }
        let many: Vec<_> = (0..=OIDC_GROUPS_MAX)
            .map(|number| number.to_string())
            .collect();
        let read = groups(&json!({ "groups": many }), &["groups".to_owned()]);
        assert_eq!(read.len(), OIDC_GROUPS_MAX);
    }

    #[test]
    fn what_is_no_token_says_nothing() {
        for text in ["", "a", "a.b.c", "a.!!.c"] {
            assert_eq!(payload(text), Value::Null, "{text}");
        }
    }
}
