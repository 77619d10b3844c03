//! Runs work that waits for a disk on a thread for such work.

use crate::{Error, Result};

pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::failed("working on a disk", error))?
}
