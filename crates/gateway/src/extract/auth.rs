//! Who is asking, and the proof of what they may do. A handler that names the proof it needs cannot
//! be reached without it.

use app::access::{Admin, Insider, Participant, Person};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use domain::{caller::Caller, id::OrganizationId};
use tracing::Span;
use wire::problem::Code;

use crate::{error::Failure, state::Gateway};

/// The caller as `T`: the [`Caller`] itself, or a proof made from it.
#[derive(Debug)]
pub(crate) struct Auth<T>(pub(crate) T);

/// What an authenticated caller can be asked to prove.
pub(crate) trait Proof: Sized {
    fn of(caller: Caller) -> app::Result<Self>;
}

impl Proof for Caller {
    fn of(caller: Caller) -> app::Result<Self> {
        Ok(caller)
    }
}

impl Proof for Insider {
    fn of(caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for Participant {
    fn of(caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for Person {
    fn of(caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for Admin {
    fn of(caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl<T: Proof> FromRequestParts<Gateway> for Auth<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let token = bearer(&parts.headers)?;
        identify(gateway, token, &parts.headers).await.map(Self)
    }
}

/// The holder of a token, as the proof that is asked for.
pub(crate) async fn identify<T: Proof>(
    gateway: &Gateway,
    token: &str,
    headers: &HeaderMap,
) -> Result<T, Failure> {
    let organization = organization(headers)?;
    let caller = app::identity::authenticate(&gateway.app, token, organization.as_ref()).await?;
    let span = Span::current();
    span.record(
        "organization_id",
        tracing::field::display(caller.organization_id()),
    );
    span.record("caller", caller.kind());
    Ok(T::of(caller)?)
}

pub(crate) fn bearer(headers: &HeaderMap) -> Result<&str, Failure> {
    let refused = |detail| Failure::new(Code::Unauthenticated, detail);
    let header = headers
        .get(header::AUTHORIZATION)
        .ok_or_else(|| refused("the request has no Authorization header"))?;
    let text = header
        .to_str()
        .map_err(|_| refused("the Authorization header is not text"))?;
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(token.trim()),
        _ => Err(refused("the Authorization header must read `Bearer TOKEN`")),
    }
}

/// The organization the request asks for, for people who belong to several.
fn organization(headers: &HeaderMap) -> Result<Option<OrganizationId>, Failure> {
    let Some(header) = headers.get("x-org-id") else {
        return Ok(None);
    };
    let id = header.to_str().ok().and_then(|text| text.parse().ok());
    id.map(Some)
        .ok_or_else(|| Failure::new(Code::NotFound, "there is no such organization"))
}
