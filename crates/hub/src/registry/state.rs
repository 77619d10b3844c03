//! What the registry knows: the sessions of this process, and what is shared to open them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use app::App;
use domain::id::SessionId;

use super::{
    admission::Admission,
    capacity::{EvictionLocks, HubLimits},
    entry::SessionEntry,
    session_key::SessionKey,
};
use crate::{
    peers::PeerClient,
    session::{Handle, Runtime},
    session_sandbox::{OpenSandboxes, SandboxFactory},
};

/// Supplies the runtime for a session (seam for tests).
pub trait Runtimes: Send + Sync + std::fmt::Debug {
    fn of(&self, id: SessionId) -> Arc<dyn Runtime>;
}

/// The live sessions of this process. Clones share them.
#[derive(Debug, Clone)]
pub struct Registry(Arc<RegistryState>);

#[derive(Debug)]
struct RegistryState {
    app: App,
    peers: PeerClient,
    sandboxes: SandboxFactory,
    /// Used instead of the sandboxes.
    runtimes: Option<Arc<dyn Runtimes>>,
    limits: OnceLock<HubLimits>,
    entries: Mutex<HashMap<SessionId, Arc<SessionEntry>>>,
    eviction: EvictionLocks,
    open_sandboxes: OpenSandboxes,
    admission: Admission,
}

impl Registry {
    pub(crate) fn new(
        app: App,
        sandboxes: SandboxFactory,
        runtimes: Option<Arc<dyn Runtimes>>,
    ) -> Self {
        Self(Arc::new(RegistryState {
            peers: PeerClient::new(app.clone()),
            app,
            sandboxes,
            runtimes,
            limits: OnceLock::new(),
            entries: Mutex::default(),
            eviction: EvictionLocks::default(),
            open_sandboxes: OpenSandboxes::default(),
            admission: Admission::default(),
        }))
    }

    pub(crate) fn app(&self) -> &App {
        &self.0.app
    }

    pub(crate) fn peers(&self) -> &PeerClient {
        &self.0.peers
    }

    pub(crate) fn sandboxes(&self) -> &SandboxFactory {
        &self.0.sandboxes
    }

    pub(super) fn runtimes(&self) -> Option<&dyn Runtimes> {
        self.0.runtimes.as_deref()
    }

    pub(crate) fn open_sandboxes(&self) -> &OpenSandboxes {
        &self.0.open_sandboxes
    }

    pub(crate) fn admission(&self) -> &Admission {
        &self.0.admission
    }

    pub(super) fn eviction(&self) -> &EvictionLocks {
        &self.0.eviction
    }

    pub(crate) fn limits(&self) -> HubLimits {
        self.0.limits.get().copied().unwrap_or_default()
    }

    /// Sets the limits. Only the first call counts.
    pub(crate) fn set_limits(&self, limits: HubLimits) {
        _ = self.0.limits.set(limits);
    }

    /// Whether the session is live here. Tells where a request is handled, before its session is authorized.
    pub fn is_live(&self, id: SessionId) -> bool {
        let entries = self.lock_entries();
        let entry = entries.get(&id);
        entry.is_some_and(|entry| entry.handle.initialized() && !entry.is_leaving())
    }

    /// Returns the entry of a session that is live, opening or leaving, for its own organization.
    pub(crate) fn entry(&self, key: &SessionKey) -> Option<Arc<SessionEntry>> {
        self.entry_by_id(key.id).filter(|entry| entry.is_of(key))
    }

    /// Returns the same for the hub's own work, which read the id from a row.
    pub(crate) fn entry_by_id(&self, id: SessionId) -> Option<Arc<SessionEntry>> {
        self.lock_entries().get(&id).map(Arc::clone)
    }

    /// Returns the handle of a session that is open here, also while it is leaving.
    pub(crate) fn open_handle(&self, id: SessionId) -> Option<Handle> {
        self.entry_by_id(id)?.handle.get().cloned()
    }

    /// Returns all entries, oldest session first: the same order on every call.
    pub(crate) fn entries(&self) -> Vec<(SessionId, Arc<SessionEntry>)> {
        let entries = self.lock_entries();
        let copied = entries.iter().map(|(id, entry)| (*id, Arc::clone(entry)));
        let mut copied: Vec<_> = copied.collect();
        drop(entries);
        copied.sort_unstable_by_key(|(id, _)| *id);
        copied
    }

    /// Removes an entry whose session is gone.
    pub(super) fn remove_entry(&self, id: SessionId, entry: &Arc<SessionEntry>) {
        let mut entries = self.lock_entries();
        if entries
            .get(&id)
            .is_some_and(|found| Arc::ptr_eq(found, entry))
        {
            entries.remove(&id);
        }
        entry.mark_gone();
    }

    pub(super) fn lock_entries(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<SessionEntry>>> {
        self.0
            .entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
