//! Calls that wait to be committed together: group commit.
//!
//! A commit that waits for the disk costs the same for one call and for a hundred. Calls that arrive while a
//! commit is in progress join the next one, so throughput grows with concurrency and a lone call waits for no
//! other. The queue is drained by tasks (`commit.rs`) that exist while there are jobs.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use domain::{
    artifact::Artifact,
    limits::{MEDIATION_BATCH_MAX, MEDIATION_COMMITS_AT_ONCE_MAX, MEDIATION_QUEUE_MAX},
};
use store::{Durability, InvocationMove, NewAuditEvent, RunEnd, ToolInvocationEnd};
use tokio::sync::oneshot;

use super::{call::MediatedCall, decision::CallDecision};
use crate::error::{Error, Result};

pub(super) type Reply<T> = oneshot::Sender<Result<T>>;

/// Delivers a decision, with the call it is about.
pub(super) type DecisionReply =
    Box<dyn FnOnce(Result<(Box<MediatedCall>, CallDecision)>) + Send + Sync>;

/// Something to commit.
pub(super) enum CommitJob {
    /// Decides a call and writes the decision down.
    Decide {
        call: Box<MediatedCall>,
        durability: Durability,
        reply: DecisionReply,
    },
    /// Writes the end of a run down. The reply is `false` if the run had ended already.
    End(Arc<RunEnding>, Reply<bool>),
    /// Records events that belong to no run.
    Record(Vec<NewAuditEvent>, Reply<()>),
}

/// The end of a run, as it is written down.
#[derive(Debug, Clone)]
pub(crate) struct RunEnding {
    pub(crate) row: RunEnd,
    pub(crate) artifacts: Vec<Artifact>,
    pub(crate) events: Vec<NewAuditEvent>,
    /// The move of the invocation, for an action.
    pub(crate) invocation: Option<InvocationMove>,
    /// The end of the tool invocation, for a call of a sandbox.
    pub(crate) tool_invocation: Option<ToolInvocationEnd>,
}

/// The jobs that wait to be committed.
#[derive(Debug)]
pub(crate) struct CommitQueue {
    state: Mutex<QueueState>,
    /// How many commits may be in progress.
    drains_max: usize,
}

#[derive(Debug, Default)]
struct QueueState {
    waiting: VecDeque<CommitJob>,
    draining: usize,
}

impl CommitQueue {
    /// `writers_max` is how many transactions the database takes at once.
    pub(crate) fn new(writers_max: usize) -> Self {
        Self {
            state: Mutex::default(),
            drains_max: writers_max.min(MEDIATION_COMMITS_AT_ONCE_MAX),
        }
    }

    /// Adds a job. `true` if the caller has to start another drain of the queue.
    pub(super) fn push(&self, job: CommitJob) -> Result<bool> {
        let mut state = self.state();
        if state.waiting.len() >= MEDIATION_QUEUE_MAX && job.can_be_refused() {
            return Err(Error::Overloaded("too many calls wait for the database"));
        }
        state.waiting.push_back(job);
        let starts_drain = state.draining < self.drains_max;
        if starts_drain {
            state.draining += 1;
        }
        Ok(starts_drain)
    }

    /// Takes the jobs of the next commit. `None` ends the drain that asks.
    pub(super) fn next_batch(&self) -> Option<Vec<CommitJob>> {
        let mut state = self.state();
        if state.waiting.is_empty() {
            state.draining -= 1;
            return None;
        }
        let count = state.waiting.len().min(MEDIATION_BATCH_MAX);
        Some(state.waiting.drain(..count).collect())
    }

    /// Puts jobs back in front, to be committed with the next batch.
    pub(super) fn put_back(&self, jobs: Vec<CommitJob>) {
        let mut state = self.state();
        for job in jobs.into_iter().rev() {
            state.waiting.push_front(job);
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CommitJob {
    /// Whether the job may be refused for want of room. What has happened is always written down.
    const fn can_be_refused(&self) -> bool {
        matches!(self, Self::Decide { .. })
    }

    pub(super) const fn durability(&self) -> Durability {
        match self {
            Self::Decide { durability, .. } => *durability,
            Self::End(..) | Self::Record(..) => Durability::Power,
        }
    }
}

impl fmt::Debug for CommitJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decide { call, .. } => f.debug_tuple("Decide").field(call).finish(),
            Self::End(ending, _) => f.debug_tuple("End").field(ending).finish(),
            Self::Record(events, _) => f.debug_tuple("Record").field(events).finish(),
        }
    }
}
