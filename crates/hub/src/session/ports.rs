//! What a hub needs from others: somebody who brings the agent up, somebody who writes the log, and time.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use domain::{
    clock::{Clock, Entropy},
    session_event::SessionEvent,
};
use tokio::sync::mpsc;
use wire::live::{BootStage, LiveStatus, ServerMessage, StatusUpdate};

use super::handle::Input;
use crate::opencode::{Client, PromptModel};

/// Says which stage of a boot begins.
#[derive(Debug, Clone)]
pub struct Stages {
    /// Which boot; `None` for a move.
    pub(super) boot: Option<u64>,
    /// How the session is meanwhile.
    pub(super) status: LiveStatus,
    pub(super) inbox: mpsc::Sender<Input>,
}

impl Stages {
    pub async fn begin(&self, stage: BootStage) {
        // Nobody listens once the hub has ended.
        let _ = self.inbox.send(Input::Stage(self.boot, stage)).await;
    }

    /// Tells everybody something about the boot that they should know.
    pub async fn note(&self, message: String) {
        let status = StatusUpdate {
            status: self.status,
            message: Some(message),
            is_idle: false,
        };
        let told = Input::Tell(Box::new(ServerMessage::Status(status)));
        let _ = self.inbox.send(told).await;
    }
}

/// An agent that answers.
#[derive(Debug, Clone)]
pub struct Booted {
    pub client: Client,
    /// The agent's own name of the session.
    pub agent_session: String,
    pub model: PromptModel,
    /// Sent with every prompt: the agent forgets it.
    pub system: Option<String>,
}

/// Why there is no agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BootError {
    /// A sentence for people.
    pub message: String,
    pub retryable: bool,
    /// Nothing is wrong with it: it may not go on for now, and is paused.
    pub is_withheld: bool,
}

/// Brings a session's sandbox and agent up, or finds them up.
#[async_trait]
pub trait Runtime: Send + Sync + fmt::Debug {
    async fn boot(&self, stages: Stages) -> Result<Booted, BootError>;

    /// That the boot which failed last is not followed by another. Until then the session is still on its way up.
    async fn given_up(&self, _why: &BootError) {}

    /// Whether the sandbox of that boot lives. Asked when its agent cannot be heard.
    async fn liveness(&self) -> Liveness;

    /// That the agent sent more than is read, and why it is not listened to any more. Its sandbox is saved and ended, and the
    /// session fails with this sentence; the next boot begins from what was saved.
    async fn end_agent(&self, _why: &str) {}

    /// Why the agent may not go on for now, if it may not. Asked after each of its turns.
    async fn withheld(&self) -> Option<String> {
        None
    }

    /// Puts the sandbox of an agent away that still may not go on.
    async fn rest(&self) {}

    /// Whether the session is over for good: it can be looked at, and nothing else.
    fn is_over(&self) -> bool {
        false
    }
}

/// Whether a sandbox lives. Not knowing is no answer to act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liveness {
    Alive,
    Dead,
    Unknown,
}

/// Why the log was not written or read.
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
    async fn last(&self) -> Result<u64, JournalError>;

    /// Events in following places, all or none.
    async fn append(&self, events: &[SessionEvent]) -> Result<(), JournalError>;

    /// Events after a place, oldest first, a page at most.
    async fn after(&self, after: u64) -> Result<Vec<SessionEvent>, JournalError>;

    /// Lets all but the newest go.
    async fn trim(&self, kept: u64) -> Result<(), JournalError>;
}

/// All of them.
#[derive(Debug, Clone)]
pub struct Ports {
    pub runtime: Arc<dyn Runtime>,
    pub journal: Arc<dyn Journal>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
}
