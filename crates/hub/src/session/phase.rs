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
    Running(Box<Running>),
    /// On the way to a fresh sandbox, with the agent of the old one.
    Migrating(Box<Migrating>),
}

#[derive(Debug)]
pub(super) struct Booting {
    pub(super) task: Task,
    pub(super) waiters: Vec<oneshot::Sender<Result<(), HubError>>>,
    pub(super) stage: Option<Stage>,
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
            Self::Booting(_) => LiveStatus::Resuming,
            Self::Running(_) => LiveStatus::Running,
            Self::Migrating(_) => LiveStatus::Migrating,
        }
    }

    /// The agent that is listened to.
    pub(super) fn agent(&self) -> Option<&Running> {
        match self {
            Self::Running(running) => Some(running),
            Self::Migrating(migrating) => Some(&migrating.running),
            Self::Cold { .. } | Self::Booting(_) => None,
        }
    }

    pub(super) fn agent_mut(&mut self) -> Option<&mut Running> {
        match self {
            Self::Running(running) => Some(running),
            Self::Migrating(migrating) => Some(&mut migrating.running),
            Self::Cold { .. } | Self::Booting(_) => None,
        }
    }
}

/// Prompts on record that the agent was not given yet, by their ids.
pub(super) type Waiting = VecDeque<String>;
