//! Who watches: what they are sent, and that the others see them.
//!
//! INVARIANT: those who come and go cost those who stay one message in `PRESENCE_EVERY`, however many they are.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use domain::limits::{PRESENCE_EVERY, PRESENCE_SHOWN_MAX};
use tokio::sync::oneshot;
use wire::live::{ConnectedClient, Frame, Presence, ServerMessage};

use super::{
    handle::{Attached, Input, Look, Pulse, Seat, Shown},
    phase::Phase,
    service::Service,
};
use crate::log::{Entry, Resume};

/// What goes out to everybody.
#[derive(Debug, Clone)]
pub enum Told {
    /// In the log.
    Logged(Entry),
    /// About this moment.
    Aside(Arc<str>),
}

/// Those who are there.
#[derive(Debug, Default)]
pub(super) struct Clients {
    next: u64,
    here: BTreeMap<u64, ConnectedClient>,
    is_changed: bool,
    /// When the others are told at the earliest.
    due: Duration,
}

impl Clients {
    /// The first of them.
    fn shown(&self) -> Vec<ConnectedClient> {
        let here = self.here.values().take(PRESENCE_SHOWN_MAX);
        here.cloned().collect()
    }
}

/// A message as a frame that is not in the log.
pub fn aside(message: ServerMessage) -> Arc<str> {
    let frame = Frame { seq: None, message };
    // Messages are made of what JSON can say.
    serde_json::to_string(&frame).unwrap_or_default().into()
}

impl Service {
    pub(super) fn join(&mut self, user_id: Option<String>, reply: oneshot::Sender<Seat>) {
        let clients = &mut self.clients;
        let number = clients.next;
        let connection_id = number.to_string();
        let (leaves, left) = oneshot::channel();
        let seat = Seat {
            connection_id: connection_id.clone(),
            _leaves: leaves,
        };
        if reply.send(seat).is_err() {
            return;
        }
        clients.next += 1;
        clients.is_changed = true;
        let client = ConnectedClient {
            connection_id,
            user_id,
        };
        clients.here.insert(number, client);
        self.spawn(move |inbox| async move {
            // It is never sent: what ends it is that the seat is dropped.
            let _ = left.await;
            let _ = inbox.send(Input::Left(number)).await;
        });
    }

    pub(super) fn left(&mut self, number: u64) {
        let clients = &mut self.clients;
        clients.is_changed |= clients.here.remove(&number).is_some();
    }

    /// Tells those who watch that somebody came or went, if it is time.
    pub(super) fn show_clients(&mut self, now: Duration) {
        let clients = &mut self.clients;
        if !clients.is_changed || now < clients.due {
            return;
        }
        clients.is_changed = false;
        clients.due = now + PRESENCE_EVERY;
        let presence = Presence {
            clients: clients.shown(),
        };
        // Without listeners there is nobody to tell.
        let told = Told::Aside(aside(ServerMessage::Presence(presence)));
        let _ = self.fanout.send(told);
    }

    /// When those who watch are to be told of each other, if they are.
    pub(super) fn clients_due(&self) -> Option<Duration> {
        self.clients.is_changed.then_some(self.clients.due)
    }

    pub(super) fn pulse(&self) -> Pulse {
        let now = self.ports.clock.monotonic();
        let is_coming = matches!(
            self.phase,
            Phase::Booting(_) | Phase::Retrying(_) | Phase::Migrating(_)
        );
        let is_up = is_coming || self.is_busy();
        // What waits for an agent that may not go on is on record, and waits as well there.
        let has_prompts =
            self.delivering.is_some() || !(self.waiting.is_empty() || self.withheld.is_paused());
        let clients = self.clients.here.len();
        Pulse {
            status: self.status(),
            clients,
            is_resting: clients == 0 && !is_up && !has_prompts,
            wants_agent: !matches!(self.phase, Phase::Cold { .. }) || has_prompts,
            quiet: now.saturating_sub(self.active_at),
            is_heard: self.phase.agent().is_some_and(|agent| agent.is_caught_up),
        }
    }

    pub(super) fn look(&self) -> Look {
        Look {
            status: self.status(),
            is_idle: matches!(&self.phase, Phase::Running(running) if !running.state.is_busy()),
            seq: self.window.last(),
            text: self.transcript.streaming(),
        }
    }

    /// INVARIANT: what a client is given here and what it is sent later meet without gap or double, because
    /// nothing happens between reading the window and subscribing.
    pub(super) fn attach(&self, after: Option<u64>) -> Attached {
        let mut attached = Attached {
            shown: None,
            text: self.transcript.streaming(),
            clients: self.clients.shown(),
            status: self.status(),
            seq: self.window.last(),
            earlier: None,
            entries: Vec::new(),
            live: self.fanout.subscribe(),
        };
        let resumed = after.and_then(|after| match self.window.resume(after) {
            Resume::Ahead => None,
            Resume::Here(entries) => Some((None, entries)),
            Resume::Earlier { until } => match self.window.resume(until - 1) {
                Resume::Here(entries) => Some((Some((after, until)), entries)),
                Resume::Earlier { .. } | Resume::Ahead => None,
            },
        });
        match resumed {
            Some((earlier, entries)) => {
                attached.earlier = earlier;
                attached.entries = entries;
            }
            None => {
                attached.shown = Some(Shown {
                    messages: self.transcript.messages(),
                    env_requests: self.picture.asked().to_vec(),
                    timeline: self.picture.timeline().to_vec(),
                });
            }
        }
        attached
    }
}
