//! What is known of one session's sandbox in this process, and the lock under which it is changed.

use std::{
    ops::Deref,
    sync::{Arc, Mutex},
};

use app::App;
use domain::{
    id::{OrganizationId, SessionId},
    session::Session,
};
use sandbox::Handle;
use tokio::sync::{MutexGuard, OwnedRwLockReadGuard};
use tokio_util::sync::CancellationToken;

use super::{
    move_schedule::MoveSchedule, record::SandboxRecord, snapshot_collector::SnapshotCollector,
};
use crate::{
    opencode::{AgentClient, ReadBudget},
    runtime::{LazyMachine, Machine},
};

/// Controls the sandbox of one session, in the name of one owner. What is known of the sandbox is in [`SandboxState`];
/// `boot`, `save`, `end` and `budget` change it. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct SessionSandbox(Arc<SandboxState>);

/// What is known of the sandbox of one session.
#[derive(Debug)]
pub(crate) struct SandboxState {
    record: SandboxRecord,
    machine: LazyMachine,
    snapshots: SnapshotCollector,
    /// Bounds what is read of the sandbox: of its agent and of its daemon.
    read_budget: ReadBudget,
    /// The sandbox of the last boot.
    current: Mutex<Option<Handle>>,
    turn: tokio::sync::Mutex<()>,
    /// Cancelled when the session has ended: the snapshot that is being taken is not needed.
    stopped: CancellationToken,
    move_schedule: MoveSchedule,
}

impl SessionSandbox {
    pub(super) fn new(
        app: &App,
        machine: &LazyMachine,
        snapshots: &SnapshotCollector,
        read_budget: ReadBudget,
        session: &Session,
    ) -> Self {
        Self(Arc::new(SandboxState {
            record: SandboxRecord::new(app, session),
            machine: machine.clone(),
            snapshots: snapshots.clone(),
            read_budget,
            current: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            stopped: CancellationToken::new(),
            move_schedule: MoveSchedule::default(),
        }))
    }

    /// Whether both are the control of the same opening of the session.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for SessionSandbox {
    type Target = SandboxState;

    fn deref(&self) -> &SandboxState {
        &self.0
    }
}

impl SandboxState {
    pub(crate) fn session_id(&self) -> SessionId {
        self.record.session_id
    }

    pub(crate) fn organization_id(&self) -> &OrganizationId {
        &self.record.organization_id
    }

    pub(crate) fn record(&self) -> &SandboxRecord {
        &self.record
    }

    pub(crate) fn lazy_machine(&self) -> &LazyMachine {
        &self.machine
    }

    /// Keeps every snapshot of this process as long as the guard is held.
    pub(crate) async fn hold_snapshots(&self) -> OwnedRwLockReadGuard<()> {
        self.snapshots.hold_snapshots().await
    }

    pub(super) fn snapshots(&self) -> &SnapshotCollector {
        &self.snapshots
    }

    pub(crate) fn move_schedule(&self) -> &MoveSchedule {
        &self.move_schedule
    }

    /// Waits for the right to change the sandbox, and holds it as long as the guard lives.
    pub(crate) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Returns the sandbox of the last boot, if it was not ended.
    pub(crate) fn handle(&self) -> Option<Handle> {
        let current = self.current.lock().ok();
        current.and_then(|current| current.clone())
    }

    pub(crate) fn set_handle(&self, handle: Option<Handle>) {
        if let Ok(mut current) = self.current.lock() {
            *current = handle;
        }
    }

    /// Bounds what the client reads by the budget of this sandbox.
    pub(crate) fn bound_client(&self, client: AgentClient) -> AgentClient {
        client.sharing(self.read_budget.clone())
    }

    /// Ends a snapshot that is being taken: the session has ended.
    pub(crate) fn cancel_saves(&self) {
        self.stopped.cancel();
    }

    /// Waits until the session has ended.
    pub(super) async fn saves_cancelled(&self) {
        self.stopped.cancelled().await;
    }
}

/// Destroys a sandbox that no session uses. A failure is logged: the sweep finds the sandbox.
pub(crate) async fn destroy_sandbox(machine: &Machine, handle: &Handle) {
    if let Err(error) = machine.provider.destroy(handle).await {
        tracing::error!(%error, sandbox = %handle.id, "an unused sandbox was not destroyed");
    }
}
