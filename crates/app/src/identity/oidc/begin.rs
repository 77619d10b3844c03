//! Sends a browser to the identity provider. What it must come back with is kept by the browser, sealed: a caller who is
//! not authenticated yet writes nothing into the database.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    clock::{Timestamp, random_bytes},
    limits::{LOGIN_NEXT_LENGTH_MAX, OIDC_ATTEMPT_LIFE},
};
use openidconnect::{
    CsrfToken, Nonce, PkceCodeChallenge, PkceCodeVerifier, Scope, core::CoreAuthenticationFlow,
};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::{DiscoveryFailed, Oidc};
use crate::{
    context::App,
    error::{Error, Result},
};

/// Where the browser is sent, and what it keeps meanwhile.
#[derive(Debug)]
pub struct OidcRedirect {
    pub authorize_url: String,
    /// For the browser to keep and to bring back.
    pub kept: SecretString,
}

/// What a browser keeps while its user logs in at the identity provider.
#[derive(Serialize, Deserialize)]
pub(super) struct OidcAttempt {
    /// The name of the identity provider that the browser was sent to. Without one it is that of an older instance, which
    /// knows one provider.
    #[serde(default = "default_provider")]
    pub(super) provider: String,
    pub(super) state: String,
    pub(super) nonce: String,
    pub(super) verifier: String,
    /// The page to open after the login.
    pub(super) next: String,
    pub(super) expires_at_us: i64,
}

/// What it is sealed for.
const PLACE: &str = "oidc-attempt";

/// Begins an attempt. `redirect_uri` is where the browser comes back to, `next` the page that was wanted.
pub async fn begin(
    app: &App,
    oidc: &Oidc,
    redirect_uri: &str,
    next: Option<&str>,
) -> Result<OidcRedirect> {
    let now = app.now();
    let client = oidc.client(redirect_uri, now).await;
    let client = client.map_err(|DiscoveryFailed| {
        Error::Outside("there is no answer from the service that you log in with".to_owned())
    })?;
    let attempt = OidcAttempt {
        provider: oidc.name().to_owned(),
        state: random_text(app),
        nonce: random_text(app),
        verifier: random_text(app),
        next: safe_next(next).to_owned(),
        expires_at_us: now.plus(OIDC_ATTEMPT_LIFE).micros(),
    };
    let verifier = PkceCodeVerifier::new(attempt.verifier.clone());
    let state = CsrfToken::new(attempt.state.clone());
    let nonce = Nonce::new(attempt.nonce.clone());
    let scopes = oidc.0.settings.scopes.iter().cloned().map(Scope::new);
    let (authorize_url, _, _) = client
        .authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            move || state,
            move || nonce,
        )
        .add_scopes(scopes)
        .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
        .url();
    Ok(OidcRedirect {
        authorize_url: authorize_url.into(),
        kept: attempt.sealed(app)?,
    })
}

impl OidcAttempt {
    fn sealed(&self, app: &App) -> Result<SecretString> {
        let text = serde_json::to_string(self).map_err(|_| Error::Sealed("it is no text"))?;
        let sealed = app.keyring.seal(&*app.entropy, PLACE, &text)?;
        Ok(SecretString::from(sealed))
    }

    /// `None` if it is none of ours.
    pub(super) fn opened(app: &App, kept: &SecretString) -> Option<Self> {
        let text = app.keyring.open(PLACE, kept.expose_secret()).ok()?;
        serde_json::from_str(text.expose_secret()).ok()
    }

    /// `None` for a time that no attempt of ours has.
    pub(super) fn expires_at(&self) -> Option<Timestamp> {
        Timestamp::from_micros(self.expires_at_us)
    }
}

fn default_provider() -> String {
    "default".to_owned()
}

/// A path of our own, else the first page. A link to the gateway redirects no browser to another site.
fn safe_next(next: Option<&str>) -> &str {
    let next = next.unwrap_or("/");
    let is_ours = next.starts_with('/')
        && !next.starts_with("//")
        && next.len() <= LOGIN_NEXT_LENGTH_MAX
        && next.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    if is_ours { next } else { "/" }
}

/// 256 random bits, in the letters of a verifier and a URL.
fn random_text(app: &App) -> String {
    let bytes: [u8; 32] = random_bytes(&*app.entropy);
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_redirects_to_no_other_site() {
        let long = format!("/{}", "x".repeat(LOGIN_NEXT_LENGTH_MAX));
        let table = [
            (None, "/"),
            (Some("/approvals?state=pending"), "/approvals?state=pending"),
            (Some(""), "/"),
            (Some("//evil.example"), "/"),
            (Some("/\\evil.example"), "/"),
            (Some("https://evil.example"), "/"),
            (Some("/a b"), "/"),
            (Some("/a\nb"), "/"),
            (Some(long.as_str()), "/"),
        ];
        for (given, expected) in table {
            assert_eq!(safe_next(given), expected, "{given:?}");
        }
    }
}
