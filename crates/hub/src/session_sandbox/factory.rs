//! Makes the sandbox control of a session, with what all sandboxes of this process share.

use std::sync::Arc;

use app::{App, Error};
use domain::{id::SessionId, session::Session};

use super::{
    read_budgets::ReadBudgets, sandbox::SessionSandbox, snapshot_collector::SnapshotCollector,
};
use crate::{
    opencode::ReadBudget,
    runtime::{LazyMachine, Machine},
};

/// One for each process. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct SandboxFactory(Arc<SharedSandboxState>);

#[derive(Debug)]
struct SharedSandboxState {
    app: App,
    machine: LazyMachine,
    snapshots: SnapshotCollector,
    read_budgets: ReadBudgets,
}

impl SandboxFactory {
    pub(crate) fn new(app: App, machine: LazyMachine) -> Self {
        Self(Arc::new(SharedSandboxState {
            app,
            machine,
            snapshots: SnapshotCollector::default(),
            read_budgets: ReadBudgets::default(),
        }))
    }

    /// Makes the sandbox control of a session, in the name of the session's current owner epoch.
    pub(crate) fn sandbox_of(&self, session: &Session) -> SessionSandbox {
        let shared = &self.0;
        let read_budget = self.read_budget(session.id);
        SessionSandbox::new(
            &shared.app,
            &shared.machine,
            &shared.snapshots,
            read_budget,
            session,
        )
    }

    /// Returns the budget for what is read from a session's sandbox.
    pub(crate) fn read_budget(&self, id: SessionId) -> ReadBudget {
        self.0.read_budgets.budget_of(id)
    }

    pub(crate) fn lazy_machine(&self) -> &LazyMachine {
        &self.0.machine
    }

    /// Returns the machine that sandboxes run on, found when it is first needed.
    pub(crate) async fn machine(&self) -> Result<&Machine, Error> {
        let machine = self.0.machine.machine().await;
        machine.map_err(|unavailable| Error::Outside(unavailable.reason))
    }
}
