//! Whether this process opens sessions: always, until it drains or ends.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU32, Ordering},
};

use app::Error;
use domain::{clock::Timestamp, instance::Drain};
use tokio_util::sync::CancellationToken;

/// Admits sessions or refuses them, and counts those that left during a drain.
#[derive(Debug, Default)]
pub(crate) struct Admission {
    state: Mutex<AdmissionState>,
    handed_over: AtomicU32,
    put_away: AtomicU32,
}

#[derive(Debug, Default)]
enum AdmissionState {
    #[default]
    Open,
    /// No session is opened, and all leave. It can be undone.
    Draining {
        since: Timestamp,
        undone: CancellationToken,
    },
    /// The process ends: like a drain that cannot be undone.
    Closed { since: Timestamp },
}

impl Admission {
    /// Begins a drain, and returns the token that ends it. Returns `None` if the process drains or ends already.
    pub(crate) fn begin_drain(&self, since: Timestamp) -> Option<CancellationToken> {
        let mut state = self.state();
        if !matches!(*state, AdmissionState::Open) {
            return None;
        }
        let undone = CancellationToken::new();
        *state = AdmissionState::Draining {
            since,
            undone: undone.clone(),
        };
        self.handed_over.store(0, Ordering::SeqCst);
        self.put_away.store(0, Ordering::SeqCst);
        Some(undone)
    }

    /// Admits sessions again. Returns false if the process ends.
    pub(crate) fn cancel_drain(&self) -> bool {
        let mut state = self.state();
        match &*state {
            AdmissionState::Closed { .. } => return false,
            AdmissionState::Draining { undone, .. } => undone.cancel(),
            AdmissionState::Open => {}
        }
        *state = AdmissionState::Open;
        true
    }

    /// Refuses sessions for good.
    pub(crate) fn close(&self, now: Timestamp) {
        let mut state = self.state();
        *state = match std::mem::take(&mut *state) {
            AdmissionState::Open => AdmissionState::Closed { since: now },
            AdmissionState::Closed { since } => AdmissionState::Closed { since },
            // The caller that ends the process completes the drain.
            AdmissionState::Draining { since, undone } => {
                undone.cancel();
                AdmissionState::Closed { since }
            }
        };
    }

    /// Fails if no session may be opened here.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match &*self.state() {
            AdmissionState::Open => Ok(()),
            AdmissionState::Draining { .. } | AdmissionState::Closed { .. } => Err(Error::Draining),
        }
    }

    pub(crate) fn count_handed_over(&self) {
        self.handed_over.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn count_paused(&self) {
        self.put_away.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns how far the drain is, if no session is admitted.
    pub(crate) fn drain_progress(&self) -> Option<Drain> {
        let since = match &*self.state() {
            AdmissionState::Open => return None,
            AdmissionState::Draining { since, .. } | AdmissionState::Closed { since } => *since,
        };
        Some(Drain {
            since,
            handed_over: self.handed_over.load(Ordering::SeqCst),
            put_away: self.put_away.load(Ordering::SeqCst),
        })
    }

    fn state(&self) -> MutexGuard<'_, AdmissionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
