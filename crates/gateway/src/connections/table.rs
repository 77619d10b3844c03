//! The connections of one listener. A new one is admitted, if necessary by closing an idle one: the oldest that
//! has sent no request, else those that are idle the longest, first of the same client.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::http::Extensions;
use domain::{clock::Clock, id::SessionId};
use wire::problem::Code;

use super::{ActiveRequest, ClientConnection, ConnectionBounds, Peer, Proxies};
use crate::error::Failure;

/// The part of a full set of connections that is closed at once when idle ones are searched: the cost of the search
/// grows with the number of connections.
const IDLE_ENDED_PART: usize = 16;

/// The connections of one listener.
#[derive(Debug)]
pub(crate) struct Connections {
    pub(crate) name: &'static str,
    pub(crate) bounds: ConnectionBounds,
    proxies: Arc<Proxies>,
    clock: Arc<dyn Clock>,
    table: Mutex<Table>,
}

/// The slot of a connection in the table, freed when it is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    pub(crate) connection: Arc<ClientConnection>,
    table: Arc<Connections>,
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.table.release(self.connection.id);
    }
}

#[derive(Debug, Default)]
struct Table {
    next: u64,
    /// Ids grow: the first is the oldest.
    open: BTreeMap<u64, Entry>,
    all: Members,
    peers: HashMap<Peer, Members>,
    sessions: HashMap<SessionId, Members>,
}

#[derive(Debug)]
struct Entry {
    connection: Arc<ClientConnection>,
    session: Option<SessionId>,
}

/// Connections that share a limit.
#[derive(Debug, Default)]
struct Members {
    open: BTreeSet<u64>,
    /// Of them, those without a request so far.
    handshakes: BTreeSet<u64>,
}

impl Connections {
    pub(crate) fn new(
        name: &'static str,
        bounds: ConnectionBounds,
        proxies: Proxies,
        clock: Arc<dyn Clock>,
    ) -> Arc<Self> {
        Arc::new(Self {
            name,
            bounds,
            proxies: Arc::new(proxies),
            clock,
            table: Mutex::default(),
        })
    }

    /// Returns a slot for a connection from this address; `None` if it must be closed.
    pub(crate) fn admit(self: &Arc<Self>, remote: IpAddr) -> Option<ConnectionSlot> {
        let is_proxy = self.proxies.contains(remote);
        let peer = (!is_proxy).then(|| Peer::of(remote, self.bounds.loopback));
        let connection = self.table().admit(self, remote, peer);
        let label = [("listener", self.name)];
        match &connection {
            Some(_) => metrics::gauge!("proliferate_connections", &label).increment(1.0),
            None => metrics::counter!("proliferate_connections_refused_total", &label).increment(1),
        }
        connection.map(|connection| ConnectionSlot {
            connection,
            table: Arc::clone(self),
        })
    }

    fn release(&self, id: u64) {
        self.table().remove(id);
        metrics::gauge!("proliferate_connections", "listener" => self.name).decrement(1.0);
    }

    /// Counts a request of a connection; `None` if that is closing.
    pub(crate) fn begin_request(
        &self,
        connection: &Arc<ClientConnection>,
    ) -> Option<ActiveRequest> {
        let request = connection.begin_request()?;
        if connection.mark_requested() {
            self.table().record_request(connection.id);
        }
        Some(request)
    }

    /// Closes idle connections, because the process has no file descriptors left.
    pub(crate) fn close_idle(&self) {
        let mut table = self.table();
        let Some(ids) = table.claim_idle(None) else {
            return;
        };
        table.close(&ids);
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn per_peer(&self, peer: Peer) -> usize {
        match peer {
            Peer::Loopback => self.bounds.from_loopback_max,
            Peer::V4(_) | Peer::V6Network(_) => self.bounds.per_peer_max,
        }
    }
}

impl Table {
    fn admit(
        &mut self,
        connections: &Arc<Connections>,
        remote: IpAddr,
        peer: Option<Peer>,
    ) -> Option<Arc<ClientConnection>> {
        let bounds = &connections.bounds;
        if let Some(peer) = peer {
            let (handshakes, open) = self.peers.get(&peer).map_or((0, 0), Members::counts);
            if handshakes >= bounds.handshakes_per_peer_max {
                self.close_oldest_handshake(Some(peer))?;
            } else if open >= connections.per_peer(peer) {
                let ids = self.claim_idle(Some(peer))?;
                self.close(&ids);
            }
        }
        let (handshakes, open) = self.all.counts();
        if handshakes >= bounds.handshakes_max {
            self.close_oldest_handshake(None)?;
        } else if open >= bounds.connections_max {
            let ids = self.claim_idle(None)?;
            self.close(&ids);
        }
        let id = self.next;
        self.next += 1;
        let clock = Arc::clone(&connections.clock);
        let proxies = Arc::clone(&connections.proxies);
        let connection = Arc::new(ClientConnection::new(id, remote, peer, proxies, clock));
        self.all.insert(id);
        if let Some(peer) = peer {
            self.peers.entry(peer).or_default().insert(id);
        }
        let entry = Entry {
            connection: Arc::clone(&connection),
            session: None,
        };
        self.open.insert(id, entry);
        Some(connection)
    }

