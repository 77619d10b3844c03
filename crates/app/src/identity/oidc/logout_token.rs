//! Verifies logout tokens (OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6). The library has no type for
//! them; keys and signatures are its.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    clock::Timestamp,
    limits::{CLOCK_SKEW_LEEWAY, OIDC_LOGOUT_TOKEN_AGE_MAX},
};
use openidconnect::{
    JsonWebKey as _, JsonWebKeyAlgorithm, JsonWebKeySet, JsonWebKeyUse, JwsSigningAlgorithm as _,
    core::{CoreJsonWebKey, CoreJwsSigningAlgorithm},
};
use serde::Deserialize;
use serde_json::Value;

use super::algorithms::ALGORITHMS;

const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// A logout token whose signature has not been verified.
pub(super) struct LogoutToken<'t> {
    header: JwsHeader,
    pub(super) claims: LogoutClaims,
    signed: &'t str,
    signature: Vec<u8>,
}

#[derive(Deserialize)]
struct JwsHeader {
    alg: CoreJwsSigningAlgorithm,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<Value>,
}

#[derive(Deserialize)]
pub(super) struct LogoutClaims {
    pub(super) iss: String,
    aud: Audiences,
    iat: i64,
    exp: Option<i64>,
    pub(super) jti: String,
    events: serde_json::Map<String, Value>,
    pub(super) sub: Option<String>,
    pub(super) sid: Option<String>,
    nonce: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audiences {
    One(String),
    Many(Vec<String>),
}

/// Why a signature does not verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadSignature {
    /// The keys that are known may be old.
    NoKey,
    Wrong,
}

impl<'t> LogoutToken<'t> {
    /// `None` for a text that is no logout token, or is signed by an algorithm that proves nothing.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let (signed, signature) = text.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).ok();
        let header: JwsHeader = serde_json::from_slice(&decoded(header)?).ok()?;
        let is_logout = |typ: &String| {
            let typ = typ.to_ascii_lowercase();
            ["logout+jwt", "application/logout+jwt", "jwt"].contains(&typ.as_str())
        };
        let is_ours = ALGORITHMS.contains(&header.alg)
            && header.crit.is_none()
            && header.typ.as_ref().is_none_or(is_logout);
        if !is_ours {
            return None;
        }
        Some(Self {
            header,
            claims: serde_json::from_slice(&decoded(claims)?).ok()?,
            signed,
            signature: decoded(signature)?,
        })
    }

    /// Whether one of the provider's keys signed it.
    pub(super) fn verify(&self, keys: &JsonWebKeySet<CoreJsonWebKey>) -> Result<(), BadSignature> {
        let mut fitting = keys.keys().iter().filter(|key| self.fits(key)).peekable();
        if fitting.peek().is_none() {
            return Err(BadSignature::NoKey);
        }
        let signed = self.signed.as_bytes();
        let mut verified =
            fitting.map(|key| key.verify_signature(&self.header.alg, signed, &self.signature));
        if verified.any(|verified| verified.is_ok()) {
            Ok(())
        } else {
            Err(BadSignature::Wrong)
        }
    }

    fn fits(&self, key: &CoreJsonWebKey) -> bool {
        let kid = self.header.kid.as_deref();
        let is_named = kid.is_none_or(|kid| key.key_id().is_some_and(|id| id.as_str() == kid));
        let is_for_signing = key.key_use().is_none_or(JsonWebKeyUse::allows_signature);
        let is_for_algorithm = match key.signing_alg() {
            JsonWebKeyAlgorithm::Algorithm(algorithm) => *algorithm == self.header.alg,
            JsonWebKeyAlgorithm::Unspecified => true,
            JsonWebKeyAlgorithm::Unsupported => false,
        };
        let is_of_type = self.header.alg.key_type().as_ref() == Some(key.key_type());
        is_named && is_for_signing && is_for_algorithm && is_of_type
    }
}

impl LogoutClaims {
    pub(super) fn audiences(&self) -> Vec<&str> {
        match &self.aud {
            Audiences::One(one) => vec![one],
            Audiences::Many(many) => many.iter().map(String::as_str).collect(),
        }
    }

    /// When the token is too old, if it may end logins now; else what is wrong with it.
    pub(super) fn check(&self, now: Timestamp) -> Result<Timestamp, &'static str> {
        if !self.events.get(EVENT).is_some_and(Value::is_object) {
            return Err("not_a_logout_token");
        }
        // An ID token has one, and must not end logins.
        if self.nonce.is_some() {
            return Err("logout_token_has_nonce");
        }
        if self.sub.is_none() && self.sid.is_none() {
            return Err("logout_token_names_nobody");
        }
        let issued = seconds(self.iat).ok_or("logout_token_time")?;
        let too_old = issued.plus(OIDC_LOGOUT_TOKEN_AGE_MAX + CLOCK_SKEW_LEEWAY);
        let is_early = issued > now.plus(CLOCK_SKEW_LEEWAY);
        let expires = self.exp.map(|exp| seconds(exp).ok_or("logout_token_time"));
        let expires = expires.transpose()?;
        let has_expired = expires.is_some_and(|expires| now >= expires.plus(CLOCK_SKEW_LEEWAY));
        if now >= too_old || is_early || has_expired {
            return Err("logout_token_expired");
        }
        Ok(too_old)
    }
}

fn seconds(seconds: i64) -> Option<Timestamp> {
    let beginning = Timestamp::from_micros(0)?;
    // Beyond what a clock says, and short enough to add to.
    let bounded = u64::try_from(seconds)
        .ok()
        .filter(|seconds| *seconds < 1 << 36)?;
    Some(beginning.plus(Duration::from_secs(bounded)))
}
