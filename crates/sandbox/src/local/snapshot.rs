//! Taking a snapshot: everything stands still while what was changed is copied, and goes on before the copy is
//! read back and becomes a snapshot.

use domain::limits::{SANDBOX_PUBLISH_TIMEOUT, SANDBOX_STAGE_TIMEOUT};

use super::{Local, Record, store};
use crate::{Result, SnapshotRef, SnapshotRequest, stoppable::stoppable};

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
            record: Some(record.clone()),
        };
        self.hold(record, true).await?;
        let store = self.0.store.clone();
        let copied = stoppable(
            "copying the home directory",
            SANDBOX_STAGE_TIMEOUT,
            move |stop| store.stage(&upper, stop),
        );
        let staged = copied.await;
        // On failure `held` tries once more.
        self.hold(record, false).await?;
        held.record = None;
        staged
    }
}

/// A sandbox that goes on also when the caller that stopped it does not wait for the end.
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
