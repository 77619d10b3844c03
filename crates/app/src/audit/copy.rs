//! Copies signed checkpoints to the object store: a second place, which an attacker who rewrites the database would
//! have to rewrite as well.
//!
//! A checkpoint waits in the database until its copy is there, so none is forgotten while storage is away;
//! no caller waits for the copying. Signing notes it in the same transaction.

use bytes::Bytes;
use domain::{
    lease::LeaseKey,
    limits::{AUDIT_COPIES_PER_PAGE_MAX, AUDIT_COPY_EVERY, AUDIT_COPY_LEASE},
};
use store::AuditCopy;
use tokio_util::sync::CancellationToken;

use crate::{context::App, error::Result};

const COPIER: LeaseKey = LeaseKey::Sweeper("audit_copies");

/// Copies until `stop`. What is signed last is copied by the next process.
pub async fn copy_until(app: App, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let round = async {
            if holds_lease(&app).await
                && let Err(error) = copy_checkpoints(&app).await
            {
                tracing::warn!(%error, "signed checkpoints wait to be copied to storage");
            }
            tokio::time::sleep(AUDIT_COPY_EVERY).await;
        };
        // Storage may take long to fail; a copy that is given up is made again.
        tokio::select! {
            () = stop.cancelled() => {}
            () = round => {}
        }
    }
    if let Err(error) = app.coordination.release(COPIER, app.instance.id).await {
        tracing::debug!(%error, "the copier's lease was not released; it expires by itself");
    }
}

async fn holds_lease(app: &App) -> bool {
    let held = app
        .coordination
        .acquire(COPIER, app.instance.id, AUDIT_COPY_LEASE)
        .await;
    // Without coordination every instance copies: the same bytes to the same place.
    !matches!(held, Ok(coord::Acquisition::HeldBy(_)))
}

/// Copies what waits and says how much that was. One that cannot be copied because another one is there
/// keeps waiting, loudly, and does not hold up the others; storage that is away ends the round.
pub async fn copy_checkpoints(app: &App) -> Result<usize> {
    let (mut after, mut copied): (Option<AuditCopy>, _) = (None, 0);
    // Ends: each page begins after the one before.
    loop {
        let mut conn = app.db.read().await?;
        let page =
            store::audit_copy_list(&mut conn, after.as_ref(), AUDIT_COPIES_PER_PAGE_MAX).await?;
        drop(conn);
        for waiting in &page {
            copied += usize::from(copy(app, waiting).await?);
        }
        if page.len() < AUDIT_COPIES_PER_PAGE_MAX as usize {
            return Ok(copied);
        }
        after = page.into_iter().next_back();
    }
}

async fn copy(app: &App, waiting: &AuditCopy) -> Result<bool> {
    let organization_id = &waiting.organization_id;
    let size = u64::try_from(waiting.size).unwrap_or_default();
    let note = Bytes::copy_from_slice(waiting.note.as_bytes());
    match app.blobs.put_checkpoint(organization_id, size, note).await {
        Ok(()) => {}
        Err(error @ blobs::Error::Altered { .. }) => {
            metrics::counter!("proliferate_audit_copies_refused_total").increment(1);
            tracing::error!(%error, %organization_id, size,
                "storage has another checkpoint of this size: the audit log or its copy was rewritten");
            return Ok(false);
        }
        Err(error) => return Err(error.into()),
    }
    let mut tx = app.db.write().await?;
    store::audit_copy_delete(&mut tx, waiting).await?;
    tx.commit().await?;
    metrics::counter!("proliferate_audit_copies_total").increment(1);
    Ok(true)
}
