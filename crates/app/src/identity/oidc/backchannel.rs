//! Ends logins because the identity provider ended its session (OpenID Connect Back-Channel Logout 1.0).
//!
//! INVARIANT: a token is used once; it ends logins that its own provider began, and no others.

use domain::{identity_provider::OidcSession, login::login_hash};

use super::{
    DiscoveryFailed, Oidc,
    claims::sid_digest,
    ended,
    logout_token::{BadSignature, LogoutToken},
    refusal,
};
use crate::{context::App, error::Result};

/// What became of a logout token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackchannelOutcome {
    /// So many logins ended.
    Ended(usize),
    /// Nothing ended; the token is not valid, or was used before.
    Refused,
    /// The provider's keys cannot be fetched; the token may be sent again.
    Unavailable,
}

/// Verifies the token, and ends the logins of the session or subject that it names.
pub async fn end_logins(app: &App, token: &str) -> Result<BackchannelOutcome> {
    let Some(token) = LogoutToken::parse(token) else {
        return refused(app, None, "logout_token_malformed").await;
    };
    let (issuer, audiences) = (&token.claims.iss, token.claims.audiences());
    let Some(oidc) = app.oidc.of_client(issuer, &audiences) else {
        return refused(app, None, "logout_token_of_another_client").await;
    };
    match verify(app, oidc, &token).await {
        Err(DiscoveryFailed) => return Ok(BackchannelOutcome::Unavailable),
        Ok(false) => return refused(app, Some(oidc), "logout_token_signature").await,
        Ok(true) => {}
    }
    let too_old = match token.claims.check(app.now()) {
        Ok(too_old) => too_old,
        Err(reason) => return refused(app, Some(oidc), reason).await,
    };
    let mut tx = app.db.write().await?;
    let digest = login_hash(&format!("logout:{issuer}:{}", token.claims.jti));
    if !store::oidc_used_insert(&mut tx, &digest, too_old).await? {
        drop(tx);
        return refused(app, Some(oidc), "logout_token_replayed").await;
    }
    let session = OidcSession {
        provider: oidc.name().to_owned(),
        issuer: issuer.clone(),
        subject: token.claims.sub.clone(),
        sid_digest: token.claims.sid.as_deref().map(sid_digest),
    };
    let ended_logins = store::oidc_login_end(&mut tx, &session).await?;
    ended::record(&mut tx, app, oidc.name(), &ended_logins).await?;
    tx.commit().await?;
    ended::end_streams(app, &ended_logins);
    Ok(BackchannelOutcome::Ended(ended_logins.len()))
}

async fn verify(
    app: &App,
    oidc: &Oidc,
    token: &LogoutToken<'_>,
) -> std::result::Result<bool, DiscoveryFailed> {
    let metadata = oidc
        .metadata(app.now(), domain::limits::OIDC_KEYS_LIFE)
        .await?;
    let mut verified = token.verify(metadata.jwks());
    // Keys change; a new one is looked for once.
    if verified == Err(BadSignature::NoKey) {
        let newest = oidc
            .metadata(app.now(), domain::limits::OIDC_KEYS_PAUSE)
            .await?;
        verified = token.verify(newest.jwks());
    }
    Ok(verified.is_ok())
}

async fn refused(
    app: &App,
    oidc: Option<&Oidc>,
    reason: &'static str,
) -> Result<BackchannelOutcome> {
    refusal::record_logout(app, oidc, reason).await;
    Ok(BackchannelOutcome::Refused)
}
