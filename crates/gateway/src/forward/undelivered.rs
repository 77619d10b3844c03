//! The response that replaces the session owner's when a request does not reach it: the failure, for callers with
//! access to the session.
//!
//! INVARIANT: all other callers get what the owner would send them: 401 without a credential, 403 or 404 as for a
//! session that does not exist. A failure that only an existing session has would reveal that it exists.

use app::{access::FleetAdmin, fleet, identity};
use axum::{
    body::Body,
    extract::{FromRequestParts as _, Request},
    http::{Uri, request::Parts},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use domain::{caller::Caller, id::SessionId};
use wire::problem::Code;

use super::destination::{Credential, Destination};
use crate::{error::Failure, extract::Auth, routes::git::SandboxGit, state::Gateway};

/// A request that does not reach its owner.
pub(super) struct UndeliveredRequest {
    pub(super) head: Parts,
    /// Absent if it was sent to the owner.
    pub(super) body: Option<Body>,
}

/// Returns `failure` to a caller with access to the destination, and the reason for the refusal to
/// all others.
pub(super) async fn respond_undelivered(
    gateway: &Gateway,
    destination: Destination,
    failure: Failure,
    mut request: UndeliveredRequest,
    next: Next,
) -> Response {
    match has_access(gateway, destination, &mut request.head).await {
        Ok(true) => failure.into_response(),
        Ok(false) => respond_as_unknown_session(request, next).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Lets the handler refuse the request, as for a session that does not exist.
async fn respond_as_unknown_session(request: UndeliveredRequest, next: Next) -> Response {
    let is_whole = request.body.is_some();
    let body = request.body.unwrap_or_default();
    let response = next.run(Request::from_parts(request.head, body)).await;
    let failure = response.extensions().get::<Failure>();
    let is_about_caller =
        failure.is_some_and(|failure| [401, 403, 404].contains(&failure.code.status()));
    if is_whole || is_about_caller {
        return response;
    }
    // The handler reports the missing body before it looks up the session.
    Failure::from(app::Error::NotFound("session")).into_response()
}

/// Whether the caller has access to the destination; an error for a request without a valid
/// credential.
async fn has_access(
    gateway: &Gateway,
    destination: Destination,
    head: &mut Parts,
) -> Result<bool, Failure> {
    let caller = match Credential::of(head) {
        Credential::Header => {
            let Auth(caller) = Auth::<Caller>::from_request_parts(head, gateway).await?;
            caller
        }
        Credential::Git => SandboxGit::from_request_parts(head, gateway)
            .await?
            .into_caller(),
        Credential::Ticket => caller_of_ticket(gateway, &head.uri).await?,
    };
    match destination {
        Destination::Session(id) => match fleet::require_session(&gateway.app, &caller, id).await {
            Ok(()) => Ok(true),
            Err(app::Error::NotFound(_)) => Ok(false),
            Err(error) => Err(error.into()),
        },
        Destination::Instance(_) => {
            FleetAdmin::of(&gateway.app, &caller).await?;
            Ok(true)
        }
        Destination::Anywhere | Destination::AcceptingInstance => Ok(true),
    }
}

/// The caller of `/proliferate/{id}/look/{ticket}/...`.
async fn caller_of_ticket(gateway: &Gateway, uri: &Uri) -> Result<Caller, Failure> {
    let mut segments = uri.path().split('/').skip(2);
    let id: Option<SessionId> = segments.next().and_then(|id| id.parse().ok());
    let (Some(id), Some(ticket)) = (id, segments.nth(1)) else {
        let message = "there is nothing with this id";
        return Err(Failure::new(Code::NotFound, message));
    };
    let (insider, _port) = identity::authenticate_preview(&gateway.app, id, ticket).await?;
    Ok(insider.caller())
}
