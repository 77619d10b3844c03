//! A value that others wait for. Who waits longest is woken first: a channel of tokio's draws who comes next, and what
//! follows from it could not be repeated.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

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

    /// From one value to another; false if it has a third.
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

    pub(super) async fn until(&self, is_it: impl Fn(T) -> bool) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // What changes between the look and the wait is not missed.
            changed.as_mut().enable();
            if is_it(self.get()) {
                return;
            }
            changed.await;
        }
    }

    fn value(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
