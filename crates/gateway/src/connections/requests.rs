//! Requests under way: a limit in total, and a part of it per client.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use domain::limits::{REQUESTS_FROM_LOOPBACK_PART, REQUESTS_PER_PEER_PART};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::Peer;

/// A share of the requests that the instance serves at once.
#[derive(Debug)]
pub(crate) struct Requests {
    room: Semaphore,
    max: usize,
    clients: Mutex<HashMap<Peer, usize>>,
}

/// A request under way.
#[derive(Debug)]
pub(crate) struct RequestSlot<'a> {
    _room: SemaphorePermit<'a>,
    requests: &'a Requests,
    client: Option<Peer>,
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestsFull {
    /// The whole share is used up.
    All,
    /// The part of this client is.
    Client,
}

impl Requests {
    pub(crate) fn new(max: usize) -> Self {
        Self {
            room: Semaphore::new(max),
            max,
            clients: Mutex::default(),
        }
    }

    pub(crate) fn begin(&self, client: Option<Peer>) -> Result<RequestSlot<'_>, RequestsFull> {
        let room = self.room.try_acquire().map_err(|_| RequestsFull::All)?;
        if let Some(client) = client {
            let mut clients = self.clients();
            let count = clients.entry(client).or_default();
            if *count >= self.per_client(client) {
                return Err(RequestsFull::Client);
            }
            *count += 1;
        }
        Ok(RequestSlot {
            _room: room,
            requests: self,
            client,
        })
    }

    fn per_client(&self, client: Peer) -> usize {
        let part = match client {
            Peer::Loopback => REQUESTS_FROM_LOOPBACK_PART,
            Peer::V4(_) | Peer::V6Network(_) => REQUESTS_PER_PEER_PART,
        };
        (self.max / part).max(1)
    }

    fn clients(&self) -> MutexGuard<'_, HashMap<Peer, usize>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RequestSlot<'_> {
    fn drop(&mut self) {
        let Some(client) = self.client else {
            return;
        };
        let mut clients = self.requests.clients();
        if let Some(count) = clients.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                clients.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_has_a_part_and_gives_it_back() {
        let requests = Requests::new(8);
        let [one, other] = [1, 2].map(|last| Some(Peer::V4([10, 0, 0, last].into())));
        let held = [requests.begin(one).unwrap(), requests.begin(one).unwrap()];
        assert_eq!(requests.begin(one).unwrap_err(), RequestsFull::Client);
        let others = [
            requests.begin(other).unwrap(),
            requests.begin(other).unwrap(),
        ];
        let local: Vec<_> = (0..4)
            .map(|_| requests.begin(Some(Peer::Loopback)).unwrap())
            .collect();
        assert_eq!(requests.begin(None).unwrap_err(), RequestsFull::All);
        drop((held, others, local));
        assert!(requests.clients().is_empty());
        assert!(requests.begin(None).is_ok());
    }
}
