//! The calls this process is busy with: to stop one, and to hear of its end without asking the database.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use domain::{id::RunId, limits::MEDIATED_CALLS_UNDERWAY_MAX};
use tokio_util::sync::CancellationToken;

/// By run.
#[derive(Debug, Default, Clone)]
pub(crate) struct Underway(Arc<Mutex<HashMap<RunId, Signals>>>);

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
}

impl Underway {
    pub(super) fn enter(&self, run_id: RunId) -> Place {
        let signals = Signals::default();
        self.table(|table| table.insert(run_id, signals.clone()));
        Place {
            underway: self.clone(),
            run_id,
            signals,
        }
    }

    pub(super) fn get(&self, run_id: RunId) -> Option<Signals> {
        self.table(|table| table.get(&run_id).cloned())
    }

    /// The runs of all of them.
    pub(super) fn ids(&self) -> Vec<RunId> {
        self.table(|table| table.keys().copied().collect())
    }

    /// Whether this process has its hands full.
    pub(super) fn is_full(&self) -> bool {
        self.table(|table| table.len() >= MEDIATED_CALLS_UNDERWAY_MAX)
    }

    fn table<T>(&self, look: impl FnOnce(&mut HashMap<RunId, Signals>) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.underway.table(|table| table.remove(&self.run_id));
        self.signals.ended.cancel();
    }
}
