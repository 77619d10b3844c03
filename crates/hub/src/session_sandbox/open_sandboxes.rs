//! The sandboxes of the sessions that are live in this process.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use domain::id::SessionId;

use super::sandbox::SessionSandbox;

/// Sandboxes by session. A session is in it from when its loop starts until nothing is done to its sandbox any more.
#[derive(Debug, Default)]
pub(crate) struct OpenSandboxes(Mutex<HashMap<SessionId, SessionSandbox>>);

impl OpenSandboxes {
    pub(crate) fn insert(&self, sandbox: &SessionSandbox) {
        self.lock().insert(sandbox.session_id(), sandbox.clone());
    }

    /// Removes exactly this one: a newer one of the same session stays.
    pub(crate) fn remove(&self, sandbox: &SessionSandbox) {
        let mut sandboxes = self.lock();
        let id = sandbox.session_id();
        if sandboxes
            .get(&id)
            .is_some_and(|found| found.is_same(sandbox))
        {
            sandboxes.remove(&id);
        }
    }

    pub(crate) fn get(&self, id: SessionId) -> Option<SessionSandbox> {
        self.lock().get(&id).cloned()
    }

    /// Returns all of them, oldest session first: the same order on every call.
    pub(crate) fn list(&self) -> Vec<SessionSandbox> {
        let mut sandboxes: Vec<_> = self.lock().values().cloned().collect();
        sandboxes.sort_unstable_by_key(|sandbox| sandbox.session_id());
        sandboxes
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, SessionSandbox>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
