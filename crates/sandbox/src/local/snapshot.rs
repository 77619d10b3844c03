//! Taking a snapshot: everything stands still while what was changed is copied, and goes on before the copy is
//! read back and becomes a snapshot.

use std::time::Duration;

use domain::limits::{SANDBOX_PUBLISH_TIMEOUT, SANDBOX_STAGE_TIMEOUT};

use super::{
    Local, Record,
    store::{self, Stop},
};
use crate::{Error, Result, SnapshotRef, SnapshotRequest};

impl Local {
    pub(super) async fn take_snapshot(
        &self,
        record: &Record,
        request: &SnapshotRequest,
    ) -> Result<SnapshotRef> {
        let prepared = match &request.before {
            Some(before) => self
                .run(record, before)
                .await
                .and_then(SnapshotRequest::prepared),
            None => Ok(()),
        };
        // What failed may have done half of it: the other command runs all the same.
        let staged = match prepared {
            Ok(()) => self.stage(record).await,
            Err(error) => Err(error),
        };
        if let Some(after) = &request.after
            && !self
                .run(record, after)
                .await
                .is_ok_and(|result| result.is_success())
        {
            tracing::warn!(sandbox = %record.id, "the command after a snapshot failed");
        }
        self.publish(record, staged?).await
    }

    /// Makes a snapshot of what was copied.
    pub(super) async fn publish(
        &self,
        record: &Record,
        staged: store::Staged,
    ) -> Result<SnapshotRef> {
        let base = store::Base {
            template: record.template.clone(),
            layers: record.layers.clone(),
            parent: record.parent.clone(),
        };
        let store = self.0.store.clone();
        stoppable(
            "storing the snapshot",
            SANDBOX_PUBLISH_TIMEOUT,
            move |stop| {
                let _lock = store.lock(false)?;
                store.publish(staged, &base, stop)
            },
        )
        .await
    }

    /// Copies while everything stands still. Whatever happens, it goes on afterwards.
    async fn stage(&self, record: &Record) -> Result<store::Staged> {
        let (_, monitor) = record.running()?;
        let upper = self
            .place(&record.id)
            .disk_seen_through(monitor)
            .join("upper");
        let mut held = Held {
            local: self.clone(),
            record: (!record.is_paused()).then(|| record.clone()),
        };
        self.hold(record, true).await?;
        let store = self.0.store.clone();
        let copied = stoppable(
            "copying the home directory",
            SANDBOX_STAGE_TIMEOUT,
            move |stop| store.stage(&upper, stop),
        );
        let staged = copied.await;
        if let Some(record) = &held.record {
            // On failure `held` tries once more.
            self.hold(record, false).await?;
            held.record = None;
        }
        staged
    }
}

/// Runs work that walks through a tree on a blocking thread. Stops it when its time is up and when the future is dropped. A
/// timeout is returned only after the work has ended: then nothing reads the tree, and nothing of a copy is left.
pub(super) async fn stoppable<T: Send + 'static>(
    step: &'static str,
    max: Duration,
    work: impl FnOnce(&Stop) -> Result<T> + Send + 'static,
) -> Result<T> {
    let stop = Stop::default();
    let stops = Stops(stop.clone());
    let mut working = tokio::task::spawn_blocking(move || work(&stop));
    let Ok(joined) = tokio::time::timeout(max, &mut working).await else {
        stops.0.stop();
        // What it had made is removed with what it gives back.
        drop(working.await);
        return Err(Error::TimedOut { step });
    };
    joined.map_err(|error| Error::failed(step, error))?
}

/// Stops the work when the future that waits for it is dropped.
struct Stops(Stop);

impl Drop for Stops {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A sandbox that goes on also when whoever had it stopped does not wait for the end.
struct Held {
    local: Local,
    record: Option<Record>,
}

impl Drop for Held {
    fn drop(&mut self) {
        let (Some(record), Ok(runtime)) =
            (self.record.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let local = self.local.clone();
        runtime.spawn(async move {
            if let Err(error) = local.hold(&record, false).await {
                tracing::error!(sandbox = %record.id, %error, "a stopped sandbox was not continued");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Work that goes on until it is told to stop, and then says so.
    fn endless(ended: mpsc::Sender<()>) -> impl FnOnce(&Stop) -> Result<()> + Send + 'static {
        move |stop| {
            while !stop.is_stopped() {
                std::thread::yield_now();
            }
            let _ = ended.send(());
            Err(Error::Gone)
        }
    }

    #[tokio::test]
    async fn work_ends_when_its_time_is_up() {
        let (ended, end) = mpsc::channel();
        let done = stoppable("working", Duration::from_millis(20), endless(ended)).await;
        assert_eq!(done, Err(Error::TimedOut { step: "working" }));
        // Before it was said: nothing goes on behind it.
        assert_eq!(end.try_recv(), Ok(()));
    }

    #[tokio::test]
    async fn work_ends_when_its_future_is_dropped() {
        let (ended, end) = mpsc::channel();
        let working = tokio::spawn(stoppable("working", Duration::from_mins(1), endless(ended)));
        tokio::task::yield_now().await;
        working.abort();
        let ended = tokio::task::spawn_blocking(move || end.recv_timeout(Duration::from_secs(30)));
        // One that had not begun has nothing to end.
        assert_ne!(ended.await.unwrap(), Err(mpsc::RecvTimeoutError::Timeout));
    }
}
