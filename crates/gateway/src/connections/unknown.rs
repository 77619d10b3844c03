//! WebSockets whose clients did not say yet who they are: a bound for all of them, and a smaller one for each address.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use domain::limits::{SOCKETS_UNKNOWN_MAX, SOCKETS_UNKNOWN_PER_PEER_MAX};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Full, Peer};

/// The share of WebSockets that anyone may open.
#[derive(Debug)]
pub(crate) struct UnknownSockets {
    room: Arc<Semaphore>,
    peers: Mutex<HashMap<Peer, usize>>,
}

/// A place among them, given back when it is dropped: when its client is known, or gone.
#[derive(Debug)]
pub(crate) struct UnknownSocket {
    _room: OwnedSemaphorePermit,
    sockets: Arc<UnknownSockets>,
    peer: Option<Peer>,
}

impl Default for UnknownSockets {
    fn default() -> Self {
        Self {
            room: Arc::new(Semaphore::new(SOCKETS_UNKNOWN_MAX)),
            peers: Mutex::default(),
        }
    }
}

impl UnknownSockets {
    pub(crate) fn begin(self: &Arc<Self>, peer: Option<Peer>) -> Result<UnknownSocket, Full> {
        let room = self.room.clone().try_acquire_owned();
        let room = room.map_err(|_| Full::All)?;
        if let Some(peer) = peer {
            let mut peers = self.peers();
            let count = peers.entry(peer).or_default();
            if *count >= SOCKETS_UNKNOWN_PER_PEER_MAX {
                return Err(Full::Client);
            }
            *count += 1;
        }
        Ok(UnknownSocket {
            _room: room,
            sockets: Arc::clone(self),
            peer,
        })
    }

    fn peers(&self) -> MutexGuard<'_, HashMap<Peer, usize>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnknownSocket {
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
        let sockets = Arc::new(UnknownSockets::default());
        let [one, other] = [1, 2].map(|last| Some(Peer::V4([10, 0, 0, last].into())));
        let open = |peer, count| -> Vec<_> { (0..count).map(|_| sockets.begin(peer)).collect() };
        let held = open(one, SOCKETS_UNKNOWN_PER_PEER_MAX);
        assert!(held.iter().all(Result::is_ok));
        assert_eq!(sockets.begin(one).unwrap_err(), Full::Client);
        let others = open(other, 1);
        let rest = open(None, SOCKETS_UNKNOWN_MAX - held.len() - others.len());
        assert!(others.iter().chain(&rest).all(Result::is_ok));
        assert_eq!(sockets.begin(None).unwrap_err(), Full::All);
        drop((held, others, rest));
        assert!(sockets.peers().is_empty());
        assert!(sockets.begin(one).is_ok());
    }
}
