//! What a WebSocket route does with a client, and what it knows of the upgrade request.

use std::future::Future;

use app::access::Insider;
use axum::{extract::ws::WebSocket, http::HeaderMap};
use domain::{
    capacity::{CapacityExceeded, CapacityPermit},
    id::SessionId,
};

use super::{client::SocketClient, close::Close};
use crate::{error::Failure, extract::StreamCredential, state::Gateway};

/// An upgrade request, before its permission is checked.
pub(super) struct UpgradeContext {
    pub(super) gateway: Gateway,
    pub(super) id: SessionId,
    pub(super) headers: HeaderMap,
    /// Whether the client authenticates with its first frame.
    pub(super) is_known_by_frame: bool,
}

impl UpgradeContext {
    pub(super) fn new(
        gateway: &Gateway,
        id: SessionId,
        headers: HeaderMap,
        socket_client: &SocketClient,
    ) -> Self {
        Self {
            gateway: gateway.clone(),
            id,
            headers,
            is_known_by_frame: matches!(socket_client, SocketClient::Unknown(_)),
        }
    }

    /// A permit for the connection on the client's account.
    pub(super) fn permit(&self, insider: &Insider) -> Result<CapacityPermit, CapacityExceeded> {
        let live_clients = &self.gateway.capacities.live_clients;
        live_clients.try_acquire(&insider.claimant(), 1)
    }

    /// The close reason for an invalid frame.
    pub(super) fn unreadable(&self) -> Close {
        if self.is_known_by_frame {
            Close::UnreadableAfterFrame
        } else {
            Close::Unreadable
        }
    }
}

/// A WebSocket route.
pub(super) trait SocketHandler: Sized + Send + Sync + 'static {
    /// The data of an admitted client.
    type Admitted: Send;
    /// The largest frame of a client that is authenticated at the upgrade.
    const FRAME_BYTES_MAX: usize;
    /// The operation under which a refusal is recorded; `None` for one that only reads.
    const REFUSED_AS: Option<&'static str>;

    fn enter(
        &self,
        context: &UpgradeContext,
        insider: Insider,
    ) -> impl Future<Output = Result<Self::Admitted, Failure>> + Send;

    fn run(
        context: UpgradeContext,
        admitted: Self::Admitted,
        credential: StreamCredential,
        socket: WebSocket,
    ) -> impl Future<Output = ()> + Send;
}
