//! The facade: composes the parts for other crates, and holds no logic.

use std::sync::Arc;

use app::App;

use crate::{
    fleet::Fleet,
    registry::{HubLimits, Registry, Runtimes},
    runtime::LazyMachine,
    sandbox_control::{SandboxControl, inside::SandboxAccess},
    session_sandbox::SandboxFactory,
    watch::Watchers,
};

/// The live sessions of this process. Clones share them.
#[derive(Debug, Clone)]
pub struct Hub {
    /// Which sessions are live here.
    pub registry: Registry,
    /// What is done to their sandboxes.
    pub sandboxes: SandboxControl,
    /// What runs inside their sandboxes.
    pub inside: SandboxAccess,
    /// The clients that watch them.
    pub watchers: Watchers,
    /// What this instance does without a caller.
    pub fleet: Fleet,
}

impl Hub {
    pub fn new(app: App, machine: LazyMachine) -> Self {
        Self::compose(app, machine, None)
    }

    /// Builds a hub whose agents are supplied by `runtimes` instead of sandboxes.
    pub fn with_runtimes(app: App, runtimes: Arc<dyn Runtimes>) -> Self {
        let machine = LazyMachine::closed("agents are brought up elsewhere");
        Self::compose(app, machine, Some(runtimes))
    }

    fn compose(app: App, machine: LazyMachine, runtimes: Option<Arc<dyn Runtimes>>) -> Self {
        let factory = SandboxFactory::new(app.clone(), machine);
        let registry = Registry::new(app, factory, runtimes);
        let sandboxes = SandboxControl::new(registry.clone());
        Self {
            inside: SandboxAccess::new(registry.clone()),
            watchers: Watchers::new(registry.clone()),
            fleet: Fleet::new(registry.clone(), sandboxes.clone()),
            sandboxes,
            registry,
        }
    }

    /// Sets other limits than the default. Only the first call counts.
    #[must_use]
    pub fn with_limits(self, limits: HubLimits) -> Self {
        self.registry.set_limits(limits);
        self
    }
}
