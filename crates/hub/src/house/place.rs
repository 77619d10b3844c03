//! A session's place in the house: who comes while it is being put away waits, and opens it anew.
//!
//! INVARIANT: a place that was left is never used again, and is left only when nothing of its session is here any more:
//! the lease was given back last.

use std::sync::{
    Mutex, OnceLock, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use domain::{
    id::{InstanceId, OrganizationId},
    limits::{HAND_OVER_WATCHED_MAX, HOUSE_LEAVE_WAIT},
};
use tokio::{sync::OnceCell, time::timeout};

use super::{session_key::SessionKey, signal::Signal};
use crate::session::Handle;

/// Whoever comes first opens it; the others wait for that.
#[derive(Debug)]
pub(super) struct Place {
    organization_id: OrganizationId,
    pub(super) hub: OnceCell<Handle>,
    pub(super) facts: OnceLock<Facts>,
    /// Its lease could not be confirmed; the database alone says whose it is.
    unconfirmed: AtomicBool,
    /// Another instance is asked to take it; who watches stays until it has.
    handed_over: AtomicBool,
    farewell: Mutex<Farewell>,
    /// Calls of its agent wait: the session is between two sandboxes.
    is_holding: Signal<bool>,
    stage: Signal<Stage>,
}

/// What is known of a session that is open.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) is_automation: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    #[default]
    Here,
    Leaving,
    Left,
}

/// What becomes of the sandbox when its session is let go.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Farewell {
    /// It goes on: whoever has the session next finds it.
    #[default]
    Leave,
    /// The same, and that instance is asked to have the session next.
    HandOver(Successor),
    /// Saved and ended; the session is paused. What cannot be saved goes on.
    PutAway(&'static str),
    /// The same; a session that cannot be saved has failed, and its sandbox is left.
    Retire(&'static str),
}

/// Who is asked to go on with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Successor {
    pub(super) id: InstanceId,
    /// The agent is there, or is wanted: it is to be listened to.
    pub(super) wants_agent: bool,
}

impl Place {
    pub(super) fn new(key: &SessionKey) -> Self {
        Self {
            organization_id: key.organization_id.clone(),
            hub: OnceCell::default(),
            facts: OnceLock::default(),
            unconfirmed: AtomicBool::default(),
            handed_over: AtomicBool::default(),
            farewell: Mutex::default(),
            is_holding: Signal::default(),
            stage: Signal::default(),
        }
    }

    /// Whether it is this organization's. Keys are right already; one that is not reaches nothing.
    pub(super) fn is_of(&self, key: &SessionKey) -> bool {
        self.organization_id == key.organization_id
    }

    pub(super) fn organization_id(&self) -> &OrganizationId {
        &self.organization_id
    }

    /// Says how it is to be left. False if it is being left already.
    pub(super) fn leave(&self, how: Farewell) -> bool {
        let is_first = self.stage.change(Stage::Here, Stage::Leaving);
        if is_first {
            let is_handed_over = matches!(how, Farewell::HandOver(_));
            self.handed_over.store(is_handed_over, Ordering::SeqCst);
            *self.farewell() = how;
        }
        is_first
    }

    /// It stays after all.
    pub(super) fn stay(&self) {
        *self.farewell() = Farewell::Leave;
        self.stage.change(Stage::Leaving, Stage::Here);
    }

    /// How it is left, for the one who does it.
    pub(super) fn left_how(&self) -> Farewell {
        self.leave(Farewell::Leave);
        std::mem::take(&mut *self.farewell())
    }

    pub(super) fn is_left(&self) {
        self.stage.set(Stage::Left);
    }

    pub(super) fn is_leaving(&self) -> bool {
        self.stage.get() != Stage::Here
    }

    /// Waits while it is being left. False if that takes too long.
    pub(super) async fn settled(&self) -> bool {
        let settled = self.stage.until(|stage| stage != Stage::Leaving);
        timeout(HOUSE_LEAVE_WAIT, settled).await.is_ok()
    }

    /// Waits until nothing of it is here.
    pub(super) async fn gone(&self) {
        self.stage.until(|stage| stage == Stage::Left).await;
    }

    /// Waits until whoever is asked to take the session has it, if somebody is.
    pub(super) async fn followed(&self) {
        if self.handed_over.load(Ordering::SeqCst) {
            let _ = timeout(HAND_OVER_WATCHED_MAX, self.gone()).await;
        }
    }

    pub(super) fn hold_calls(&self, is_holding: bool) {
        self.is_holding.set(is_holding);
    }

    /// Waits while calls are held.
    pub(super) async fn calls_released(&self) {
        self.is_holding.until(|is_holding| !is_holding).await;
    }

    pub(super) fn set_unconfirmed(&self, is_unconfirmed: bool) {
        self.unconfirmed.store(is_unconfirmed, Ordering::SeqCst);
    }

    pub(super) fn is_unconfirmed(&self) -> bool {
        self.unconfirmed.load(Ordering::SeqCst)
    }

    fn farewell(&self) -> std::sync::MutexGuard<'_, Farewell> {
        self.farewell.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
