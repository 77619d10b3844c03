//! All live sessions of this process: made when somebody needs one, gone when they end.
//!
//! INVARIANT: a session has at most one hub here, and its log takes the writes of its newest owner alone: whoever
//! opens a session claims its epoch first.

mod env;
mod first_prompt;
mod open;
mod over;
mod provisioner;
mod runtime;
mod watch;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use app::{App, Error};
use domain::id::{OrganizationId, SessionId};
use tokio::sync::OnceCell;

pub use self::{env::GiveError, provisioner::Door, watch::Sent};
use crate::{runtime::Workshop, session::Handle};

/// The live sessions. Clones are the same.
#[derive(Debug, Clone)]
pub struct House(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    app: App,
    workshop: Workshop,
    live: Mutex<HashMap<SessionId, Slot>>,
}

/// Whoever comes first opens it; the others wait for that.
type Slot = Arc<OnceCell<Handle>>;

impl House {
    pub fn new(app: App, workshop: Workshop) -> Self {
        Self(Arc::new(Inner {
            app,
            workshop,
            live: Mutex::default(),
        }))
    }

    /// The hub of a session, which is opened if it is not there.
    pub async fn session(
        &self,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> Result<Handle, Error> {
        let slot = Arc::clone(self.live().entry(id).or_default());
        let opened = slot.get_or_try_init(|| self.open(organization_id, id, &slot));
        match opened.await {
            Ok(handle) => Ok(handle.clone()),
            Err(error) => {
                self.forget(id, &slot);
                Err(error)
            }
        }
    }

    /// Lets all of them go, what is not written yet written first.
    pub async fn close(&self) {
        let all: Vec<Handle> = {
            let live = self.live();
            live.values()
                .filter_map(|slot| slot.get().cloned())
                .collect()
        };
        for handle in all {
            handle.stop().await;
        }
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
