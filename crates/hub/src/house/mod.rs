//! All live sessions of this process: made when somebody needs one, gone when they end.
//!
//! INVARIANT: a session has at most one hub here, and its log takes the writes of its newest owner alone: whoever
//! opens a session takes its lease and claims its epoch first.
//!
//! INVARIANT: what is live is reached by a proof of [`app::access`] or by a session's row, never by an id alone; a place
//! knows its organization and refuses another.

mod adopting;
mod beginning;
mod budget;
mod calling;
mod closing;
mod daemon;
mod draining;
mod ending;
mod env;
mod evicting;
mod evidence;
mod failure;
mod first_prompt;
mod git;
mod handing;
mod info;
mod load;
mod migrating;
mod mover;
mod moving;
mod notices;
mod open;
mod over;
mod owning;
mod place;
mod planning;
mod preview;
mod provisioner;
mod room;
mod runtime;
mod saving;
mod services;
mod session_key;
mod shelf;
mod signal;
mod sweeping;
mod terminal;
mod told;
mod tools;
mod watch;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use app::{App, Error, access::Steering};
use domain::{id::SessionId, limits::HOUSE_OPEN_TRIES};
use tokio::sync::Semaphore;

use self::{
    draining::Doors,
    evicting::RoomTurns,
    place::{Farewell, Place},
    room::SandboxRooms,
    runtime::SessionRuntime,
    session_key::SessionKey,
    shelf::Shelf,
    sweeping::Sweeps,
};
pub use self::{
    env::GiveError,
    evicting::Bounds,
    git::GitChange,
    info::SandboxInfo,
    migrating::Leaving,
    preview::PreviewRequest,
    provisioner::Door,
    saving::{SaveError, Saved},
    terminal::{Terminal, TerminalFrame},
    tools::SandboxTools,
    watch::{Sent, Watching},
};
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
    bounds: OnceLock<Bounds>,
    live: Mutex<HashMap<SessionId, Arc<Place>>>,
    /// Held while a session is chosen that makes room for one of another organization, and not while it leaves.
    choosing: tokio::sync::Mutex<()>,
    room_turns: RoomTurns,
    /// The sandboxes of those that are open.
    sandboxes: Mutex<HashMap<SessionId, SessionRuntime>>,
    shelf: Shelf,
    rooms: SandboxRooms,
    doors: Doors,
    sweeps: Sweeps,
    /// Taken while a session is opened that another instance hands over.
    taking_over: Semaphore,
}

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
            bounds: OnceLock::new(),
            live: Mutex::default(),
            choosing: tokio::sync::Mutex::default(),
            room_turns: RoomTurns::default(),
            sandboxes: Mutex::default(),
            shelf: Shelf::default(),
            rooms: SandboxRooms::default(),
            doors: Doors::default(),
            sweeps: Sweeps::default(),
            taking_over: handing::takers(),
        }))
    }

    /// With other bounds than the usual. Only the first time counts.
    #[must_use]
    pub fn bounded(self, bounds: Bounds) -> Self {
        _ = self.0.bounds.set(bounds);
        self
    }

    /// The hub of a session, for a caller that may steer it; opened if it is not there.
    pub async fn session(&self, steering: &Steering) -> Result<Handle, Error> {
        self.hub(&steering.into()).await
    }

    /// The hub of a session, which is opened if it is not there.
    async fn hub(&self, key: &SessionKey) -> Result<Handle, Error> {
        self.hub_in_turn(key, None).await
    }

    /// The same. Waits for a permit of `turns` to open it, and holds the permit for nothing else: not while room is made,
    /// which can take as long as the sandbox of another session is saved.
    async fn hub_in_turn(
        &self,
        key: &SessionKey,
        turns: Option<&Semaphore>,
    ) -> Result<Handle, Error> {
        for _ in 0..HOUSE_OPEN_TRIES {
            self.is_open()?;
            let place = self.place(key).await?;
            if !place.settled().await {
                return Err(Error::Busy("the session is being put away; try again"));
            }
            if place.is_leaving() {
                continue;
            }
            let opened = place.hub.get_or_try_init(|| async {
                // It is never closed.
                let _turn = match turns {
                    Some(turns) => turns.acquire().await.ok(),
                    None => None,
                };
                self.open(key, &place).await
            });
            match opened.await {
                // On its way out: the next try waits for it.
                Ok(handle) if handle.is_gone() => _ = place.leave(Farewell::Leave),
                Ok(_) if place.is_leaving() => {}
                Ok(handle) => {
                    // Whoever lets all of them go did not see it.
                    if self.is_open().is_err() {
                        handle.stop().await;
                    }
                    return Ok(handle.clone());
                }
                Err(error) => {
                    self.forget(key.id, &place);
                    return Err(error);
                }
            }
        }
        Err(Error::Busy("the session is moving; try again"))
    }

    /// Whether the session is live here: says where a request is done, before it is known whose it is.
    pub fn has(&self, id: SessionId) -> bool {
        let live = self.live();
        let place = live.get(&id);
        place.is_some_and(|place| place.hub.initialized() && !place.is_leaving())
    }

    /// Where the session is live, or is about to be, for its own organization.
    fn place_of(&self, key: &SessionKey) -> Option<Arc<Place>> {
        let live = self.live();
        let place = live.get(&key.id);
        place.filter(|place| place.is_of(key)).map(Arc::clone)
    }

    fn forget(&self, id: SessionId, place: &Arc<Place>) {
        let mut live = self.live();
        if live.get(&id).is_some_and(|found| Arc::ptr_eq(found, place)) {
            live.remove(&id);
        }
        place.is_left();
    }

    fn live(&self) -> std::sync::MutexGuard<'_, HashMap<SessionId, Arc<Place>>> {
        self.0.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
