//! The entry of one session in the registry: open, leaving or gone.
//!
//! INVARIANT: an entry that is gone is never used again, and becomes gone only when nothing of its session is left in this
//! process: the lease is released last. A caller that comes while it is leaving waits, and then opens a new entry.

use std::sync::{
    Mutex, MutexGuard, OnceLock, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use app::App;
use domain::{
    automation_run::AutomationRunState,
    id::{OrganizationId, SessionId},
    limits::{HAND_OVER_WATCHED_MAX, HUB_LEAVE_WAIT},
};
use tokio::{sync::OnceCell, time::timeout};

use super::{departure::Departure, session_key::SessionKey, signal::Signal};
use crate::session::Handle;

/// One session of this process. The first caller opens it; the others wait for that.
#[derive(Debug)]
pub(crate) struct SessionEntry {
    organization_id: OrganizationId,
    /// Set once the session is open.
    pub(crate) handle: OnceCell<Handle>,
    /// Whether it is the session of an automation run. Set when the session is opened.
    pub(super) is_automation: OnceLock<bool>,
    /// The lease could not be confirmed; the database alone says who owns the session.
    unconfirmed: AtomicBool,
    /// Another instance was asked to take the session; watchers stay connected until it has.
    handed_over: AtomicBool,
    departure: Mutex<Departure>,
    /// Tool calls of the agent wait: the session is between two sandboxes.
    calls_held: Signal<bool>,
    stage: Signal<EntryStage>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum EntryStage {
    #[default]
    Open,
    Leaving,
    Gone,
}

impl SessionEntry {
    pub(super) fn new(key: &SessionKey) -> Self {
        Self {
            organization_id: key.organization_id.clone(),
            handle: OnceCell::default(),
            is_automation: OnceLock::default(),
            unconfirmed: AtomicBool::default(),
            handed_over: AtomicBool::default(),
            departure: Mutex::default(),
            calls_held: Signal::default(),
            stage: Signal::default(),
        }
    }

    /// Whether the key names this entry's organization. Keys are checked before; a wrong one reaches nothing.
    pub(super) fn is_of(&self, key: &SessionKey) -> bool {
        self.organization_id == key.organization_id
    }

    pub(crate) fn organization_id(&self) -> &OrganizationId {
        &self.organization_id
    }

    /// Begins to leave in this way. Returns false if it is leaving already.
    pub(crate) fn begin_departure(&self, departure: Departure) -> bool {
        let is_first = self.stage.change(EntryStage::Open, EntryStage::Leaving);
        if is_first {
            let is_handed_over = matches!(departure, Departure::HandOver(_));
            self.handed_over.store(is_handed_over, Ordering::SeqCst);
            *self.departure() = departure;
        }
        is_first
    }

    /// Makes the session stay after all.
    pub(crate) fn cancel_departure(&self) {
        *self.departure() = Departure::LeaveRunning;
        self.stage.change(EntryStage::Leaving, EntryStage::Open);
    }

    /// Returns how the session leaves, for the task that completes it.
    pub(super) fn take_departure(&self) -> Departure {
        self.begin_departure(Departure::LeaveRunning);
        std::mem::take(&mut *self.departure())
    }

    pub(super) fn mark_gone(&self) {
        self.stage.set(EntryStage::Gone);
    }

    pub(crate) fn is_leaving(&self) -> bool {
        self.stage.get() != EntryStage::Open
    }

    /// Waits while the session is leaving. Returns false if that takes too long.
    pub(super) async fn wait_settled(&self) -> bool {
        let settled = self.stage.wait_until(|stage| stage != EntryStage::Leaving);
        timeout(HUB_LEAVE_WAIT, settled).await.is_ok()
    }

    /// Waits until nothing of the session is left in this process.
    pub(crate) async fn wait_gone(&self) {
        self.stage
            .wait_until(|stage| stage == EntryStage::Gone)
            .await;
    }

    /// Waits until the instance that was asked to take the session has it, if one was asked.
    pub(crate) async fn wait_handed_over(&self) {
        if self.handed_over.load(Ordering::SeqCst) {
            let _ = timeout(HAND_OVER_WATCHED_MAX, self.wait_gone()).await;
        }
    }

    pub(crate) fn hold_calls(&self, is_held: bool) {
        self.calls_held.set(is_held);
    }

    /// Waits while tool calls are held.
    pub(super) async fn wait_calls_released(&self) {
        self.calls_held.wait_until(|is_held| !is_held).await;
    }

    pub(super) fn set_unconfirmed(&self, is_unconfirmed: bool) {
        self.unconfirmed.store(is_unconfirmed, Ordering::SeqCst);
    }

    pub(crate) fn is_unconfirmed(&self) -> bool {
        self.unconfirmed.load(Ordering::SeqCst)
    }

    /// Whether it is the session of an automation run that is not over. If that cannot be read, the session stays.
    pub(crate) async fn has_open_run(&self, app: &App, id: SessionId) -> bool {
        if !self.is_automation.get().copied().unwrap_or_default() {
            return false;
        }
        let run = async {
            let mut conn = app.db.read().await?;
            store::automation_run_fetch_of_session(&mut conn, &self.organization_id, id).await
        };
        match run.await {
            Ok(run) => {
                run.is_some_and(|run| matches!(run.state, AutomationRunState::Running { .. }))
            }
            Err(error) => {
                tracing::warn!(%error, session_id = %id, "cannot read whether an automation run is over");
                true
            }
        }
    }

    fn departure(&self) -> MutexGuard<'_, Departure> {
        self.departure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