    /// Closes the oldest connection without a request, of this peer or of all. `None` if every connection
    /// has sent one.
    fn close_oldest_handshake(&mut self, peer: Option<Peer>) -> Option<()> {
        let id = self.oldest_handshake(self.members(peer)?)?;
        self.close(&[id]);
        Some(())
    }

    fn oldest_handshake(&self, members: &Members) -> Option<u64> {
        let mut handshakes = members.handshakes.iter();
        handshakes.find(|id| self.claim(**id)).copied()
    }

    /// Claims connections that can be closed for a new one: the oldest without a request, else a part of the idle
    /// ones.
    fn claim_idle(&self, peer: Option<Peer>) -> Option<Vec<u64>> {
        self.claim_of(self.members(peer)?)
    }

    fn claim_of(&self, members: &Members) -> Option<Vec<u64>> {
        if let Some(id) = self.oldest_handshake(members) {
            return Some(vec![id]);
        }
        let since = |id: &u64| self.open.get(id)?.connection.idle_since();
        let idle = members.open.iter();
        let mut idle: Vec<(u64, u64)> = idle.filter_map(|id| Some((since(id)?, *id))).collect();
        idle.sort_unstable();
        idle.truncate((members.open.len() / IDLE_ENDED_PART).max(1));
        let ids: Vec<u64> = idle.into_iter().map(|(_, id)| id).collect();
        let ids: Vec<u64> = ids.into_iter().filter(|id| self.claim(*id)).collect();
        (!ids.is_empty()).then_some(ids)
    }

    fn members(&self, peer: Option<Peer>) -> Option<&Members> {
        match peer {
            None => Some(&self.all),
            Some(peer) => self.peers.get(&peer),
        }
    }

    fn claim(&self, id: u64) -> bool {
        self.open
            .get(&id)
            .is_some_and(|entry| entry.connection.claim())
    }

    fn close(&mut self, ids: &[u64]) {
        for id in ids {
            self.remove(*id);
        }
        metrics::counter!("proliferate_connections_ended_for_others_total")
            .increment(ids.len() as u64);
    }

    fn record_request(&mut self, id: u64) {
        self.all.handshakes.remove(&id);
        let peer = self.open.get(&id).and_then(|entry| entry.connection.peer);
        if let Some(members) = peer.and_then(|peer| self.peers.get_mut(&peer)) {
            members.handshakes.remove(&id);
        }
    }

    /// Assigns a connection to a session; false if its sandbox may have no more connections.
    fn assign_to_session(&mut self, id: u64, session: SessionId, max: usize) -> bool {
        let Some(entry) = self.open.get(&id) else {
            return true;
        };
        let before = entry.session;
        if before == Some(session) {
            return true;
        }
        let full = self.sessions.get(&session);
        if let Some(members) = full.filter(|members| members.open.len() >= max) {
            let Some(ids) = self.claim_of(members) else {
                return false;
            };
            self.close(&ids);
        }
        if let Some(before) = before {
            remove_member(&mut self.sessions, &before, id);
        }
        self.sessions.entry(session).or_default().open.insert(id);
        if let Some(entry) = self.open.get_mut(&id) {
            entry.session = Some(session);
        }
        true
    }

    fn remove(&mut self, id: u64) {
        let Some(entry) = self.open.remove(&id) else {
            return;
        };
        self.all.remove(id);
        if let Some(peer) = entry.connection.peer {
            remove_member(&mut self.peers, &peer, id);
        }
        if let Some(session) = entry.session {
            remove_member(&mut self.sessions, &session, id);
        }
    }
}

/// Counts the connection of a request as one of this session's sandbox. A connection belongs to no sandbox before it has
/// presented a token, and in tests without a socket there is none.
pub(crate) fn assign_to_session(
    extensions: &Extensions,
    session_id: SessionId,
) -> Result<(), Failure> {
    let connection = extensions.get::<Arc<ClientConnection>>();
    let connections = extensions.get::<Arc<Connections>>();
    let (Some(connection), Some(connections)) = (connection, connections) else {
        return Ok(());
    };
    // A proxy carries many sessions on one connection.
    if connection.is_proxy() {
        return Ok(());
    }
    let per_session_max = connections.bounds.per_session_max;
    let mut table = connections.table();
    if table.assign_to_session(connection.id, session_id, per_session_max) {
        return Ok(());
    }
    let detail = "the sandbox of this session has too many connections open";
    Err(Failure::new(Code::Overloaded, detail))
}

/// Removes the entries of clients without a connection.
fn remove_member<K: Eq + std::hash::Hash>(of: &mut HashMap<K, Members>, key: &K, id: u64) {
    if let Some(members) = of.get_mut(key) {
        members.remove(id);
        if members.open.is_empty() {
            of.remove(key);
        }
    }
}

impl Members {
    fn counts(&self) -> (usize, usize) {
        (self.handshakes.len(), self.open.len())
    }

    fn insert(&mut self, id: u64) {
        self.open.insert(id);
        self.handshakes.insert(id);
    }

    fn remove(&mut self, id: u64) {
        self.open.remove(&id);
        self.handshakes.remove(&id);
    }
}
