//! Live connections to MCP servers, one for each session that uses a connector. A server may keep state with
//! its session, a browser for instance: it is never shared between two sessions of ours.
//!
//! Not `moka`: connections expire on the project's clock, each organization has a bound of its own besides the one of all, and
//! what is evicted is closed outside the lock.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::{
    clock::Clock,
    id::{ConnectorId, OrganizationId, SessionId},
    limits::{
        CONNECTOR_LINK_IDLE, CONNECTOR_LINK_LIFE, CONNECTOR_LINKS_MAX,
        CONNECTOR_LINKS_PER_ORGANIZATION_MAX,
    },
};
use futures::{FutureExt as _, future::BoxFuture};
use tokio::sync::OnceCell;
use tools::egress::EgressGuard;

use crate::{
    failure::Failure,
    mcp::{client::McpConnection, config::Connector, secret::Credential},
};

/// The connections of this process.
#[derive(Debug)]
pub(crate) struct McpConnections {
    clock: Arc<dyn Clock>,
    guard: EgressGuard,
    slots: Mutex<HashMap<ConnectionKey, Slot>>,
}

/// INVARIANT: everything that identifies the two ends is in the key: organization and session of the gateway's end, the
/// server and the digest of the secret of the server's end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ConnectionKey {
    organization_id: OrganizationId,
    session_id: SessionId,
    connector_id: ConnectorId,
    fingerprint: String,
    secret_digest: String,
}

#[derive(Debug, Clone)]
struct Slot {
    connection: Arc<OnceCell<Arc<McpConnection>>>,
    made_at: Duration,
    used_at: Duration,
}

/// A connection that a caller uses.
#[derive(Debug)]
pub(crate) struct LentConnection {
    pub(crate) connection: Arc<McpConnection>,
    /// Its key and slot; `None` for one that belongs to this call alone.
    slot: Option<(ConnectionKey, Arc<OnceCell<Arc<McpConnection>>>)>,
}

impl McpConnections {
    pub(crate) fn new(clock: Arc<dyn Clock>, guard: EgressGuard) -> Self {
        Self {
            clock,
            guard,
            slots: Mutex::default(),
        }
    }

    /// The session's connection, or a new one. Without a session, one for this call alone.
    pub(crate) async fn lend(
        &self,
        organization_id: &OrganizationId,
        session_id: Option<SessionId>,
        connector: &Connector,
        credential: Credential,
    ) -> Result<LentConnection, Failure> {
        let Some(session_id) = session_id else {
            let connection = Arc::new(open(&self.guard, connector, credential).await?);
            return Ok(LentConnection {
                connection,
                slot: None,
            });
        };
        let key = ConnectionKey {
            organization_id: organization_id.clone(),
            session_id,
            connector_id: connector.id,
            fingerprint: connector.fingerprint(),
            secret_digest: credential.digest.clone(),
        };
        let cell = self.cell(&key);
        let made = || async { open(&self.guard, connector, credential).await.map(Arc::new) };
        match cell.get_or_try_init(made).await {
            Ok(connection) => Ok(LentConnection {
                connection: Arc::clone(connection),
                slot: Some((key, Arc::clone(&cell))),
            }),
            Err(failure) => {
                self.remove(&key, &cell);
                Err(failure)
            }
        }
    }

    /// Does not lend this connection out again. Calls that run on it continue.
    pub(crate) fn retire(&self, lent: &LentConnection) {
        if let Some((key, cell)) = &lent.slot {
            self.remove(key, cell);
        }
    }

    /// Closes connections that were idle for too long.
    pub(crate) fn sweep(&self) {
        let now = self.clock.monotonic();
        let gone = remove_unusable(&mut self.lock(), now);
        // Closed here, outside the lock.
        drop(gone);
    }

    /// Closes the connections to a connector, of every session.
    pub(crate) fn forget(&self, organization_id: &OrganizationId, connector_id: ConnectorId) {
        let mut slots = self.lock();
        slots.retain(|key, _| {
            key.connector_id != connector_id || key.organization_id != *organization_id
        });
    }

    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    fn cell(&self, key: &ConnectionKey) -> Arc<OnceCell<Arc<McpConnection>>> {
        let now = self.clock.monotonic();
        let mut slots = self.lock();
        if let Some(slot) = slots.get_mut(key).filter(|slot| slot.is_usable(now)) {
            slot.used_at = now;
            return Arc::clone(&slot.connection);
        }
        let gone = remove_unusable(&mut slots, now);
        let is_ours = |other: &ConnectionKey| other.organization_id == key.organization_id;
        make_room(&mut slots, CONNECTOR_LINKS_PER_ORGANIZATION_MAX, is_ours);
        make_room(&mut slots, CONNECTOR_LINKS_MAX, |_| true);
        let connection = Arc::default();
        let slot = Slot {
            connection: Arc::clone(&connection),
            made_at: now,
            used_at: now,
        };
        slots.insert(key.clone(), slot);
        drop(slots);
        // Closed here, outside the lock.
        drop(gone);
        connection
    }

