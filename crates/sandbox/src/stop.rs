//! A signal that stops work whose caller no longer waits.

use std::io;

use tokio_util::sync::{CancellationToken, DropGuard};

pub(crate) const STOPPED: &str = "it was stopped";

/// Tells work to stop. Clones are the same signal.
#[derive(Debug, Clone, Default)]
pub(crate) struct StopSignal(CancellationToken);

impl StopSignal {
    /// Stops the work when the returned guard is dropped.
    pub(crate) fn on_drop(&self) -> DropGuard {
        self.0.clone().drop_guard()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Returns an error if the work is stopped.
    pub(crate) fn check(&self) -> io::Result<()> {
        if self.is_stopped() {
            return Err(io::Error::other(STOPPED));
        }
        Ok(())
    }

    /// Waits until the work is stopped.
    pub(crate) fn stopped(&self) -> impl Future<Output = ()> + Send + use<> {
        self.0.clone().cancelled_owned()
    }

    #[cfg(test)]
    pub(crate) fn stop(&self) {
        self.0.cancel();
    }
}
