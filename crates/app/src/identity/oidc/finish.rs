//! Finishes a login: a browser came back from the identity provider.

use domain::{
    limits::{CLOCK_SKEW_LEEWAY, OIDC_SUBJECT_BYTES_MAX},
    login::login_hash,
};
use futures::future::BoxFuture;
use openidconnect::{
    AccessTokenHash, AuthorizationCode, ClaimsVerificationError, Nonce, OAuth2TokenResponse as _,
    PkceCodeVerifier, SignatureVerificationError, TokenResponse as _,
    core::{CoreIdToken, CoreIdTokenClaims, CoreTokenResponse},
};
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq as _;

use super::{
    Client, DiscoveryFailed, Oidc, OptionalMetadata,
    algorithms::ALGORITHMS,
    begin::OidcAttempt,
    claims::{self, OidcUser},
    people::{self, IdentifiedUser, LoginDecision},
    refusal::{self, NotAllowed},
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
    /// Who answers (RFC 9207), if the identity provider says so.
    pub issuer: Option<String>,
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
    NotAllowed(NotAllowed),
    /// The identity provider's response does not verify.
    NotBelieved,
    /// The identity provider does not answer.
    Unavailable,
}

pub async fn finish(
    app: &App,
    redirect_uri: &str,
    response: AuthenticationResponse,
) -> Result<OidcOutcome> {
    let (attempt, oidc) = match open_attempt(app, &response) {
        Ok(opened) => opened,
        Err((oidc, reason)) => {
            refusal::record_response(app, oidc, reason).await;
            return Ok(OidcOutcome::NotValid);
        }
    };
    let user = match request_user(app, oidc, redirect_uri, &attempt, &response).await {
        Ok(user) => user,
        Err(failed) => {
            if let Some(reason) = failed.reason {
                refusal::record_response(app, Some(oidc), reason).await;
            }
            return Ok(failed.outcome);
        }
    };
    let identified = IdentifiedUser {
        oidc,
        user: &user,
        state_digest: login_hash(&format!("state:{}", attempt.state)),
        expires_at: attempt.expires_at().unwrap_or_else(|| app.now()),
        end_session_url: end_session_url(app, oidc).await,
        replaced: response.replaced.as_ref().map(ExposeSecret::expose_secret),
    };
    Ok(match people::log_in(app, &identified).await? {
        LoginDecision::LoggedIn(logged_in) => OidcOutcome::LoggedIn(logged_in, attempt.next),
        LoginDecision::Refused(refused) => {
            refusal::record_user(app, oidc, &refused).await;
            OidcOutcome::NotAllowed(refused.why)
        }
        LoginDecision::Replayed => {
            refusal::record_response(app, Some(oidc), "oidc_state_replayed").await;
            OidcOutcome::NotValid
        }
    })
}

/// The attempt that the browser has kept, and its identity provider; else why it does not count.
fn open_attempt<'a>(
    app: &'a App,
    response: &AuthenticationResponse,
) -> std::result::Result<(OidcAttempt, &'a Oidc), (Option<&'a Oidc>, &'static str)> {
    let attempt = OidcAttempt::opened(app, &response.kept);
    let attempt = attempt.ok_or((None, "oidc_attempt_unknown"))?;
    let oidc = app.oidc.find(Some(&attempt.provider));
    let oidc = oidc.ok_or((None, "oidc_provider_unknown"))?;
    let given = response.state.expose_secret().as_bytes();
    if !bool::from(attempt.state.as_bytes().ct_eq(given)) {
        return Err((Some(oidc), "oidc_state_mismatch"));
    }
    if attempt.expires_at().is_none_or(|end| app.now() >= end) {
        return Err((Some(oidc), "oidc_attempt_expired"));
    }
    Ok((attempt, oidc))
}

/// Why there is no user, and what is put on record of it.
struct FailedExchange {
    outcome: OidcOutcome,
    reason: Option<&'static str>,
}

impl FailedExchange {
    fn unavailable() -> Self {
        Self {
            outcome: OidcOutcome::Unavailable,
            reason: None,
        }
    }

    /// The response does not verify. The reason names what was wrong, not what was sent.
    fn not_believed(reason: &'static str) -> Self {
        Self {
            outcome: OidcOutcome::NotBelieved,
            reason: Some(reason),
        }
    }
}