    fn remove(&self, key: &ConnectionKey, cell: &Arc<OnceCell<Arc<McpConnection>>>) {
        let mut slots = self.lock();
        // Another caller may have put a new one there.
        if slots
            .get(key)
            .is_some_and(|slot| Arc::ptr_eq(&slot.connection, cell))
        {
            slots.remove(key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ConnectionKey, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Boxed, so that the future of a caller that finds a connection does not hold the one that opens it.
fn open<'a>(
    guard: &'a EgressGuard,
    connector: &'a Connector,
    credential: Credential,
) -> BoxFuture<'a, Result<McpConnection, Failure>> {
    McpConnection::open(guard, connector, credential).boxed()
}

/// Removes the connections that are not lent out again.
fn remove_unusable(slots: &mut HashMap<ConnectionKey, Slot>, now: Duration) -> Vec<Slot> {
    let bad = slots.extract_if(|_, slot| !slot.is_usable(now));
    bad.map(|(_, slot)| slot).collect()
}

/// Makes room for one more connection among the selected ones: removes the ones that were unused longest.
fn make_room(
    slots: &mut HashMap<ConnectionKey, Slot>,
    max: usize,
    is_selected: impl Fn(&ConnectionKey) -> bool,
) {
    while slots.keys().filter(|key| is_selected(key)).count() >= max {
        let meant = slots.iter().filter(|(key, _)| is_selected(key));
        let oldest = meant.min_by_key(|(_, slot)| slot.used_at);
        let Some(key) = oldest.map(|(key, _)| key.clone()) else {
            return;
        };
        slots.remove(&key);
    }
}

impl Slot {
    fn is_usable(&self, now: Duration) -> bool {
        let is_closed = self
            .connection
            .get()
            .is_some_and(|connection| connection.is_closed());
        let idle = now.saturating_sub(self.used_at);
        let age = now.saturating_sub(self.made_at);
        !is_closed && idle < CONNECTOR_LINK_IDLE && age < CONNECTOR_LINK_LIFE
    }
}

#[cfg(test)]
mod tests {
    use testkit::clock::FakeClock;
    use tools::egress::SystemResolver;
    use uuid::Uuid;

    use super::*;

    fn key(organization: &str, session: usize) -> ConnectionKey {
        ConnectionKey {
            organization_id: organization.parse().unwrap(),
            session_id: SessionId::from_uuid(Uuid::from_u128(session as u128)),
            connector_id: ConnectorId::from_uuid(Uuid::nil()),
            fingerprint: String::new(),
            secret_digest: String::new(),
        }
    }

    #[test]
    fn connections_are_bounded_and_a_busy_organization_makes_room_for_itself() {
        let clock = Arc::new(FakeClock::new());
        let guard = EgressGuard::new(Arc::new(SystemResolver), []);
        let connections = McpConnections::new(clock.clone(), guard);
        let quiet = key("quiet", 0);
        let first = connections.cell(&quiet);
        for session in 0..1000 {
            clock.advance(Duration::from_millis(1));
            connections.cell(&key("busy", session));
        }
        assert_eq!(
            connections.count(),
            CONNECTOR_LINKS_PER_ORGANIZATION_MAX + 1
        );
        assert!(Arc::ptr_eq(&connections.cell(&quiet), &first));
        for organization in 0..1000 {
            clock.advance(Duration::from_millis(1));
            connections.cell(&key(&format!("org-{organization}"), 0));
            assert!(connections.count() <= CONNECTOR_LINKS_MAX);
        }
        assert!(!Arc::ptr_eq(&connections.cell(&quiet), &first));
    }

    /// A connection in use is looked up again before the addresses it was checked for are too old.
    #[test]
    fn a_connection_does_not_live_for_ever() {
        let clock = Arc::new(FakeClock::new());
        let guard = EgressGuard::new(Arc::new(SystemResolver), []);
        let connections = McpConnections::new(clock.clone(), guard);
        let first = connections.cell(&key("org-1", 1));
        let step = CONNECTOR_LINK_IDLE / 2;
        let mut age = Duration::ZERO;
        while age < CONNECTOR_LINK_LIFE {
            assert!(
                Arc::ptr_eq(&connections.cell(&key("org-1", 1)), &first),
                "{age:?}"
            );
            clock.advance(step);
            age += step;
        }
        assert!(!Arc::ptr_eq(&connections.cell(&key("org-1", 1)), &first));
    }
}
