//! Cancels calls that another instance executes: the instance that gets the request ends the run in the database and
//! publishes its id; the instance that executes the call hears that and looks the run up. A message is never believed
//! by itself, and a message that was missed is made up for by looking: after every gap, and at intervals.

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

/// Stops the execution of a run that was cancelled in the database: here, or at the instance that executes it.
pub(crate) async fn stop_execution(app: &App, id: RunId) {
    match app.running_calls().get(id) {
        Some(signals) => signals.cancel.cancel(),
        None => publish(app, id).await,
    }
}

/// Tells the other instances that a run was cancelled. An instance that misses it looks by itself, later.
async fn publish(app: &App, id: RunId) {
    let message = Bytes::from(id.to_string());
    if let Err(error) = app
        .coordination
        .publish(Topic::CancelledRuns, message)
        .await
    {
        tracing::warn!(%error, run_id = %id, "other instances were not told that a run was cancelled");
    }
}

/// Hears of runs that were cancelled, from the moment it is made.
#[derive(Debug)]
pub struct CancelledRuns(Subscription);

impl CancelledRuns {
    pub async fn listen(app: &App) -> Result<Self> {
        let messages = app.coordination.subscribe(Topic::CancelledRuns).await?;
        Ok(Self(messages))
    }

    /// Stops the calls of this process whose runs were cancelled, until coordination ends.
    async fn apply(mut self, app: &App) {
        // Runs that were cancelled before the subscription.
        stop(app, None).await;
        loop {
            let message = tokio::time::timeout(RUN_CANCEL_LOOK_EVERY, self.0.recv()).await;
            match message {
                Ok(None) => return,
                Ok(Some(Delivery::Message(id))) => {
                    let id = std::str::from_utf8(&id).ok();
                    if let Some(id) = id.and_then(|id| id.parse().ok()) {
                        stop(app, Some(id)).await;
                    }
                }
                Ok(Some(Delivery::Lagged(_) | Delivery::Gap)) | Err(_) => stop(app, None).await,
            }
        }
    }
}

/// Stops the calls of this process that other instances cancelled, until `stop`. `listening` is a subscription that
/// exists already.
pub async fn apply_cancels(app: App, listening: Option<CancelledRuns>, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = keep_applying(&app, listening) => {}
    }
}

async fn keep_applying(app: &App, mut listening: Option<CancelledRuns>) {
    loop {
        let cancels = match listening.take() {
            Some(cancels) => Ok(cancels),
            None => CancelledRuns::listen(app).await,
        };
        match cancels {
            Ok(cancels) => cancels.apply(app).await,
            Err(error) => tracing::warn!(%error, "cancelled runs are not heard of"),
        }
        tokio::time::sleep(RUN_CANCEL_RETRY_DELAY).await;
    }
}

/// Stops this call, or all calls, whose runs say that they were cancelled.
async fn stop(app: &App, id: Option<RunId>) {
    let mut ids = app.running_calls().ids();
    ids.retain(|run_id| id.is_none_or(|id| id == *run_id));
    if ids.is_empty() {
        return;
    }
    let standing = async {
        let mut conn = app.db.read().await?;
        store::run_standing_list(&mut conn, &ids).await
    };
    match standing.await {
        Ok(standing) => {
            let cancelled = |run: &&store::RunStanding| run.status == RunStatus::Cancelled;
            for run in standing.iter().filter(cancelled) {
                if let Some(signals) = app.running_calls().get(run.id) {
                    signals.cancel.cancel();
                }
            }
        }
        // It is looked at again.
        Err(error) => tracing::warn!(%error, "whether calls were cancelled is not known"),
    }
}
