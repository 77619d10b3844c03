//! A value that tasks wait for. Waiters are woken in the order in which they came: tokio's channels pick one at random, and
//! a simulation could not repeat that.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// A value and the tasks that wait for it to change.
#[derive(Debug, Default)]
pub(super) struct Signal<T> {
    value: Mutex<T>,
    changed: Notify,
}

impl<T: Copy + PartialEq> Signal<T> {
    pub(super) fn get(&self) -> T {
        *self.value()
    }

    pub(super) fn set(&self, value: T) {
        *self.value() = value;
        self.changed.notify_waiters();
    }

    /// Changes one value to another. Returns false if the current value is a third.
    pub(super) fn change(&self, from: T, to: T) -> bool {
        {
            let mut value = self.value();
            if *value != from {
                return false;
            }
            *value = to;
        }
        self.changed.notify_waiters();
        true
    }

    /// Waits until the value fulfils the condition.
    pub(super) async fn wait_until(&self, holds: impl Fn(T) -> bool) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // A change between the check and the wait is not missed.
            changed.as_mut().enable();
            if holds(self.get()) {
                return;
            }
            changed.await;
        }
    }

    fn value(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
