//! What a client of a WebSocket came for, and its way in: known by a header or a subprotocol it is refused by a status,
//! known by its first frame by the reason of the close.

use std::future::Future;

use app::access::Insider;
use axum::{
    extract::ws::{WebSocket, WebSocketUpgrade},
    http::HeaderMap,
    response::Response,
};
use domain::{
    capacity::{CapacityExceeded, CapacityPermit},
    id::SessionId,
    limits::{SOCKET_READ_BUFFER_BYTES, SOCKET_UNKNOWN_FRAME_BYTES_MAX, SOCKET_WRITE_BUFFER_BYTES},
};
use wire::problem::Code;

use super::{
    close::Close,
    visitor::{PROTOCOL, Visitor},
};
use crate::{
    connections::Full,
    error::Failure,
    extract::{Standing, Staying},
    state::Gateway,
};

/// Where a client came, before it is known whether it may.
pub(super) struct Visit {
    pub(super) gateway: Gateway,
    pub(super) id: SessionId,
    pub(super) headers: HeaderMap,
    /// Whether its first frame says who the client is.
    is_known_by_frame: bool,
}

impl Visit {
    pub(super) fn new(
        gateway: &Gateway,
        id: SessionId,
        headers: HeaderMap,
        visitor: &Visitor,
    ) -> Self {
        Self {
            gateway: gateway.clone(),
            id,
            headers,
            is_known_by_frame: matches!(visitor, Visitor::Unknown(_)),
        }
    }

    /// Of the connections that the client's side may have.
    pub(super) fn permit(&self, insider: &Insider) -> Result<CapacityPermit, CapacityExceeded> {
        let live_clients = &self.gateway.capacities.live_clients;
        live_clients.try_acquire(&insider.claimant(), 1)
    }

    /// How a connection ends on which a frame cannot be read.
    pub(super) fn unreadable(&self) -> Close {
        if self.is_known_by_frame {
            Close::UnreadableAfterFrame
        } else {
            Close::Unreadable
        }
    }
}

/// What is done on a connection.
pub(super) trait Errand: Sized + Send + Sync + 'static {
    /// What whoever may come in is given.
    type Entered: Send;
    /// The largest frame of a client that is known at the upgrade.
    const FRAME_BYTES_MAX: usize;
    /// The operation that a refusal is recorded as; `None` for one that only reads.
    const REFUSED_AS: Option<&'static str>;

    fn enter(
        &self,
        visit: &Visit,
        insider: Insider,
    ) -> impl Future<Output = Result<Self::Entered, Failure>> + Send;

    fn run(
        visit: Visit,
        entered: Self::Entered,
        standing: Standing,
        socket: WebSocket,
    ) -> impl Future<Output = ()> + Send;
}

/// Lets a client in for its errand.
pub(super) async fn admit<E: Errand>(
    visit: Visit,
    errand: E,
    visitor: Visitor,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let full = |_| Failure::new(Code::Overloaded, "too many clients are connected");
    let sockets = visit.gateway.sockets.clone();
    let room = sockets.room.clone().try_acquire_owned().map_err(full)?;
    let open = sockets.open.token();
    // It cannot be raised later: a connection keeps the limit that it was opened with.
    let frame_bytes_max = if visit.is_known_by_frame {
        E::FRAME_BYTES_MAX.min(SOCKET_UNKNOWN_FRAME_BYTES_MAX)
    } else {
        E::FRAME_BYTES_MAX
    };
    let upgrade = upgrade
        .protocols([PROTOCOL])
        .max_message_size(frame_bytes_max)
        .max_frame_size(frame_bytes_max)
        .read_buffer_size(SOCKET_READ_BUFFER_BYTES)
        .write_buffer_size(SOCKET_WRITE_BUFFER_BYTES);
    Ok(match visitor {
        Visitor::Known(staying) => {
            let Staying(insider, standing) = *staying;
            // Refused here, a client is told why by the status.
            let permit = visit.permit(&insider)?;
            let entered = match errand.enter(&visit, insider).await {
                Ok(entered) => entered,
                // This one by the close: few clients are shown the answer to an upgrade.
                Err(failure) if failure.code == Code::WrongInstance => {
                    return Ok(upgrade.on_upgrade(async move |mut socket| {
                        let _here = (room, open);
                        Close::WrongInstance.send(&mut socket).await;
                    }));
                }
                Err(failure) => return Err(failure),
            };
            upgrade.on_upgrade(async move |socket| {
                let _here = (room, open, permit);
                E::run(visit, entered, standing, socket).await;
            })
        }
        Visitor::Unknown(peer) => {
            let unknown = sockets.unknown.begin(peer).map_err(unknown_full)?;
            upgrade.on_upgrade(async move |mut socket| {
                let _here = (room, open);
                let entered = visit.introduce(&errand, unknown, &mut socket).await;
                if let Some((entered, standing, _permit)) = entered {
                    E::run(visit, entered, standing, socket).await;
                }
            })
        }
    })
}

fn unknown_full(full: Full) -> Failure {
    let detail = match full {
        Full::All => "too many connected clients have not sent their `auth` frame",
        Full::Client => {
            "too many connections from this address have not sent their `auth` frame; send it, or give the token in a \
             header or a subprotocol"
        }
    };
    Failure::new(Code::Overloaded, detail)
}
