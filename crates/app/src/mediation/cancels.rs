//! Stopping calls that another instance does: whoever cancels a run ends it in the database and says so; the instance
//! that is at it hears that and looks. What is said is never believed by itself, and what was not heard is found by
//! looking: after every gap, and now and then.

use bytes::Bytes;
use coord::{Delivery, Subscription};
use domain::{
    id::RunId,
    lease::Topic,
    limits::{RUN_CANCEL_LOOK_EVERY, RUN_CANCEL_RETRY_DELAY},
    run::RunStatus,
};
use tokio_util::sync::CancellationToken;

use crate::{context::App, error::Result};

/// Tells the other instances that a run was cancelled. Whoever misses it looks by itself, later.
pub(super) async fn tell(app: &App, id: RunId) {
    let said = Bytes::from(id.to_string());
    if let Err(error) = app.coordination.publish(Topic::CancelledRuns, said).await {
        tracing::warn!(%error, run_id = %id, "other instances were not told that a run was cancelled");
    }
}

/// Hears of runs that were cancelled, from the moment it is made.
#[derive(Debug)]
pub struct Cancels(Subscription);

impl Cancels {
    pub async fn listen(app: &App) -> Result<Self> {
        let heard = app.coordination.subscribe(Topic::CancelledRuns).await?;
        Ok(Self(heard))
    }

    /// Stops the calls of this process whose runs were cancelled, until coordination ends.
    async fn obey(mut self, app: &App) {
        // What was cancelled before anybody listened.
        stop(app, None).await;
        loop {
            let heard = tokio::time::timeout(RUN_CANCEL_LOOK_EVERY, self.0.recv()).await;
            match heard {
                Ok(None) => return,
                Ok(Some(Delivery::Message(said))) => {
                    let id = std::str::from_utf8(&said).ok();
                    if let Some(id) = id.and_then(|id| id.parse().ok()) {
                        stop(app, Some(id)).await;
                    }
                }
                Ok(Some(Delivery::Lagged(_) | Delivery::Gap)) | Err(_) => stop(app, None).await,
            }
        }
    }
}

/// Stops calls of this process that others cancelled, until `stop`. Comes with who listens already, or not.
pub async fn obey_cancels(app: App, listening: Option<Cancels>, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = keep_obeying(&app, listening) => {}
    }
}

async fn keep_obeying(app: &App, mut listening: Option<Cancels>) {
    loop {
        let cancels = match listening.take() {
            Some(cancels) => Ok(cancels),
            None => Cancels::listen(app).await,
        };
        match cancels {
            Ok(cancels) => cancels.obey(app).await,
            Err(error) => tracing::warn!(%error, "cancelled runs are not heard of"),
        }
        tokio::time::sleep(RUN_CANCEL_RETRY_DELAY).await;
    }
}

/// Stops this call, or every one, whose run says that it was cancelled.
async fn stop(app: &App, id: Option<RunId>) {
    let mut ids = app.underway().ids();
    ids.retain(|run_id| id.is_none_or(|id| id == *run_id));
    if ids.is_empty() {
        return;
    }
    let standing = async {
        let mut conn = app.db.read().await?;
        conn.run_standing_list(&ids).await
    };
    match standing.await {
        Ok(standing) => {
            let cancelled = |run: &&store::RunStanding| run.status == RunStatus::Cancelled;
            for run in standing.iter().filter(cancelled) {
                if let Some(signals) = app.underway().get(run.id) {
                    signals.cancel.cancel();
                }
            }
        }
        // It is looked at again.
        Err(error) => tracing::warn!(%error, "whether calls were cancelled is not known"),
    }
}
