//! The caller of git requests: git supports only names and passwords.

use app::identity::Intent;
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::caller::Caller;

use crate::{
    error::Failure,
    extract::{PresentedCredential, bearer, identify},
    state::Gateway,
};

/// The caller; the use case checks that it is the session's sandbox.
pub(crate) struct SandboxGit(pub(super) Caller);

impl SandboxGit {
    pub(crate) fn into_caller(self) -> Caller {
        self.0
    }
}

impl FromRequestParts<Gateway> for SandboxGit {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let token = match password(&parts.headers) {
            Some(password) => password,
            None => bearer(&parts.headers)?.to_owned(),
        };
        let given = PresentedCredential::Bearer(&token);
        identify(gateway, given, parts, Intent::Change)
            .await
            .map(Self)
    }
}

/// The password of HTTP Basic, with any name.
pub(crate) fn password(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, encoded) = text.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = BASE64_STANDARD.decode(encoded.trim()).ok()?;
    let text = String::from_utf8(decoded).ok()?;
    text.split_once(':')
        .map(|(_, password)| password.to_owned())
}
