//! The caller, and the proof of its permissions. A handler that requires a proof cannot be reached
//! without it.

use app::{
    App,
    access::{Admin, BrowserLogin, FleetAdmin, Insider, Owner, Participant, Person},
    identity::{self, Identified, Intent},
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
    fn of(app: &App, caller: Caller) -> impl Future<Output = app::Result<Self>> + Send;
}

impl Proof for Caller {
    async fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Ok(caller)
    }
}

impl Proof for Insider {
    async fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for Participant {
    async fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for Person {
    async fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for BrowserLogin {
    async fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for Admin {
    async fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for Owner {
    async fn of(_: &App, caller: Caller) -> app::Result<Self> {
        Self::of(&caller)
    }
}

impl Proof for FleetAdmin {
    async fn of(app: &App, caller: Caller) -> app::Result<Self> {
        Self::of(app, &caller).await
    }
}

impl<T: Proof> FromRequestParts<Gateway> for Auth<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let given = PresentedCredential::of(&parts.method, &parts.headers, gateway)?;
        let intent = intent_of(&parts.method, &parts.headers);
        identify(gateway, given, parts, intent).await.map(Self)
    }
}

/// The same in an organization that is suspended or deleting: for a request that ends that state.
#[derive(Debug)]
pub(crate) struct AuthInAnyState<T>(pub(crate) T);

impl<T: Proof> FromRequestParts<Gateway> for AuthInAnyState<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let given = PresentedCredential::of(&parts.method, &parts.headers, gateway)?;
        identify(gateway, given, parts, Intent::Read)
            .await
            .map(Self)
    }
}

/// What the request does. Bytes go both ways on what is upgraded.
pub(super) fn intent_of(method: &Method, headers: &HeaderMap) -> Intent {
    let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(method);
    if reads && !headers.contains_key(header::UPGRADE) {
        Intent::Read
    } else {
        Intent::Change
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

    /// The caller of the credential, with the state of its organization.
    pub(super) async fn identify(
        self,
        app: &App,
        organization: Option<&OrganizationId>,
    ) -> app::Result<Identified> {
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
    intent: Intent,
) -> Result<T, Failure> {
    let organization = organization(&parts.headers)?;
    let identified = given.identify(&gateway.app, organization.as_ref()).await?;
    record_caller(identified.caller());
    let caller = identified.admit(intent)?;
    if let Caller::Sandbox { session_id, .. } = &caller {
        assign_to_session(&parts.extensions, *session_id)?;
    }
    acquire_request_permit(gateway, &parts.extensions, &Claimant::from(&caller))?;
    Ok(T::of(&gateway.app, caller).await?)
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
