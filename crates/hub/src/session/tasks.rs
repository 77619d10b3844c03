//! The tasks that the loop of a session starts. They report to its inbox, and end with the hub at the latest.

use std::sync::Arc;

use domain::limits::HUB_ASIDES_MAX;
use tokio::{
    sync::{Semaphore, mpsc},
    task::{AbortHandle, JoinSet},
};

use super::input::Input;

#[derive(Debug)]
pub(super) struct HubTasks {
    set: JoinSet<()>,
    inbox: mpsc::Sender<Input>,
    /// Bounds the tasks that the agent's events start.
    event_permits: Arc<Semaphore>,
}

impl HubTasks {
    pub(super) fn new(inbox: mpsc::Sender<Input>) -> Self {
        Self {
            set: JoinSet::new(),
            inbox,
            event_permits: Arc::new(Semaphore::new(HUB_ASIDES_MAX)),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Waits until a task has ended.
    pub(super) async fn join_next(&mut self) -> Option<()> {
        self.set.join_next().await.map(drop)
    }

    /// Runs a task that reports to the inbox.
    pub(super) fn spawn<W, F>(&mut self, work: W) -> AbortHandle
    where
        W: FnOnce(mpsc::Sender<Input>) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        self.set.spawn(work(self.inbox.clone()))
    }

    /// Runs a task that an event of the agent asks for, unless too many of those run: an agent can send events faster than
    /// tasks end.
    pub(super) fn spawn_for_event<W, F>(&mut self, work: W)
    where
        W: FnOnce(mpsc::Sender<Input>) -> F,
        F: Future<Output = ()> + Send + 'static,
    {
        let Ok(permit) = Arc::clone(&self.event_permits).try_acquire_owned() else {
            tracing::debug!("the agent's events start too many tasks; one is left out");
            return;
        };
        let work = work(self.inbox.clone());
        self.set.spawn(async move {
            work.await;
            drop(permit);
        });
    }
}
