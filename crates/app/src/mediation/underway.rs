//! The calls this process is busy with: to stop one, and to hear of its end without asking the database.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use domain::{
    capacity::{CapacityExceeded, CapacityPermit, CapacityPool, Claimant, Holder},
    id::RunId,
    limits::MEDIATED_CALLS,
    policy::RoleClass,
};
use tokio_util::sync::CancellationToken;

use super::attempt::Request;

/// By run.
#[derive(Debug, Clone)]
pub(crate) struct Underway {
    signals: Arc<Mutex<HashMap<RunId, Signals>>>,
    capacity: CapacityPool,
}

impl Default for Underway {
    fn default() -> Self {
        Self {
            signals: Arc::default(),
            capacity: CapacityPool::new(MEDIATED_CALLS),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Signals {
    /// To the executor: stop.
    pub(super) cancel: CancellationToken,
    /// From the pipeline: the run has ended.
    pub(super) ended: CancellationToken,
}

/// A call's place in the table. Dropped when the call is over, however it ends.
#[derive(Debug)]
pub(super) struct Place {
    underway: Underway,
    run_id: RunId,
    pub(super) signals: Signals,
    _permit: Option<CapacityPermit>,
}

impl Underway {
    /// The right to have one more call under way; asked for before anything is decided or written down.
    pub(super) fn reserve(&self, request: &Request) -> Result<CapacityPermit, CapacityExceeded> {
        self.capacity.try_acquire(&claimant(request), 1)
    }

    pub(super) fn enter(&self, run_id: RunId, permit: Option<CapacityPermit>) -> Place {
        let signals = Signals::default();
        self.table(|table| table.insert(run_id, signals.clone()));
        Place {
            underway: self.clone(),
            run_id,
            signals,
            _permit: permit,
        }
    }

    pub(super) fn get(&self, run_id: RunId) -> Option<Signals> {
        self.table(|table| table.get(&run_id).cloned())
    }

    /// The runs of all of them.
    pub(super) fn ids(&self) -> Vec<RunId> {
        self.table(|table| table.keys().copied().collect())
    }

    fn table<T>(&self, look: impl FnOnce(&mut HashMap<RunId, Signals>) -> T) -> T {
        look(&mut self.signals.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.underway.table(|table| table.remove(&self.run_id));
        self.signals.ended.cancel();
    }
}

/// On whose account a call is under way.
fn claimant(request: &Request) -> Claimant {
    let actor = &request.principal.actor_id;
    let holder = match (request.session_id, request.principal.class, actor.parse()) {
        (Some(session_id), ..) if request.in_sandbox => Holder::Session(session_id),
        (_, RoleClass::Human, Ok(user_id)) => Holder::Person(user_id),
        _ => Holder::Service(actor.clone()),
    };
    Claimant {
        organization_id: request.organization_id.clone(),
        holder,
    }
}
