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

use super::{Client, NotDiscovered, Oidc, begin::Attempt, people};
use crate::{context::App, error::Result, identity::LoggedIn};

/// What they came back with.
#[derive(Debug)]
pub struct CameBack {
    /// What the browser has kept.
    pub kept: SecretString,
    pub state: SecretString,
    /// Absent: the service said no.
    pub code: Option<SecretString>,
    /// What the browser had until now.
    pub replaced: Option<SecretString>,
}

/// How it ended.
#[derive(Debug)]
pub enum Finished {
    /// Let in, and where they wanted to go.
    LoggedIn(Box<LoggedIn>, String),
    /// Begun in another browser, too long ago, or finished before.
    NotValid,
    /// The service did not let them in.
    Denied,
    /// The identity provider identified a user who has no place here.
    NotAllowed,
    /// What the service said cannot be believed.
    NotBelieved,
    /// The service does not answer.
    Unavailable,
}

/// A user as the identity provider describes them.
pub(super) struct Vouched {
    pub(super) issuer: String,
    pub(super) subject: String,
    /// If the service has verified it.
    pub(super) email: Option<String>,
    pub(super) name: Option<String>,
}

/// Only keys that the service alone has: a secret that both have would let either sign.
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
    came: CameBack,
) -> Result<Finished> {
    let attempt = Attempt::opened(app, &came.kept);
    let given = came.state.expose_secret().as_bytes();
    let attempt = attempt.filter(|kept| kept.state.as_bytes().ct_eq(given).into());
    let Some(attempt) = attempt else {
        return Ok(Finished::NotValid);
    };
    let Some(code) = came.code else {
        return Ok(Finished::Denied);
    };
    let vouched = match vouched(app, oidc, redirect_uri, &attempt, &code).await {
        Ok(vouched) => vouched,
        Err(finished) => return Ok(finished),
    };
    let replaced = came.replaced.as_ref().map(ExposeSecret::expose_secret);
    let logged_in = people::let_in(app, &oidc.0.settings, &vouched, replaced).await?;
    Ok(match logged_in {
        Some(logged_in) => Finished::LoggedIn(Box::new(logged_in), attempt.next),
        None => Finished::NotAllowed,
    })
}

/// Exchanges the code for the service's word, and reads it.
async fn vouched(
    app: &App,
    oidc: &Oidc,
    redirect_uri: &str,
    attempt: &Attempt,
    code: &SecretString,
) -> std::result::Result<Vouched, Finished> {
    let gone = |NotDiscovered| Finished::Unavailable;
    let mut client = oidc.client(redirect_uri, app.now()).await.map_err(gone)?;
    let answer = exchange(oidc, &client, attempt, code).await?;
    let Some(token) = answer.id_token() else {
        return Err(refused("there is no ID token"));
    };
    let nonce = Nonce::new(attempt.nonce.clone());
    let mut claims = verified(app, &client, token, &nonce);
    let no_key = SignatureVerificationError::NoMatchingKey;
    // Keys change; a new one is looked for once.
    if claims.as_ref().err() == Some(&ClaimsVerificationError::SignatureVerification(no_key)) {
        let anew = oidc.client_anew(redirect_uri, app.now()).await;
        client = anew.map_err(gone)?;
        claims = verified(app, &client, token, &nonce);
    }
    // Its words name what was wrong, not what was sent.
    let claims = claims.map_err(|error| refused(kind(&error)))?;
    belongs(&client, &answer, token, &claims)?;
    Ok(read(&claims))
}

async fn exchange(
    oidc: &Oidc,
    client: &Client,
    attempt: &Attempt,
    code: &SecretString,
) -> std::result::Result<CoreTokenResponse, Finished> {
    let code = AuthorizationCode::new(code.expose_secret().to_owned());
    let request = client.exchange_code(code).map_err(|_| {
        tracing::warn!("the service that vouches for people has no place to exchange a code");
        Finished::Unavailable
    })?;
    let verifier = PkceCodeVerifier::new(attempt.verifier.clone());
    let request = request.set_pkce_verifier(verifier);
    let answer: BoxFuture<'_, _> = Box::pin(request.request_async(&oidc.0.http));
    answer.await.map_err(|error| {
        use openidconnect::RequestTokenError as E;
        match error {
            E::Request(_) => Finished::Unavailable,
            E::ServerResponse(_) => refused("the code was not taken"),
            E::Parse(..) | E::Other(_) => refused("the answer cannot be read"),
        }
    })
}

fn verified(
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

/// INVARIANT: where the word names the token it came with, it is that one.
fn belongs(
    client: &Client,
    answer: &CoreTokenResponse,
    token: &CoreIdToken,
    claims: &CoreIdTokenClaims,
) -> std::result::Result<(), Finished> {
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

fn read(claims: &CoreIdTokenClaims) -> Vouched {
    let is_verified = claims.email_verified() == Some(true);
    let email = claims.email().filter(|_| is_verified);
    let name = claims.name().and_then(|name| name.get(None));
    Vouched {
        issuer: claims.issuer().as_str().to_owned(),
        subject: claims.subject().as_str().to_owned(),
        email: email.map(|email| email.as_str().to_lowercase()),
        name: name.map(|name| name.as_str().to_owned()),
    }
}

fn refused(why: &'static str) -> Finished {
    tracing::warn!(
        why,
        "the word of the service that vouches for people is not believed"
    );
    Finished::NotBelieved
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
