//! Signed tokens of users and services (JWT, HS256) and the MAC of sandbox tokens.
//!
//! The algorithm is pinned, each kind of token has a secret of its own, issuer, audience and expiry
//! are required. Expiry is checked against our clock, not the library's, so that tests can move it.

use std::{sync::Arc, time::Duration};

use domain::{
    clock::{Entropy, Timestamp, random_bytes},
    id::{OrganizationId, UserId},
    limits::CLOCK_SKEW_LEEWAY,
};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use super::believed::Believed;
use crate::error::{Error, Result};

/// The secrets behind the tokens; all different.
#[derive(Debug, Clone)]
pub struct TokenSecrets {
    pub user: SecretString,
    pub service: SecretString,
    pub sandbox: SecretString,
    pub issuer: String,
    pub audience: String,
}

/// Makes and checks tokens.
#[derive(Debug, Clone)]
pub struct Tokens(Arc<Inner>);

struct Inner {
    secrets: TokenSecrets,
    user: TokenKind,
    service: TokenKind,
    validation: Validation,
}

/// What tokens of a kind are checked with. Made once: a token is checked with every request.
struct TokenKind {
    key: DecodingKey,
    believed: Believed<Claims>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.secrets.fmt(f)
    }
}

/// The verified content of a user token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserToken {
    pub user_id: UserId,
    /// The organization it was made for; without one the request says which, or the first one counts.
    pub organization_id: Option<OrganizationId>,
}

/// The verified content of a service token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceToken {
    pub name: String,
    pub organization_id: OrganizationId,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claims {
    sub: String,
    iss: String,
    aud: String,
    exp: i64,
    iat: i64,
    jti: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    org_id: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    service: bool,
}

const NOT_OURS: Error = Error::Unauthenticated("the token is not one of ours");

impl Tokens {
    pub fn new(secrets: TokenSecrets) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[&secrets.issuer]);
        validation.set_audience(&[&secrets.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.validate_exp = false;
        let kind = |secret: &SecretString| TokenKind {
            key: DecodingKey::from_secret(secret.expose_secret().as_bytes()),
            believed: Believed::new(),
        };
        Self(Arc::new(Inner {
            user: kind(&secrets.user),
            service: kind(&secrets.service),
            validation,
            secrets,
        }))
    }

    pub fn mint_user(
        &self,
        token: &UserToken,
        now: Timestamp,
        ttl: Duration,
        entropy: &dyn Entropy,
    ) -> Result<SecretString> {
        let organization_id = token.organization_id.as_ref().map(ToString::to_string);
        let claims = self.claims(
            token.user_id.as_str(),
            organization_id,
            false,
            now,
            ttl,
            entropy,
        );
        sign(&claims, &self.0.secrets.user)
    }

    pub fn mint_service(
        &self,
        token: &ServiceToken,
        now: Timestamp,
        ttl: Duration,
        entropy: &dyn Entropy,
    ) -> Result<SecretString> {
        let organization_id = Some(token.organization_id.to_string());
        let claims = self.claims(&token.name, organization_id, true, now, ttl, entropy);
        sign(&claims, &self.0.secrets.service)
    }

    pub(crate) fn verify_user(&self, text: &str, now: Timestamp) -> Result<UserToken> {
        let claims = self.verify(text, &self.0.user, now)?;
        if claims.service {
            return Err(NOT_OURS);
        }
        let organization_id = claims.org_id.clone().map(OrganizationId::new).transpose();
        Ok(UserToken {
            user_id: UserId::new(claims.sub.clone()).map_err(|_| NOT_OURS)?,
            organization_id: organization_id.map_err(|_| NOT_OURS)?,
        })
    }

    /// When a user token stops being good.
    pub(crate) fn user_token_end(&self, text: &str, now: Timestamp) -> Result<Timestamp> {
        let claims = self.verify(text, &self.0.user, now)?;
        let end = claims.exp.checked_mul(1_000_000);
        end.and_then(Timestamp::from_micros).ok_or(NOT_OURS)
    }

    /// When a user token was made, to the second.
    pub(crate) fn user_token_start(&self, text: &str, now: Timestamp) -> Result<Timestamp> {
        let claims = self.verify(text, &self.0.user, now)?;
        let start = claims.iat.checked_mul(1_000_000);
        start.and_then(Timestamp::from_micros).ok_or(NOT_OURS)
    }

    pub(crate) fn verify_service(&self, text: &str, now: Timestamp) -> Result<ServiceToken> {
        let claims = self.verify(text, &self.0.service, now)?;
        match claims.org_id.clone().map(OrganizationId::new) {
            Some(Ok(organization_id)) if claims.service && !claims.sub.is_empty() => {
                Ok(ServiceToken {
                    name: claims.sub.clone(),
                    organization_id,
                })
            }
            _ => Err(NOT_OURS),
        }
    }

    pub(crate) fn sandbox_secret(&self) -> &SecretString {
        &self.0.secrets.sandbox
    }

    fn claims(
        &self,
        subject: &str,
        organization_id: Option<String>,
        service: bool,
        now: Timestamp,
        ttl: Duration,
        entropy: &dyn Entropy,
    ) -> Claims {
        Claims {
            sub: subject.to_owned(),
            iss: self.0.secrets.issuer.clone(),
            aud: self.0.secrets.audience.clone(),
            exp: now.plus(ttl).unix_seconds(),
            iat: now.unix_seconds(),
            jti: hex::encode(random_bytes::<16>(entropy)),
            org_id: organization_id,
            service,
        }
    }

    fn verify(&self, text: &str, kind: &TokenKind, now: Timestamp) -> Result<Arc<Claims>> {
        let claims = kind.believed.read(text, || {
            let read = jsonwebtoken::decode(text, &kind.key, &self.0.validation);
            Ok(read.map_err(|_| NOT_OURS)?.claims)
        })?;
        let leeway = i64::try_from(CLOCK_SKEW_LEEWAY.as_secs()).unwrap_or(0);
        if claims.exp.saturating_add(leeway) <= now.unix_seconds() {
            return Err(Error::TokenExpired);
        }
        Ok(claims)
    }
}

fn sign(claims: &Claims, secret: &SecretString) -> Result<SecretString> {
    let key = EncodingKey::from_secret(secret.expose_secret().as_bytes());
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &key)
        .map(SecretString::from)
        .map_err(|_| Error::Sealed("the token could not be signed"))
}

#[cfg(test)]
mod tests;
