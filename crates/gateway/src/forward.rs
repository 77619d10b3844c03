//! Requests for sessions that another instance serves: carried there and back as they are, whatever they are (an answer, a
//! stream without end, a WebSocket), or refused with that instance's address.
//!
//! INVARIANT: a request is carried once at most. One that was says so, and is served or refused where it arrives.

mod carry;
mod destination;
mod refusal;

use app::fleet::{self, Owner};
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

pub(crate) use self::carry::carrier;
use self::{
    carry::{HOP, carry},
    destination::Destination,
    refusal::{Undelivered, refuse},
};
use crate::{error::Failure, state::Gateway};

/// Leads a request to the instance that has to do it.
pub(crate) async fn forward(gateway: &Gateway, request: Request, next: Next) -> Response {
    let destination = Destination::of(&request);
    let led = match destination {
        Destination::Anywhere => return next.run(request).await,
        Destination::Instance(id) => lead_to_instance(gateway, id, request.headers()).await,
        Destination::Session(id) => lead_to_owner(gateway, id).await,
        Destination::WhoeverOpens => lead_to_whoever_opens(gateway).await,
    };
    let (head, body) = request.into_parts();
    let is_upgrade = head.method == Method::GET && head.headers.contains_key(header::UPGRADE);
    let (failure, body) = match led {
        Ok(Led::Here) => return next.run(Request::from_parts(head, body)).await,
        Ok(Led::To { url }) if carries(gateway, &head.headers) => {
            let request = Request::from_parts(head.clone(), body);
            match carry(gateway, &url, request).await {
                Ok(response) => return response,
                Err(failure) => (failure, None),
            }
        }
        Ok(Led::To { url }) => (app::Error::Elsewhere { url }.into(), Some(body)),
        Ok(Led::Lost) => (fleet::lost().into(), Some(body)),
        Err(error) => return Failure::from(error).into_response(),
    };
    // Its client may say only on the socket who it is, and reads the reason of a close, not the answer to an upgrade.
    if is_upgrade {
        return next.run(Request::from_parts(head, Body::empty())).await;
    }
    let request = Undelivered { head, body };
    refuse(gateway, destination, failure, request, next).await
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
    let failure = match lead_to_owner(gateway, id).await? {
        Led::Here => return Ok(None),
        Led::To { url } if carries(gateway, &parts.headers) => {
            let request = Request::from_parts(parts, Body::from(body));
            match carry(gateway, &url, request).await {
                Ok(response) => return Ok(Some(response)),
                Err(failure) => failure,
            }
        }
        Led::To { url } => app::Error::Elsewhere { url }.into(),
        Led::Lost => fleet::lost().into(),
    };
    fleet::require_session(&gateway.app, caller, id).await?;
    Err(failure)
}

fn carries(gateway: &Gateway, headers: &HeaderMap) -> bool {
    gateway.options.forward && !headers.contains_key(HOP)
}

/// Where a request is done.
enum Led {
    Here,
    To {
        url: String,
    },
    /// Nowhere until a lease ends: the session's owner is gone.
    Lost,
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
        Ok(Owner::Lost) => Ok(Led::Lost),
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
