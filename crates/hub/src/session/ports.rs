//! What the loop of a session needs: a runtime that boots its agent, a journal that stores its log, and time.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use domain::{
    clock::{Clock, Entropy},
    session_event::SessionEvent,
};
use wire::live::ServerMessage;

use super::{
    agent::{BootError, BootedAgent, Liveness},
    stages::BootStages,
};

/// Boots a session's agent in its sandbox, or finds it running.
#[async_trait]
pub trait Runtime: Send + Sync + fmt::Debug {
    async fn boot(&self, stages: BootStages) -> Result<BootedAgent, BootError>;

    /// Records that the last boot failed and is not retried. Until then the session is still starting.
    async fn mark_boot_failed(&self, _why: &BootError) {}

    /// Whether the sandbox of that boot is alive. Called when its agent does not answer.
    async fn liveness(&self) -> Liveness;

    /// Ends an agent that sent more than the gateway reads. Its sandbox is saved and destroyed, and the session fails with
    /// this sentence; the next boot starts from what was saved.
    async fn end_agent(&self, _why: &str) {}

    /// Returns why the agent may not continue, if the session is over its budget. Called after each turn.
    async fn over_budget_reason(&self) -> Option<String> {
        None
    }

    /// Saves and destroys the sandbox of an agent if the session is still over its budget.
    async fn pause_for_budget(&self) {}

    /// Whether the session has ended for good: it can be read, and nothing else.
    fn is_ended(&self) -> bool {
        false
    }
}

/// Why the log could not be written or read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    #[error("the session has another owner")]
    NotOwner,
    #[error("the log is not where it was thought to be")]
    OutOfPlace,
    #[error("the database is unavailable")]
    Unavailable,
}

/// The log of one session, written in the name of one owner.
#[async_trait]
pub trait Journal: Send + Sync + fmt::Debug {
    /// Returns the sequence number of the newest event.
    async fn last(&self) -> Result<u64, JournalError>;

    /// Appends events with consecutive sequence numbers, all or none.
    async fn append(&self, events: &[SessionEvent]) -> Result<(), JournalError>;

    /// Returns the events after one, oldest first, at most a page.
    async fn after(&self, after: u64) -> Result<Vec<SessionEvent>, JournalError>;

    /// Removes all but the newest events.
    async fn trim(&self, kept: u64) -> Result<(), JournalError>;

    /// Called for each message once it is in the log, in order.
    fn message_logged(&self, _message: &ServerMessage) {}
}

/// Everything that the loop of a session needs.
#[derive(Debug, Clone)]
pub struct SessionPorts {
    pub runtime: Arc<dyn Runtime>,
    pub journal: Arc<dyn Journal>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
}
