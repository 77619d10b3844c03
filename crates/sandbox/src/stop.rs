//! Whether work is still wanted.

use std::io;

use tokio_util::sync::{CancellationToken, DropGuard};

pub(crate) const STOPPED: &str = "it was stopped";

/// Whether work is still wanted. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(CancellationToken);

impl Stop {
    /// Stops the work when the returned guard is dropped.
    pub(crate) fn on_drop(&self) -> DropGuard {
        self.0.clone().drop_guard()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Returns an error if the work is not wanted any more.
    pub(crate) fn check(&self) -> io::Result<()> {
        if self.is_stopped() {
            return Err(io::Error::other(STOPPED));
        }
        Ok(())
    }

    /// Waits until the work is not wanted any more.
    pub(crate) fn stopped(&self) -> impl Future<Output = ()> + Send + use<> {
        self.0.clone().cancelled_owned()
    }

    #[cfg(test)]
    pub(crate) fn stop(&self) {
        self.0.cancel();
    }
}