type ExchangeResult<T> = std::result::Result<T, FailedExchange>;

/// Where the provider ends its session. It was reached a moment ago, so that its metadata is known.
async fn end_session_url(app: &App, oidc: &Oidc) -> Option<String> {
    let metadata = oidc.metadata(app.now(), domain::limits::OIDC_KEYS_LIFE);
    let metadata = metadata.await.ok()?;
    let url = metadata
        .additional_metadata()
        .end_session_endpoint
        .clone()?;
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    (is_web && url.len() <= domain::limits::URL_LENGTH_MAX).then_some(url)
}

/// A response of another provider than the one that was asked (RFC 9207) is not used for anything.
fn check_issuer(
    oidc: &Oidc,
    metadata: &OptionalMetadata,
    given: Option<&str>,
) -> ExchangeResult<()> {
    let is_promised = metadata.authorization_response_iss_parameter_supported == Some(true);
    match given {
        Some(given) if given != oidc.settings().issuer => Err(FailedExchange::not_believed(
            "oidc_response_of_another_issuer",
        )),
        None if is_promised => Err(FailedExchange::not_believed("oidc_response_without_issuer")),
        _ => Ok(()),
    }
}

/// Exchanges the code for an ID token, and verifies it.
async fn request_user(
    app: &App,
    oidc: &Oidc,
    redirect_uri: &str,
    attempt: &OidcAttempt,
    response: &AuthenticationResponse,
) -> ExchangeResult<OidcUser> {
    let gone = |DiscoveryFailed| FailedExchange::unavailable();
    let metadata = oidc.metadata(app.now(), domain::limits::OIDC_KEYS_LIFE);
    let metadata = metadata.await.map_err(gone)?;
    check_issuer(
        oidc,
        metadata.additional_metadata(),
        response.issuer.as_deref(),
    )?;
    let code = response.code.as_ref().ok_or(FailedExchange {
        outcome: OidcOutcome::Denied,
        reason: None,
    })?;
    let mut client = oidc.client(redirect_uri, app.now()).await.map_err(gone)?;
    let answer = exchange(oidc, &client, attempt, code).await?;
    let Some(token) = answer.id_token() else {
        return Err(FailedExchange::not_believed("id_token_missing"));
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
    let claims = claims.map_err(|error| FailedExchange::not_believed(kind(&error)))?;
    if claims.subject().as_str().len() > OIDC_SUBJECT_BYTES_MAX {
        return Err(FailedExchange::not_believed("id_token_subject"));
    }
    check_access_token(&client, &answer, token, &claims)?;
    Ok(claims::user_of(
        token,
        &claims,
        &oidc.settings().groups_claim,
    ))
}

async fn exchange(
    oidc: &Oidc,
    client: &Client,
    attempt: &OidcAttempt,
    code: &SecretString,
) -> ExchangeResult<CoreTokenResponse> {
    let code = AuthorizationCode::new(code.expose_secret().to_owned());
    let request = client.exchange_code(code).map_err(|_| {
        tracing::warn!("the identity provider has no token endpoint");
        FailedExchange::unavailable()
    })?;
    let verifier = PkceCodeVerifier::new(attempt.verifier.clone());
    let request = request.set_pkce_verifier(verifier);
    let answer: BoxFuture<'_, _> = Box::pin(request.request_async(&oidc.0.http));
    answer.await.map_err(|error| {
        use openidconnect::RequestTokenError as E;
        match error {
            E::Request(_) => FailedExchange::unavailable(),
            E::ServerResponse(_) => FailedExchange::not_believed("oidc_code_not_taken"),
            E::Parse(..) | E::Other(_) => FailedExchange::not_believed("id_token_malformed"),
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
) -> ExchangeResult<()> {
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
        Err(FailedExchange::not_believed("id_token_of_another_token"))
    }
}

fn kind(error: &ClaimsVerificationError) -> &'static str {
    use ClaimsVerificationError as E;
    match error {
        E::Expired(_) => "id_token_expired",
        E::InvalidAudience(_) => "id_token_audience",
        E::InvalidIssuer(_) => "id_token_issuer",
        E::InvalidNonce(_) => "id_token_nonce",
        E::InvalidSubject(_) => "id_token_subject",
        E::SignatureVerification(_) => "id_token_signature",
        _ => "id_token_malformed",
    }
}
