//! Calls that wait for an approval in this instance: their number, and their cancellation.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use domain::{
    caller::Caller,
    capacity::{CapacityPermit, CapacityPool, Claimant},
    id::SessionId,
};
use rmcp::model::RequestId;
use tokio_util::sync::CancellationToken;

/// Waits under way.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    under_way: Mutex<Vec<Wait>>,
    numbers: AtomicU64,
}

#[derive(Debug)]
struct Wait {
    number: u64,
    caller: Caller,
    session_id: SessionId,
    request_id: RequestId,
    gone: CancellationToken,
}

/// A slot among them; freed when dropped.
#[derive(Debug)]
pub(super) struct WaitSlot<'a> {
    waits: &'a Waits,
    number: u64,
    _permit: CapacityPermit,
}

impl Waits {
    /// Takes a slot, if there is one for the session and its organization. `gone` is cancelled when the client
    /// cancels the request.
    pub(super) fn enter(
        &self,
        capacity: &CapacityPool,
        claimant: &Claimant,
        caller: Caller,
        session_id: SessionId,
        request_id: RequestId,
        gone: CancellationToken,
    ) -> Option<WaitSlot<'_>> {
        let permit = capacity.try_acquire(claimant, 1).ok()?;
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let mut under_way = self.lock();
        under_way.push(Wait {
            number,
            caller,
            session_id,
            request_id,
            gone,
        });
        Some(WaitSlot {
            waits: self,
            number,
            _permit: permit,
        })
    }

    /// Ends the waits for the caller's request in the session. Two clients of one caller may use the same request ids:
    /// then both get a pending result, which loses nothing. Other callers' waits continue.
    pub(super) fn cancel(&self, caller: &Caller, session_id: SessionId, request_id: &RequestId) {
        for wait in self.lock().iter() {
            let is_callers = wait.caller == *caller && wait.session_id == session_id;
            if is_callers && wait.request_id == *request_id {
                wait.gone.cancel();
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Wait>> {
        self.under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WaitSlot<'_> {
    fn drop(&mut self) {
        let mut under_way = self.waits.lock();
        under_way.retain(|wait| wait.number != self.number);
    }
}
