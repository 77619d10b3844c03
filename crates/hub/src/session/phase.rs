//! Where a hub is: the agent is not there, comes up, or can be spoken to. Each phase has its data, and no other has
//! it.

use std::{collections::VecDeque, time::Duration};

use tokio::{
    sync::{oneshot, watch},
    task::AbortHandle,
};
use wire::live::{BootStage, LiveStatus};

use super::{handle::HubError, migrate::Migrating, ports::BootError, ports::Booted};
use crate::opencode::State;

pub(super) type BootResult<T> = Result<T, BootError>;

/// A task that ends with this value.
#[derive(Debug)]
pub(super) struct Task(pub(super) AbortHandle);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[derive(Debug)]
pub(super) enum Phase {
    /// Nobody needed the agent yet, or it could not be had.
    Cold {
        why: Option<BootError>,
    },
    Booting(Booting),
    /// It failed for now, and is tried again by itself.
    Retrying(Retrying),
    Running(Box<Running>),
    /// On the way to a fresh sandbox, with the agent of the old one.
    Migrating(Box<Migrating>),
}

#[derive(Debug)]
pub(super) struct Booting {
    pub(super) task: Task,
    pub(super) waiters: Vec<oneshot::Sender<Result<(), HubError>>>,
    pub(super) stage: Option<Stage>,
    pub(super) tries: Tries,
}

#[derive(Debug)]
pub(super) struct Retrying {
    pub(super) due: Duration,
    pub(super) tries: Tries,
}

/// What is known of the boots before this one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tries {
    /// How many failed for now, one after the other.
    pub(super) failed: usize,
    /// Somebody asked for the agent without waiting for it.
    pub(super) is_woken: bool,
}

/// What a boot is at, since when on either clock.
pub(super) type Stage = (BootStage, Duration, i64);

#[derive(Debug)]
pub(super) struct Running {
    pub(super) agent: Booted,
    pub(super) state: State,
    pub(super) settled: watch::Sender<Option<String>>,
    pub(super) feed: Option<Task>,
    /// The stream stands and was caught up with.
    pub(super) is_caught_up: bool,
    /// How often in a row nobody listened where the agent was.
    pub(super) gone: usize,
    /// The last of the boot: over when the agent is heard for the first time.
    pub(super) stage: Option<Stage>,
}

impl Phase {
    pub(super) fn status(&self, is_new: bool) -> LiveStatus {
        match self {
            Self::Cold { why: Some(_) } => LiveStatus::Error,
            Self::Cold { why: None } => LiveStatus::Paused,
            Self::Booting(_) if is_new => LiveStatus::Creating,
            // Nothing is over yet: a client that takes it for an error would stop waiting.
            Self::Booting(_) | Self::Retrying(_) => LiveStatus::Resuming,
            Self::Running(_) => LiveStatus::Running,
            Self::Migrating(_) => LiveStatus::Migrating,
        }
    }

    /// The agent that is listened to.
    pub(super) fn agent(&self) -> Option<&Running> {
        match self {
            Self::Running(running) => Some(running),
            Self::Migrating(migrating) => Some(&migrating.running),
            Self::Cold { .. } | Self::Booting(_) | Self::Retrying(_) => None,
        }
    }

    pub(super) fn agent_mut(&mut self) -> Option<&mut Running> {
        match self {
            Self::Running(running) => Some(running),
            Self::Migrating(migrating) => Some(&mut migrating.running),
            Self::Cold { .. } | Self::Booting(_) | Self::Retrying(_) => None,
        }
    }
}

/// Prompts on record that the agent was not given yet, by their ids.
pub(super) type Waiting = VecDeque<String>;
