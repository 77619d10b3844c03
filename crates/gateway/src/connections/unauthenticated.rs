//! WebSockets whose clients are not authenticated yet: a limit in total, and a smaller one for each address.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use domain::limits::{SOCKETS_UNKNOWN_MAX, SOCKETS_UNKNOWN_PER_PEER_MAX};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Peer, RequestsFull};

/// The share of WebSockets for unauthenticated clients.
#[derive(Debug)]
pub(crate) struct UnauthenticatedSockets {
    room: Arc<Semaphore>,
    peers: Mutex<HashMap<Peer, usize>>,
}

/// A slot among them, freed when it is dropped: when its client is authenticated, or disconnected.
#[derive(Debug)]
pub(crate) struct UnauthenticatedSocket {
    _room: OwnedSemaphorePermit,
    sockets: Arc<UnauthenticatedSockets>,
    peer: Option<Peer>,
}

impl Default for UnauthenticatedSockets {
    fn default() -> Self {
        Self {
            room: Arc::new(Semaphore::new(SOCKETS_UNKNOWN_MAX)),
            peers: Mutex::default(),
        }
    }
}

impl UnauthenticatedSockets {
    pub(crate) fn begin(
        self: &Arc<Self>,
        peer: Option<Peer>,
    ) -> Result<UnauthenticatedSocket, RequestsFull> {
        let room = self.room.clone().try_acquire_owned();
        let room = room.map_err(|_| RequestsFull::All)?;
        if let Some(peer) = peer {
            let mut peers = self.peers();
            let count = peers.entry(peer).or_default();
            if *count >= SOCKETS_UNKNOWN_PER_PEER_MAX {
                return Err(RequestsFull::Client);
            }
            *count += 1;
        }
        Ok(UnauthenticatedSocket {
            _room: room,
            sockets: Arc::clone(self),
            peer,
        })
    }

    fn peers(&self) -> MutexGuard<'_, HashMap<Peer, usize>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnauthenticatedSocket {
    fn drop(&mut self) {
        let Some(peer) = self.peer else {
            return;
        };
        let mut peers = self.sockets.peers();
        if let Some(count) = peers.get_mut(&peer) {
            *count -= 1;
            if *count == 0 {
                peers.remove(&peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_has_a_part_and_gives_it_back() {
        let sockets = Arc::new(UnauthenticatedSockets::default());
        let [one, other] = [1, 2].map(|last| Some(Peer::V4([10, 0, 0, last].into())));
        let open = |peer, count| -> Vec<_> { (0..count).map(|_| sockets.begin(peer)).collect() };
        let held = open(one, SOCKETS_UNKNOWN_PER_PEER_MAX);
        assert!(held.iter().all(Result::is_ok));
        assert_eq!(sockets.begin(one).unwrap_err(), RequestsFull::Client);
        let others = open(other, 1);
        let rest = open(None, SOCKETS_UNKNOWN_MAX - held.len() - others.len());
        assert!(others.iter().chain(&rest).all(Result::is_ok));
        assert_eq!(sockets.begin(None).unwrap_err(), RequestsFull::All);
        drop((held, others, rest));
        assert!(sockets.peers().is_empty());
        assert!(sockets.begin(one).is_ok());
    }
}
