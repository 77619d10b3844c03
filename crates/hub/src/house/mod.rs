//! All live sessions of this process: made when somebody needs one, gone when they end.
//!
//! INVARIANT: a session has at most one hub here, and its log takes the writes of its newest owner alone: whoever
//! opens a session claims its epoch first.

mod beginning;
mod closing;
mod daemon;
mod ending;
mod env;
mod evidence;
mod failure;
mod first_prompt;
mod git;
mod info;
mod notices;
mod open;
mod over;
mod preview;
mod provisioner;
mod runtime;
mod saving;
mod services;
mod shelf;
mod terminal;
mod tools;
mod watch;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use app::{App, Error};
use domain::{
    id::{OrganizationId, SessionId},
    limits::HOUSE_OPEN_TRIES,
};
use tokio::sync::OnceCell;

pub use self::{
    env::GiveError,
    git::GitChange,
    info::SandboxInfo,
    preview::PreviewRequest,
    provisioner::Door,
    saving::{SaveError, Saved},
    terminal::{Terminal, TerminalFrame},
    tools::SandboxTools,
    watch::{Sent, Watching},
};
use self::{runtime::SessionRuntime, shelf::Shelf};
use crate::{
    runtime::Workshop,
    session::{Handle, Runtime},
};

/// Who brings the agents of sessions up.
pub trait Runtimes: Send + Sync + std::fmt::Debug {
    fn of(&self, id: SessionId) -> Arc<dyn Runtime>;
}

/// The live sessions. Clones are the same.
#[derive(Debug, Clone)]
pub struct House(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    app: App,
    workshop: Workshop,
    /// Instead of the workshop.
    runtimes: Option<Arc<dyn Runtimes>>,
    live: Mutex<HashMap<SessionId, Slot>>,
    /// The sandboxes of those that are open.
    sandboxes: Mutex<HashMap<SessionId, SessionRuntime>>,
    shelf: Shelf,
    /// Once set, nothing is opened any more.
    is_closing: AtomicBool,
}

/// Whoever comes first opens it; the others wait for that.
type Slot = Arc<OnceCell<Handle>>;

impl House {
    pub fn new(app: App, workshop: Workshop) -> Self {
        Self::made(app, workshop, None)
    }

    /// One whose agents somebody else brings up.
    pub fn with_runtimes(app: App, runtimes: Arc<dyn Runtimes>) -> Self {
        let workshop = Workshop::closed("agents are brought up elsewhere");
        Self::made(app, workshop, Some(runtimes))
    }

    fn made(app: App, workshop: Workshop, runtimes: Option<Arc<dyn Runtimes>>) -> Self {
        Self(Arc::new(Inner {
            app,
            workshop,
            runtimes,
            live: Mutex::default(),
            sandboxes: Mutex::default(),
            shelf: Shelf::default(),
            is_closing: AtomicBool::new(false),
        }))
    }

    /// The hub of a session, which is opened if it is not there.
    pub async fn session(
        &self,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> Result<Handle, Error> {
        if self.0.is_closing.load(Ordering::SeqCst) {
            return Err(Error::Busy("the gateway is stopping"));
        }
        for _ in 0..HOUSE_OPEN_TRIES {
            let slot = Arc::clone(self.live().entry(id).or_default());
            let opened = slot.get_or_try_init(|| self.open(organization_id, id, &slot));
            match opened.await {
                Ok(handle) if handle.is_gone() => self.forget(id, &slot),
                Ok(handle) => return Ok(handle.clone()),
                Err(error) => {
                    self.forget(id, &slot);
                    return Err(error);
                }
            }
        }
        Err(Error::Busy("the session is moving; try again"))
    }

    fn forget(&self, id: SessionId, slot: &Slot) {
        let mut live = self.live();
        if live.get(&id).is_some_and(|found| Arc::ptr_eq(found, slot)) {
            live.remove(&id);
        }
    }

    fn live(&self) -> std::sync::MutexGuard<'_, HashMap<SessionId, Slot>> {
        self.0.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
