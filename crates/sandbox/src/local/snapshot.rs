//! Takes a snapshot: freezes everything while what was changed is copied, and resumes it before the copy is read back and
//! becomes a snapshot.

use domain::limits::{SANDBOX_PUBLISH_TIMEOUT, SANDBOX_STAGE_TIMEOUT};

use super::{Local, record::SandboxRecord, store};
use crate::{Result, SnapshotRef, SnapshotRequest, stoppable::stoppable};

impl Local {
    pub(super) async fn take_snapshot(
        &self,
        record: &SandboxRecord,
        request: &SnapshotRequest,
    ) -> Result<SnapshotRef> {
        let prepared = match &request.before {
            Some(before) => self
                .run(record, before)
                .await
                .and_then(SnapshotRequest::check_before),
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
        record: &SandboxRecord,
        staged: store::StagedLayer,
    ) -> Result<SnapshotRef> {
        let base = store::HomeBase {
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

    /// Copies while everything is frozen. Resumes it whatever happens.
    async fn stage(&self, record: &SandboxRecord) -> Result<store::StagedLayer> {
        let (_, monitor) = record.running()?;
        let upper = self.layout(&record.id).disk_seen_by(monitor).join("upper");
        let mut frozen = ResumeOnDrop {
            local: self.clone(),
            record: Some(record.clone()),
        };
        self.set_frozen(record, true).await?;
        let store = self.0.store.clone();
        let copied = stoppable(
            "copying the home directory",
            SANDBOX_STAGE_TIMEOUT,
            move |stop| store.stage(&upper, stop),
        );
        let staged = copied.await;
        // On failure `frozen` tries once more.
        self.set_frozen(record, false).await?;
        frozen.record = None;
        staged
    }
}

/// Resumes a sandbox, also when the caller that froze it does not wait for the end.
struct ResumeOnDrop {
    local: Local,
    record: Option<SandboxRecord>,
}

impl Drop for ResumeOnDrop {
    fn drop(&mut self) {
        let (Some(record), Ok(runtime)) =
            (self.record.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let local = self.local.clone();
        runtime.spawn(async move {
            if let Err(error) = local.set_frozen(&record, false).await {
                tracing::error!(sandbox = %record.id, %error, "a stopped sandbox was not continued");
            }
        });
    }
}
