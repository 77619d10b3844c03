//! Whether storage accepts writes.

use std::{sync::Mutex, time::Duration};

use domain::limits::{BLOB_PROBE_EVERY, BLOB_PROBE_TIMEOUT};
use object_store::{ObjectStoreExt, PutPayload};

use crate::{
    Blobs,
    error::{Error, Result},
    key::join,
};

/// When a probe last succeeded, on the clock of the process.
#[derive(Debug, Default)]
pub(crate) struct LastProbe(Mutex<Option<Duration>>);

impl Blobs {
    /// Writes an object and removes it again, unless that worked a moment ago. `now` is the process's
    /// monotonic time.
    pub async fn probe(&self, now: Duration) -> Result<()> {
        let last = *self
            .0
            .last_probe
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.is_some_and(|last| now.saturating_sub(last) < BLOB_PROBE_EVERY) {
            return Ok(());
        }
        let probed = tokio::time::timeout(BLOB_PROBE_TIMEOUT, self.write_and_remove()).await;
        probed.map_err(|_| Error::unavailable("no answer in time"))??;
        *self
            .0
            .last_probe
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = Some(now);
        Ok(())
    }

    async fn write_and_remove(&self) -> Result<()> {
        let key = join(&self.0.prefix, &["tmp", "probe"])?;
        self.check_path(&key).await?;
        self.0
            .store
            .put(&key, PutPayload::from_static(b"probe"))
            .await?;
        match self.0.store.delete(&key).await {
            // Another process probes with the same name.
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            other => Ok(other?),
        }
    }
}
