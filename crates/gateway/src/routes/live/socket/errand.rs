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
    limits::{SOCKET_READ_BUFFER_BYTES, SOCKET_WRITE_BUFFER_BYTES},
};
use wire::problem::Code;

use super::{
    close::Close,
    visitor::{PROTOCOL, Visitor},
};
use crate::{
    error::Failure,
    extract::{Standing, Staying},
    state::Gateway,
};

/// Where a client came, before it is known whether it may.
pub(super) struct Visit {
    pub(super) gateway: Gateway,
    pub(super) id: SessionId,
    pub(super) headers: HeaderMap,
}

impl Visit {
    /// Of the connections that the client's side may have.
    pub(super) fn permit(&self, insider: &Insider) -> Result<CapacityPermit, CapacityExceeded> {
        let live_clients = &self.gateway.capacities.live_clients;
        live_clients.try_acquire(&insider.claimant(), 1)
    }
}

/// What is done on a connection.
pub(super) trait Errand: Sized + Send + Sync + 'static {
    /// What whoever may come in is given.
    type Entered: Send;
    /// The largest frame that a client may send.
    const FRAME_BYTES_MAX: usize;

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
    let upgrade = upgrade
        .protocols([PROTOCOL])
        .max_message_size(E::FRAME_BYTES_MAX)
        .max_frame_size(E::FRAME_BYTES_MAX)
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
        Visitor::Unknown => {
            let unknown = sockets.unknown.clone().try_acquire_owned().map_err(full)?;
            upgrade.on_upgrade(async move |mut socket| {
                let _here = (room, open);
                let entered = visit.introduce(&errand, &mut socket).await;
                if let Some((entered, standing, _permit)) = entered {
                    drop(unknown);
                    E::run(visit, entered, standing, socket).await;
                }
            })
        }
    })
}
