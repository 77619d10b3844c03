//! Finishes a login: a browser came back from the identity provider.

use domain::limits::CLOCK_SKEW_LEEWAY;
use futures::future::BoxFuture;
use openidconnect::{
    AccessTokenHash, AuthorizationCode, ClaimsVerificationError, Nonce, OAuth2TokenResponse as _,
    PkceCodeVerifier, SignatureVerificationError, TokenResponse as _,
    core::{CoreIdToken, CoreIdTokenClaims, CoreJwsSigningAlgorithm, CoreTokenResponse},
};
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq as _;

use super::{
    Client, DiscoveryFailed, Oidc,
    begin::OidcAttempt,
    people::{self, OidcUser},
};
use crate::{context::App, error::Result, identity::LoggedIn};

/// What the browser came back with.
#[derive(Debug)]
pub struct AuthenticationResponse {
    /// What the browser has kept.
    pub kept: SecretString,
    pub state: SecretString,
    /// Absent if the identity provider denied the login.
    pub code: Option<SecretString>,
    /// The login that the browser had until now.
    pub replaced: Option<SecretString>,
}

/// How an attempt to log in ended.
#[derive(Debug)]
pub enum OidcOutcome {
    /// The login, and the page to open.
    LoggedIn(Box<LoggedIn>, String),
    /// Begun in another browser, too long ago, or finished before.
    NotValid,
    /// The identity provider denied the login.
    Denied,
    /// The identity provider identified a user who has no place here.
    NotAllowed,
    /// The identity provider's response does not verify.
    NotBelieved,
    /// The identity provider does not answer.
    Unavailable,
}

/// Only keys that the identity provider alone has: a secret that both have would let either sign.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 6] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
];

pub async fn finish(
    app: &App,
    oidc: &Oidc,
    redirect_uri: &str,
    response: AuthenticationResponse,
) -> Result<OidcOutcome> {
    let attempt = OidcAttempt::opened(app, &response.kept);
    let given = response.state.expose_secret().as_bytes();
    let attempt = attempt.filter(|kept| kept.state.as_bytes().ct_eq(given).into());
    let Some(attempt) = attempt else {
        return Ok(OidcOutcome::NotValid);
    };
    let Some(code) = response.code else {
        return Ok(OidcOutcome::Denied);
    };
    let oidc_user = match request_user(app, oidc, redirect_uri, &attempt, &code).await {
        Ok(oidc_user) => oidc_user,
        Err(finished) => return Ok(finished),
    };
    let replaced = response.replaced.as_ref().map(ExposeSecret::expose_secret);
    let logged_in = people::log_in(app, &oidc.0.settings, &oidc_user, replaced).await?;
    Ok(match logged_in {
        Some(logged_in) => OidcOutcome::LoggedIn(Box::new(logged_in), attempt.next),
        None => OidcOutcome::NotAllowed,
    })
}

/// Exchanges the code for an ID token, and verifies it.
async fn request_user(
    app: &App,
    oidc: &Oidc,
    redirect_uri: &str,
    attempt: &OidcAttempt,
    code: &SecretString,
) -> std::result::Result<OidcUser, OidcOutcome> {
    let gone = |DiscoveryFailed| OidcOutcome::Unavailable;
    let mut client = oidc.client(redirect_uri, app.now()).await.map_err(gone)?;
    let answer = exchange(oidc, &client, attempt, code).await?;
    let Some(token) = answer.id_token() else {
        return Err(refused("there is no ID token"));
    };
    let nonce = Nonce::new(attempt.nonce.clone());
    let mut claims = verify_claims(app, &client, token, &nonce);
    let no_key = SignatureVerificationError::NoMatchingKey;
    // Keys change; a new one is looked for once.
    if claims.as_ref().err() == Some(&ClaimsVerificationError::SignatureVerification(no_key)) {
        let anew = oidc.client_with_new_keys(redirect_uri, app.now()).await;
        client = anew.map_err(gone)?;
        claims = verify_claims(app, &client, token, &nonce);
    }
    // The reason names what was wrong, not what was sent.
    let claims = claims.map_err(|error| refused(kind(&error)))?;
    check_access_token(&client, &answer, token, &claims)?;
    Ok(user_of(&claims))
}

async fn exchange(
    oidc: &Oidc,
    client: &Client,
    attempt: &OidcAttempt,
    code: &SecretString,
) -> std::result::Result<CoreTokenResponse, OidcOutcome> {
    let code = AuthorizationCode::new(code.expose_secret().to_owned());
    let request = client.exchange_code(code).map_err(|_| {
        tracing::warn!("the identity provider has no token endpoint");
        OidcOutcome::Unavailable
    })?;
    let verifier = PkceCodeVerifier::new(attempt.verifier.clone());
    let request = request.set_pkce_verifier(verifier);
    let answer: BoxFuture<'_, _> = Box::pin(request.request_async(&oidc.0.http));
    answer.await.map_err(|error| {
        use openidconnect::RequestTokenError as E;
        match error {
            E::Request(_) => OidcOutcome::Unavailable,
            E::ServerResponse(_) => refused("the code was not taken"),
            E::Parse(..) | E::Other(_) => refused("the answer cannot be read"),
        }
    })
}

fn verify_claims(
    app: &App,
    client: &Client,
    token: &CoreIdToken,
    nonce: &Nonce,
) -> std::result::Result<CoreIdTokenClaims, ClaimsVerificationError> {
    let now = app.now().minus(CLOCK_SKEW_LEEWAY).datetime();
    let verifier = client
        .id_token_verifier()
        .set_allowed_algs(ALGORITHMS)
        .set_time_fn(move || now);
    token.claims(&verifier, nonce).cloned()
}

/// INVARIANT: an ID token that names an access token came with that one.
fn check_access_token(
    client: &Client,
    answer: &CoreTokenResponse,
    token: &CoreIdToken,
    claims: &CoreIdTokenClaims,
) -> std::result::Result<(), OidcOutcome> {
    let Some(expected) = claims.access_token_hash() else {
        return Ok(());
    };
    let verifier = client.id_token_verifier().set_allowed_algs(ALGORITHMS);
    let actual = token.signing_alg().ok().and_then(|algorithm| {
        let key = token.signing_key(&verifier).ok()?;
        AccessTokenHash::from_token(answer.access_token(), algorithm, key).ok()
    });
    if actual.as_ref() == Some(expected) {
        Ok(())
    } else {
        Err(refused("it was made for another token"))
    }
}

fn user_of(claims: &CoreIdTokenClaims) -> OidcUser {
    let is_verified = claims.email_verified() == Some(true);
    let email = claims.email().filter(|_| is_verified);
    let name = claims.name().and_then(|name| name.get(None));
    OidcUser {
        issuer: claims.issuer().as_str().to_owned(),
        subject: claims.subject().as_str().to_owned(),
        email: email.map(|email| email.as_str().to_lowercase()),
        name: name.map(|name| name.as_str().to_owned()),
    }
}

fn refused(why: &'static str) -> OidcOutcome {
    tracing::warn!(why, "the ID token of the identity provider does not verify");
    OidcOutcome::NotBelieved
}

fn kind(error: &ClaimsVerificationError) -> &'static str {
    use ClaimsVerificationError as E;
    match error {
        E::Expired(_) => "it has run out",
        E::InvalidAudience(_) => "it is for another audience",
        E::InvalidIssuer(_) => "it is by another issuer",
        E::InvalidNonce(_) => "it is for another attempt",
        E::InvalidSubject(_) => "it is of another subject",
        E::SignatureVerification(_) => "its signature is not good",
        _ => "it cannot be read",
    }
}
