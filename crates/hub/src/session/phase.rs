//! The phase of a live session: whether its agent is down, booting, running or moving. Each phase has its data, and no
//! other has it.

use std::time::Duration;

use tokio::{
    sync::{oneshot, watch},
    task::AbortHandle,
};
use wire::live::{BootStage, LiveStatus, MigrationReason};

use super::{
    agent::{BootError, BootedAgent},
    error::HubError,
};
use crate::opencode::AgentState;

/// The callers that wait for an agent.
pub(super) type AgentWaiters = Vec<oneshot::Sender<Result<(), HubError>>>;

/// A task that is aborted when this value is dropped.
#[derive(Debug)]
pub(super) struct OwnedTask(pub(super) AbortHandle);

impl Drop for OwnedTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[derive(Debug)]
pub(super) enum Phase {
    /// No caller needed the agent yet, or it could not be booted.
    Cold {
        why: Option<BootError>,
    },
    Booting(BootingPhase),
    /// The boot failed for now, and is retried.
    Retrying(RetryingPhase),
    Running(Box<RunningPhase>),
    /// The session moves to a new sandbox; the agent of the old one is still connected.
    Migrating(Box<MigratingPhase>),
}

#[derive(Debug)]
pub(super) struct BootingPhase {
    pub(super) task: OwnedTask,
    pub(super) waiters: AgentWaiters,
    pub(super) stage: Option<StageStart>,
    pub(super) tries: BootTries,
}

#[derive(Debug)]
pub(super) struct RetryingPhase {
    pub(super) due: Duration,
    pub(super) tries: BootTries,
}

/// The boots before the current one.
#[derive(Debug, Clone, Copy)]
pub(super) struct BootTries {
    /// How many failed for now, one after the other.
    pub(super) failed: usize,
    /// A caller needs the agent without waiting for it.
    pub(super) is_woken: bool,
}

/// A stage of a boot, and when it began: on the monotonic clock, and in milliseconds of the wall clock.
pub(super) type StageStart = (BootStage, Duration, i64);

#[derive(Debug)]
pub(super) struct RunningPhase {
    pub(super) agent: BootedAgent,
    pub(super) state: AgentState,
    pub(super) settled: watch::Sender<Option<String>>,
    pub(super) feed: Option<OwnedTask>,
    /// The agent's stream is connected and was caught up with.
    pub(super) is_caught_up: bool,
    /// How many connections in a row found no listener at the agent's address.
    pub(super) gone: usize,
    /// The last stage of the boot: it ends when the agent is first heard.
    pub(super) stage: Option<StageStart>,
}

#[derive(Debug)]
pub(super) struct MigratingPhase {
    /// The old agent, which stays if the move fails.
    pub(super) running: Box<RunningPhase>,
    pub(super) waiters: AgentWaiters,
    pub(super) stage: Option<StageStart>,
    pub(super) reason: MigrationReason,
    pub(super) began: Duration,
    /// The old sandbox ended meanwhile.
    pub(super) is_old_gone: bool,
}

impl MigratingPhase {
    /// Whether the agent may still be in its turn.
    pub(super) fn is_settling(&self) -> bool {
        let stage = self.stage.as_ref().map(|(stage, ..)| *stage);
        stage.is_none_or(|stage| stage <= BootStage::Settle)
    }
}

impl Phase {
    pub(super) fn status(&self, is_new: bool) -> LiveStatus {
        match self {
            Self::Cold { why: Some(_) } => LiveStatus::Error,
            Self::Cold { why: None } => LiveStatus::Paused,
            Self::Booting(_) if is_new => LiveStatus::Creating,
            // A retry follows: a client that is told of an error would stop waiting.
            Self::Booting(_) | Self::Retrying(_) => LiveStatus::Resuming,
            Self::Running(_) => LiveStatus::Running,
            Self::Migrating(_) => LiveStatus::Migrating,
        }
    }

    /// Returns the agent that is connected.
    pub(super) fn agent(&self) -> Option<&RunningPhase> {
        match self {
            Self::Running(running) => Some(running),
            Self::Migrating(migrating) => Some(&migrating.running),
            Self::Cold { .. } | Self::Booting(_) | Self::Retrying(_) => None,
        }
    }

    pub(super) fn agent_mut(&mut self) -> Option<&mut RunningPhase> {
        match self {
            Self::Running(running) => Some(running),
            Self::Migrating(migrating) => Some(&mut migrating.running),
            Self::Cold { .. } | Self::Booting(_) | Self::Retrying(_) => None,
        }
    }

    /// Whether the agent is in a turn.
    pub(super) fn is_busy(&self) -> bool {
        self.agent().is_some_and(|running| running.state.is_busy())
    }

    pub(super) fn is_cold(&self) -> bool {
        matches!(self, Self::Cold { .. })
    }

    /// Whether the agent boots, or moves to another sandbox.
    pub(super) fn is_coming(&self) -> bool {
        matches!(
            self,
            Self::Booting(_) | Self::Retrying(_) | Self::Migrating(_)
        )
    }
}
