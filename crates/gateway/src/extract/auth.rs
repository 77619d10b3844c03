//! The caller, and the proof of its permissions. A handler that requires a proof cannot be reached
//! without it.

use app::{
    App,
    access::{Admin, BrowserLogin, FleetAdmin, Insider, Participant, Person},
    identity,
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, Method, header, request::Parts},
};
use domain::{caller::Caller, capacity::Claimant, id::OrganizationId};
use tracing::Span;
use wire::problem::Code;

use super::{csrf, request_permit::acquire_request_permit};
use crate::{connections::assign_to_session, error::Failure, rejections, state::Gateway};

/// The caller as `T`: the [`Caller`] itself, or a proof made from it.
#[derive(Debug)]
pub(crate) struct Auth<T>(pub(crate) T);

/// What an authenticated caller can be required to prove.
pub(crate) trait Proof: Sized {
    fn of(app: &App, caller: Caller) -> app::Result<Self>;
}

impl Proof for Caller {
    fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Ok(caller)
    }
}

impl Proof for Insider {
    fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for Participant {
    fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for Person {
    fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for BrowserLogin {
    fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for Admin {
    fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for FleetAdmin {
    fn of(app: &App, caller: Caller) -> app::Result<Self> {
        Self::of(app, &caller)
    }
}

impl<T: Proof> FromRequestParts<Gateway> for Auth<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let given = PresentedCredential::of(&parts.method, &parts.headers, gateway)?;
        identify(gateway, given, parts).await.map(Self)
    }
}

/// The credential of a request.
#[derive(Clone, Copy)]
pub(crate) enum PresentedCredential<'a> {
    Bearer(&'a str),
    /// The cookie of a login. The origin of the page was checked.
    Login(&'a str),
}

impl<'a> PresentedCredential<'a> {
    /// A header is set deliberately, and so takes precedence over a cookie, which browsers add on
    /// their own.
    pub(super) fn of(
        method: &Method,
        headers: &'a HeaderMap,
        gateway: &Gateway,
    ) -> Result<Self, Failure> {
        if headers.contains_key(header::AUTHORIZATION) {
            return bearer(headers).map(Self::Bearer);
        }
        Self::login(method, headers, gateway)?.map_or_else(|| bearer(headers).map(Self::Bearer), Ok)
    }

    /// The login in the cookie, if there is one.
    pub(crate) fn login(
        method: &Method,
        headers: &'a HeaderMap,
        gateway: &Gateway,
    ) -> Result<Option<Self>, Failure> {
        let Some(login) = gateway.login_cookie().find(headers) else {
            return Ok(None);
        };
        csrf::check(method, headers, &gateway.own_url)?;
        Ok(Some(Self::Login(login)))
    }

    /// The caller of the credential.
    pub(super) async fn caller(
        self,
        app: &App,
        organization: Option<&OrganizationId>,
    ) -> app::Result<Caller> {
        match self {
            Self::Bearer(token) => identity::authenticate(app, token, organization).await,
            Self::Login(login) => identity::authenticate_login(app, login, organization).await,
        }
    }
}

/// The caller of this credential, as the required proof.
pub(crate) async fn identify<T: Proof>(
    gateway: &Gateway,
    given: PresentedCredential<'_>,
    parts: &Parts,
) -> Result<T, Failure> {
    let organization = organization(&parts.headers)?;
    let caller = given.caller(&gateway.app, organization.as_ref()).await?;
    record_caller(&caller);
    if let Caller::Sandbox { session_id, .. } = &caller {
        assign_to_session(&parts.extensions, *session_id)?;
    }
    acquire_request_permit(gateway, &parts.extensions, &Claimant::from(&caller))?;
    Ok(T::of(&gateway.app, caller)?)
}

/// Records the caller of the request, for its trace and, if it is refused, for the audit log.
pub(super) fn record_caller(caller: &Caller) {
    let span = Span::current();
    span.record(
        "organization_id",
        tracing::field::display(caller.organization_id()),
    );
    span.record("caller", caller.kind());
    rejections::set_caller(caller);
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

/// The organization the request names, for users who belong to several.
pub(crate) fn organization(headers: &HeaderMap) -> Result<Option<OrganizationId>, Failure> {
    let Some(header) = headers.get("x-org-id") else {
        return Ok(None);
    };
    let id = header.to_str().ok().and_then(|text| text.parse().ok());
    id.map(Some)
        .ok_or_else(|| Failure::new(Code::NotFound, "there is no such organization"))
}
