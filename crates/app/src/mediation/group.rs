//! Calls that wait together are committed together.
//!
//! A commit that waits for the disk costs the same for one call and for a hundred. Whoever comes while a
//! commit is under way joins the next one, so throughput grows with concurrency and a lone call waits for
//! nobody. Work is drained by tasks that exist while there is work: a caller that goes away takes nothing
//! with it.

use std::{
    collections::VecDeque,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError},
};

use domain::limits::{MEDIATION_BATCH_MAX, MEDIATION_COMMITS_AT_ONCE_MAX, MEDIATION_QUEUE_MAX};
use futures::FutureExt as _;
use store::NewAuditEvent;
use tokio::sync::oneshot;

use super::{
    attempt::Request,
    commit::{self, Begun, End, Job},
};
use crate::{
    context::App,
    error::{Error, Result},
};

/// What waits to be committed.
#[derive(Debug)]
pub(crate) struct Group {
    state: Mutex<State>,
    /// How many transactions may be under way.
    drains_max: usize,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Job>,
    draining: usize,
}

impl Group {
    /// `writers_max` is how many transactions the database takes at once.
    pub(crate) fn new(writers_max: usize) -> Self {
        Self {
            state: Mutex::default(),
            drains_max: writers_max.min(MEDIATION_COMMITS_AT_ONCE_MAX),
        }
    }

    /// Decides on a call and writes it down.
    ///
    /// INVARIANT: every call comes this way, and holds a permit of the process's capacity from here to its end.
    pub(super) async fn begin(&self, app: &App, mut request: Request) -> Result<Begun> {
        request.capacity = Some(app.underway().reserve(&request)?);
        let (reply, answer) = oneshot::channel();
        self.submit(app, Job::begin(app, request, reply))?;
        answered(answer.await)
    }

    /// Ends a run. `false` if it had ended already, and then nothing is written.
    pub(super) async fn end(&self, app: &App, end: Arc<End>) -> Result<bool> {
        let (reply, answer) = oneshot::channel();
        self.submit(app, Job::End(end, reply))?;
        answered(answer.await)
    }

    /// Records events that belong to no run.
    pub(super) async fn record(&self, app: &App, events: Vec<NewAuditEvent>) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        self.submit(app, Job::Record(events, reply))?;
        answered(answer.await)
    }

    fn submit(&self, app: &App, job: Job) -> Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.waiting.len() >= MEDIATION_QUEUE_MAX && job.can_wait() {
            return Err(Error::Overloaded("too many calls wait for the database"));
        }
        state.waiting.push_back(job);
        if state.draining < self.drains_max {
            state.draining += 1;
            tokio::spawn(Box::pin(drain(app.clone())));
        }
        Ok(())
    }

    fn next_batch(&self) -> Option<Vec<Job>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.waiting.is_empty() {
            state.draining -= 1;
            return None;
        }
        let count = state.waiting.len().min(MEDIATION_BATCH_MAX);
        Some(state.waiting.drain(..count).collect())
    }

    /// Puts jobs back in front, to be committed with what waits.
    pub(super) fn again(&self, jobs: Vec<Job>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for job in jobs.into_iter().rev() {
            state.waiting.push_front(job);
        }
    }
}

async fn drain(app: App) {
    while let Some(jobs) = app.group().next_batch() {
        let size = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
        metrics::histogram!("proliferate_mediation_batch_size").record(f64::from(size));
        // A panic must not end the draining: its jobs are answered by their dropped senders.
        let committed = AssertUnwindSafe(Box::pin(commit::commit(&app, jobs)))
            .catch_unwind()
            .await;
        if committed.is_err() {
            tracing::error!("committing a batch of calls panicked");
        }
    }
}

/// A task that ended without an answer panicked; its transaction was rolled back.
fn answered<T>(answer: std::result::Result<Result<T>, oneshot::error::RecvError>) -> Result<T> {
    let lost = store::Error::unavailable("the transaction was not committed");
    answer.unwrap_or(Err(lost.into()))
}
