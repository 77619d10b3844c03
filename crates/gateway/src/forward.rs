//! Requests for sessions that another instance serves: forwarded to it unchanged (a plain response, a stream without
//! end, a WebSocket), or refused with that instance's URL.
//!
//! INVARIANT: a request is forwarded once at most. A forwarded one is marked, and is served or refused where it
//! arrives.

mod client;
mod destination;
mod proxy;
mod undelivered;

use app::fleet::{self, SessionOwner};
use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderMap, Method, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{
    caller::Caller,
    id::{InstanceId, SessionId},
};

pub(crate) use self::client::forward_client;
use self::{
    destination::Destination,
    proxy::{HOP, send_to_instance},
    undelivered::{UndeliveredRequest, respond_undelivered},
};
use crate::{error::Failure, state::Gateway};

/// Forwards a request to the instance that has to handle it.
pub(crate) async fn forward(gateway: &Gateway, request: Request, next: Next) -> Response {
    let destination = Destination::of(&request);
    let decision = match destination {
        Destination::Anywhere => return next.run(request).await,
        Destination::Instance(id) => route_to_instance(gateway, id, request.headers()).await,
        Destination::Session(id) => route_to_owner(gateway, id).await,
        Destination::AcceptingInstance => route_to_accepting_instance(gateway).await,
    };
    let (head, body) = request.into_parts();
    let is_upgrade = head.method == Method::GET && head.headers.contains_key(header::UPGRADE);
    let (failure, body) = match decision {
        Ok(RoutingDecision::Here) => return next.run(Request::from_parts(head, body)).await,
        Ok(RoutingDecision::To { url }) if may_forward(gateway, &head.headers) => {
            let request = Request::from_parts(head.clone(), body);
            match send_to_instance(gateway, &url, request).await {
                Ok(response) => return response,
                Err(failure) => (failure, None),
            }
        }
        Ok(RoutingDecision::To { url }) => (app::Error::Elsewhere { url }.into(), Some(body)),
        Ok(RoutingDecision::Lost) => (fleet::owner_unavailable().into(), Some(body)),
        Err(error) => return Failure::from(error).into_response(),
    };
    // Its client may authenticate only on the socket, and reads the reason of a close, not the response to an
    // upgrade.
    if is_upgrade {
        return next.run(Request::from_parts(head, Body::empty())).await;
    }
    let request = UndeliveredRequest { head, body };
    respond_undelivered(gateway, destination, failure, request, next).await
}

/// The response of a session's owner, if that is another instance; for a route that knows its session only after
/// reading the body.
pub(crate) async fn forward_to_owner(
    gateway: &Gateway,
    caller: &Caller,
    id: SessionId,
    parts: Parts,
    body: Bytes,
) -> Result<Option<Response>, Failure> {
    let failure = match route_to_owner(gateway, id).await? {
        RoutingDecision::Here => return Ok(None),
        RoutingDecision::To { url } if may_forward(gateway, &parts.headers) => {
            let request = Request::from_parts(parts, Body::from(body));
            match send_to_instance(gateway, &url, request).await {
                Ok(response) => return Ok(Some(response)),
                Err(failure) => failure,
            }
        }
        RoutingDecision::To { url } => app::Error::Elsewhere { url }.into(),
        RoutingDecision::Lost => fleet::owner_unavailable().into(),
    };
    fleet::require_session(&gateway.app, caller, id).await?;
    Err(failure)
}

fn may_forward(gateway: &Gateway, headers: &HeaderMap) -> bool {
    gateway.options.forward && !headers.contains_key(HOP)
}

/// Where a request is handled.
enum RoutingDecision {
    Here,
    To {
        url: String,
    },
    /// Nowhere until a lease expires: the session's owner is dead.
    Lost,
}

/// With forwarding off, returns the other instance's URL to permitted callers.
async fn route_to_instance(
    gateway: &Gateway,
    id: InstanceId,
    headers: &HeaderMap,
) -> app::Result<RoutingDecision> {
    if id == gateway.app.instance.id || !may_forward(gateway, headers) {
        return Ok(RoutingDecision::Here);
    }
    match fleet::fetch(&gateway.app, id).await {
        Ok(instance) => Ok(RoutingDecision::To {
            url: instance.advertised_url,
        }),
        // A caller without permission is told that first.
        Err(app::Error::NotFound(_)) => Ok(RoutingDecision::Here),
        Err(error) => Err(error),
    }
}

async fn route_to_owner(gateway: &Gateway, id: SessionId) -> app::Result<RoutingDecision> {
    let is_absent = |hub: &hub::Hub| !hub.registry.is_live(id);
    if !gateway.hub.as_ref().is_some_and(is_absent) {
        return Ok(RoutingDecision::Here);
    }
    match fleet::owner(&gateway.app, id).await {
        Ok(SessionOwner::Other(instance)) => Ok(RoutingDecision::To {
            url: instance.advertised_url,
        }),
        Ok(SessionOwner::Lost) => Ok(RoutingDecision::Lost),
        Ok(SessionOwner::NoOther) => route_to_accepting_instance(gateway).await,
        // The handler acquires the lease itself and reports the failure.
        Err(_) => Ok(RoutingDecision::Here),
    }
}

/// An instance that opens no sessions forwards such requests to one that does, if there is one.
async fn route_to_accepting_instance(gateway: &Gateway) -> app::Result<RoutingDecision> {
    let hub = gateway.hub.as_ref();
    if hub.is_none_or(|hub| hub.fleet.drain_progress().is_none()) {
        return Ok(RoutingDecision::Here);
    }
    Ok(match fleet::successor(&gateway.app).await {
        Ok(Some(other)) => RoutingDecision::To {
            url: other.advertised_url,
        },
        // The handler itself reports why it opens none.
        Ok(None) | Err(_) => RoutingDecision::Here,
    })
}
