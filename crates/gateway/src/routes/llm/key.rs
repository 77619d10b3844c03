//! The key of a session's model, in either of the two places where libraries put it.

use app::{access::ModelUser, identity};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use tracing::Span;

use super::ModelFailure;
use crate::{connections::assign_to_session, extract::acquire_request_permit, state::Gateway};

/// The session whose agent sends the request.
pub(crate) struct ModelKey(pub(super) ModelUser);

impl FromRequestParts<Gateway> for ModelKey {
    type Rejection = ModelFailure;

    async fn from_request_parts(
        parts: &mut Parts,
        gateway: &Gateway,
    ) -> Result<Self, Self::Rejection> {
        let key = key(&parts.headers).ok_or_else(|| {
            ModelFailure::unauthenticated(
                "the request has no model key; send it in `x-api-key`, or in `Authorization: Bearer KEY`",
            )
        })?;
        let user = identity::authenticate_model(&gateway.app, key).await?;
        let span = Span::current();
        span.record(
            "organization_id",
            tracing::field::display(user.organization_id()),
        );
        span.record("caller", "model");
        assign_to_session(&parts.extensions, user.session_id())?;
        acquire_request_permit(gateway, &parts.extensions, &user.claimant())?;
        Ok(Self(user))
    }
}

fn key(headers: &HeaderMap) -> Option<&str> {
    if let Some(key) = headers.get("x-api-key") {
        return key.to_str().ok().map(str::trim);
    }
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, key) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}
