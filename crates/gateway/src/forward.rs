//! Requests for sessions that another instance serves: carried there and back as they are, whatever they are (an answer, a
//! stream without end, a WebSocket), or refused with that instance's address.
//!
//! INVARIANT: a request is carried once at most. One that was says so, and is served or refused where it arrives.

mod carry;
mod destination;

use app::fleet::{self, Owner};
use axum::{
    body::{Body, Bytes},
    extract::{FromRequestParts as _, Request},
    http::{HeaderMap, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{
    caller::Caller,
    id::{InstanceId, SessionId},
};

pub(crate) use self::carry::carrier;
use self::{
    carry::{HOP, carry},
    destination::Destination,
};
use crate::{error::Failure, extract::Auth, state::Gateway};

/// Leads a request to the instance that has to do it.
pub(crate) async fn forward(gateway: &Gateway, request: Request, next: Next) -> Response {
    let destination = Destination::of(&request);
    let led = match destination {
        Destination::Anywhere => return next.run(request).await,
        Destination::Instance(id) => lead_to_instance(gateway, id, request.headers()).await,
        Destination::Session(id) => lead_to_owner(gateway, id).await,
        Destination::WhoeverOpens => lead_to_whoever_opens(gateway).await,
    };
    let is_upgrade = request.headers().contains_key(header::UPGRADE);
    match led {
        Ok(Led::Here) => next.run(request).await,
        // Its client reads the reason of a close, not the answer to an upgrade.
        Ok(Led::To { .. }) if is_upgrade && !carries(gateway, request.headers()) => {
            next.run(request).await
        }
        Ok(Led::To { url }) if carries(gateway, request.headers()) => {
            let carried = carry(gateway, &url, request).await;
            carried.unwrap_or_else(IntoResponse::into_response)
        }
        Ok(Led::To { url }) => {
            let failure = named(gateway, destination, url, request).await;
            failure.into_response()
        }
        Err(error) => Failure::from(error).into_response(),
    }
}

/// The answer of a session's owner, if that is another instance; for a route that knows its session only when it has
/// read the body.
pub(crate) async fn ask_owner(
    gateway: &Gateway,
    caller: &Caller,
    id: SessionId,
    parts: Parts,
    body: Bytes,
) -> Result<Option<Response>, Failure> {
    match lead_to_owner(gateway, id).await? {
        Led::Here => Ok(None),
        Led::To { url } if carries(gateway, &parts.headers) => {
            let request = Request::from_parts(parts, Body::from(body));
            carry(gateway, &url, request).await.map(Some)
        }
        Led::To { url } => Err(fleet::elsewhere(&gateway.app, caller, id, url).await.into()),
    }
}

/// What is answered where requests are not carried: who serves it, to those whom it concerns. All others are told what
/// that one would tell them.
async fn named(
    gateway: &Gateway,
    destination: Destination,
    url: String,
    request: Request,
) -> Failure {
    if Destination::has_credentials_of_its_own(&request) {
        return app::Error::Elsewhere { url }.into();
    }
    let (mut parts, _) = request.into_parts();
    match Auth::<Caller>::from_request_parts(&mut parts, gateway).await {
        Err(failure) => failure,
        Ok(Auth(caller)) => match destination {
            Destination::Session(id) => fleet::elsewhere(&gateway.app, &caller, id, url)
                .await
                .into(),
            _ => app::Error::Elsewhere { url }.into(),
        },
    }
}

fn carries(gateway: &Gateway, headers: &HeaderMap) -> bool {
    gateway.options.forward && !headers.contains_key(HOP)
}

/// Where a request is done.
enum Led {
    Here,
    To { url: String },
}

/// One that does not carry says itself where the other is, to whoever may know.
async fn lead_to_instance(
    gateway: &Gateway,
    id: InstanceId,
    headers: &HeaderMap,
) -> app::Result<Led> {
    if id == gateway.app.instance.id || !carries(gateway, headers) {
        return Ok(Led::Here);
    }
    match fleet::fetch(&gateway.app, id).await {
        Ok(instance) => Ok(Led::To {
            url: instance.advertised_url,
        }),
        // Who may not ask is told that first.
        Err(app::Error::NotFound(_)) => Ok(Led::Here),
        Err(error) => Err(error),
    }
}

async fn lead_to_owner(gateway: &Gateway, id: SessionId) -> app::Result<Led> {
    let is_absent = |house: &hub::house::House| !house.has(id);
    if !gateway.house.as_ref().is_some_and(is_absent) {
        return Ok(Led::Here);
    }
    match fleet::owner(&gateway.app, id).await {
        Ok(Owner::Other(instance)) => Ok(Led::To {
            url: instance.advertised_url,
        }),
        Ok(Owner::Lost) => Err(fleet::lost()),
        Ok(Owner::OursToTake) => lead_to_whoever_opens(gateway).await,
        // Whoever needs the lease finds out for itself.
        Err(_) => Ok(Led::Here),
    }
}

/// An instance that opens nothing leads what would be opened to another one, if there is one.
async fn lead_to_whoever_opens(gateway: &Gateway) -> app::Result<Led> {
    let house = gateway.house.as_ref();
    if house.is_none_or(|house| house.drain_progress().is_none()) {
        return Ok(Led::Here);
    }
    Ok(match fleet::successor(&gateway.app).await {
        Ok(Some(other)) => Led::To {
            url: other.advertised_url,
        },
        // It says itself why it does not.
        Ok(None) | Err(_) => Led::Here,
    })
}
