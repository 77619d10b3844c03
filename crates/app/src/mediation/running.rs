//! The calls that this process executes: to cancel one, and to hear of its end without asking the database.

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

use super::call::MediatedCall;

/// The calls that this process executes, by run, and the capacity that they share.
#[derive(Debug, Clone)]
pub(crate) struct RunningCalls {
    signals: Arc<Mutex<HashMap<RunId, CallSignals>>>,
    capacity: CapacityPool,
}

impl Default for RunningCalls {
    fn default() -> Self {
        Self {
            signals: Arc::default(),
            capacity: CapacityPool::new(MEDIATED_CALLS),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct CallSignals {
    /// To the executor: stop.
    pub(super) cancel: CancellationToken,
    /// From the pipeline: the run has ended.
    pub(super) ended: CancellationToken,
}

/// Keeps a call in the table. Dropped when the call is over, however it ends.
#[derive(Debug)]
pub(super) struct RunningCall {
    calls: RunningCalls,
    run_id: RunId,
    pub(super) signals: CallSignals,
    _permit: Option<CapacityPermit>,
}

impl RunningCalls {
    /// Reserves capacity for one more call, before anything is decided or written down.
    pub(super) fn reserve(&self, call: &MediatedCall) -> Result<CapacityPermit, CapacityExceeded> {
        self.capacity.try_acquire(&claimant(call), 1)
    }

    pub(super) fn start(&self, run_id: RunId, permit: Option<CapacityPermit>) -> RunningCall {
        let signals = CallSignals::default();
        self.table(|table| table.insert(run_id, signals.clone()));
        RunningCall {
            calls: self.clone(),
            run_id,
            signals,
            _permit: permit,
        }
    }

    pub(super) fn get(&self, run_id: RunId) -> Option<CallSignals> {
        self.table(|table| table.get(&run_id).cloned())
    }

    /// The runs of all calls.
    pub(super) fn ids(&self) -> Vec<RunId> {
        self.table(|table| table.keys().copied().collect())
    }

    fn table<T>(&self, look: impl FnOnce(&mut HashMap<RunId, CallSignals>) -> T) -> T {
        look(&mut self.signals.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        self.calls.table(|table| table.remove(&self.run_id));
        self.signals.ended.cancel();
    }
}

/// Whose share of the capacity a call uses.
fn claimant(call: &MediatedCall) -> Claimant {
    let actor = &call.caller.principal.actor_id;
    let class = call.caller.principal.class;
    let holder = match (call.session_id, class, actor.parse()) {
        (Some(session_id), ..) if call.caller.in_sandbox => Holder::Session(session_id),
        (_, RoleClass::Human, Ok(user_id)) => Holder::Person(user_id),
        _ => Holder::Service(actor.clone()),
    };
    Claimant {
        organization_id: call.caller.organization_id.clone(),
        holder,
    }
}
