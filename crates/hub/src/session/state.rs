//! Everything that the loop of a session knows. The functions of `boot`, `delivery`, `prompting`, `budget_pause`,
//! `agent_events` and `migrate` change it; `service` calls them.

use std::time::Duration;

use wire::live::{LiveStatus, ServerMessage, StatusUpdate};

use super::{
    agent::BootError,
    budget_state::BudgetPause,
    clients::Clients,
    phase::Phase,
    ports::SessionPorts,
    prompts::PromptQueue,
    publisher::EventPublisher,
    tasks::HubTasks,
    view::{ActivityReport, SessionView, StatusReport, StreamAttachment},
};
use crate::{log::WindowResume, opencode::Watchdog};

#[derive(Debug)]
pub(super) struct LoopState {
    pub(super) ports: SessionPorts,
    pub(super) tasks: HubTasks,
    pub(super) publisher: EventPublisher,
    pub(super) prompts: PromptQueue,
    pub(super) clients: Clients,
    pub(super) phase: Phase,
    /// Counts boots and connections, so that an event of an older one is ignored.
    pub(super) generation: u64,
    pub(super) watchdog: Watchdog,
    pub(super) budget_pause: BudgetPause,
    /// The agent did something since it was last reported as idle.
    pub(super) is_unsettled: bool,
    /// When a client or the agent last did something.
    pub(super) active_at: Duration,
}

impl LoopState {
    pub(super) fn now(&self) -> Duration {
        self.ports.clock.monotonic()
    }

    pub(super) fn publish(&mut self, message: ServerMessage) {
        self.publisher.publish(message);
    }

    /// Publishes the status of the session.
    pub(super) fn publish_status(&mut self, message: Option<String>) {
        let status = self.status();
        self.publish(ServerMessage::Status(StatusUpdate {
            status,
            is_idle: false,
            message,
        }));
    }

    /// Leaves the current phase for one without an agent.
    pub(super) fn set_cold(&mut self, why: Option<BootError>) {
        self.phase = Phase::Cold { why };
    }

    pub(super) fn status(&self) -> LiveStatus {
        if self.ports.runtime.is_ended() {
            return LiveStatus::Stopped;
        }
        self.phase.status(self.publisher.window.last_seq() == 0)
    }

    pub(super) fn is_busy(&self) -> bool {
        self.phase.is_busy()
    }

    pub(super) fn status_report(&self) -> StatusReport {
        StatusReport {
            status: self.status(),
            is_idle: matches!(&self.phase, Phase::Running(running) if !running.state.is_busy()),
            seq: self.publisher.window.last_seq(),
            text: self.publisher.transcript.streaming(),
        }
    }

    pub(super) fn activity_report(&self) -> ActivityReport {
        let is_up = self.phase.is_coming() || self.is_busy();
        // Prompts for an agent that is over its budget are in the log, and wait as well without this hub.
        let has_prompts = self.prompts.is_delivering()
            || !(self.prompts.is_empty() || self.budget_pause.is_paused());
        let clients = self.clients.count();
        ActivityReport {
            status: self.status(),
            clients,
            is_resting: clients == 0 && !is_up && !has_prompts,
            wants_agent: !self.phase.is_cold() || has_prompts,
            quiet: self.now().saturating_sub(self.active_at),
            is_heard: self.phase.agent().is_some_and(|agent| agent.is_caught_up),
        }
    }

    /// Attaches a client.
    ///
    /// INVARIANT: what a client is given here and what it is sent later meet without gap or repetition, because nothing
    /// happens between reading the window and subscribing.
    pub(super) fn attach(&self, after: Option<u64>) -> StreamAttachment {
        let publisher = &self.publisher;
        let mut attached = StreamAttachment {
            view: None,
            text: publisher.transcript.streaming(),
            clients: self.clients.shown(),
            status: self.status(),
            seq: publisher.window.last_seq(),
            earlier: None,
            entries: Vec::new(),
            live: publisher.subscribe(),
        };
        let resumed = after.and_then(|after| match publisher.window.resume(after) {
            WindowResume::Ahead => None,
            WindowResume::Here(entries) => Some((None, entries)),
            WindowResume::Earlier { until } => match publisher.window.resume(until - 1) {
                WindowResume::Here(entries) => Some((Some((after, until)), entries)),
                WindowResume::Earlier { .. } | WindowResume::Ahead => None,
            },
        });
        match resumed {
            Some((earlier, entries)) => {
                attached.earlier = earlier;
                attached.entries = entries;
            }
            None => {
                attached.view = Some(SessionView {
                    messages: publisher.transcript.messages(),
                    env_requests: publisher.overview.env_requests().to_vec(),
                    timeline: publisher.overview.timeline().to_vec(),
                });
            }
        }
        attached
    }
}
