//! The connected clients of a session, as the others see them.
//!
//! INVARIANT: clients that come and go cost those that stay one message in `PRESENCE_EVERY`, however many they are.

use std::{collections::BTreeMap, time::Duration};

use domain::limits::{PRESENCE_EVERY, PRESENCE_SHOWN_MAX};
use tokio::sync::oneshot;
use wire::live::{ConnectedClient, Presence};

use super::{input::Input, tasks::HubTasks, view::ClientConnection};

/// The clients that are connected.
#[derive(Debug, Default)]
pub(super) struct Clients {
    next: u64,
    connected: BTreeMap<u64, ConnectedClient>,
    is_changed: bool,
    /// When the others are told at the earliest.
    due: Duration,
}

impl Clients {
    pub(super) fn count(&self) -> usize {
        self.connected.len()
    }

    /// Returns the first of them, as many as are shown.
    pub(super) fn shown(&self) -> Vec<ConnectedClient> {
        let shown = self.connected.values().take(PRESENCE_SHOWN_MAX);
        shown.cloned().collect()
    }

    /// Adds a client until its connection is dropped.
    pub(super) fn join(
        &mut self,
        tasks: &mut HubTasks,
        user_id: Option<String>,
        reply: oneshot::Sender<ClientConnection>,
    ) {
        let number = self.next;
        let connection_id = number.to_string();
        let (disconnect, disconnected) = oneshot::channel();
        let connection = ClientConnection {
            connection_id: connection_id.clone(),
            _disconnect: disconnect,
        };
        if reply.send(connection).is_err() {
            return;
        }
        self.next += 1;
        self.is_changed = true;
        let client = ConnectedClient {
            connection_id,
            user_id,
        };
        self.connected.insert(number, client);
        tasks.spawn(move |inbox| async move {
            // Nothing is sent: the channel closes when the connection is dropped.
            let _ = disconnected.await;
            let _ = inbox.send(Input::Leave(number)).await;
        });
    }

    pub(super) fn leave(&mut self, number: u64) {
        self.is_changed |= self.connected.remove(&number).is_some();
    }

    /// Returns what the clients are to be told of each other, if something changed and it is time.
    pub(super) fn take_presence(&mut self, now: Duration) -> Option<Presence> {
        if !self.is_changed || now < self.due {
            return None;
        }
        self.is_changed = false;
        self.due = now + PRESENCE_EVERY;
        Some(Presence {
            clients: self.shown(),
        })
    }

    /// When the clients are to be told of each other, if something changed.
    pub(super) fn presence_due(&self) -> Option<Duration> {
        self.is_changed.then_some(self.due)
    }
}
