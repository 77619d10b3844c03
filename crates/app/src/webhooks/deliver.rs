//! The sender: finds due deliveries, claims some, sends them, stores how each ended. Any number of
//! processes do this at once; what one has claimed the others leave alone until the claim expires.
//!
//! Each webhook has a task of its own, so that a receiver that hangs does not delay the others.

use std::collections::HashMap;

use domain::{
    capacity::{CapacityPermit, CapacityPool, Claimant},
    clock::Timestamp,
    id::{OrganizationId, WebhookId},
    limits::{
        WEBHOOK_ATTEMPTS_MAX, WEBHOOK_BATCH_AT_ONCE, WEBHOOK_BATCH_MAX, WEBHOOK_CLAIM,
        WEBHOOK_DELIVERY_LIFE, WEBHOOK_ROUND_EVERY, WEBHOOK_SENDERS, WEBHOOK_STOP_MAX,
        WEBHOOKS_AT_ONCE_MAX, WEBHOOKS_PER_ROUND_MAX,
    },
    webhook::{Attempt, Delivery},
};
use futures::{StreamExt as _, stream};
use store::Durability;
use tokio::task::{Id, JoinSet};
use tokio_util::sync::CancellationToken;

use super::send::{Receiver, WebhookMessage};
use crate::{
    context::App,
    error::Result,
    notices::{spend_webhook_body, webhook_body},
};

/// Sends until `stop`, and then finishes what is under way.
pub async fn run(app: App, stop: CancellationToken) {
    let mut sender = Sender::default();
    while !stop.is_cancelled() {
        if let Err(error) = sender.round(&app).await {
            tracing::warn!(%error, "deliveries that are due cannot be found");
        }
        let pause = tokio::time::sleep(WEBHOOK_ROUND_EVERY);
        tokio::pin!(pause);
        // A webhook that had more than fits into one batch goes on at once.
        let mut more = false;
        while !more {
            tokio::select! {
                () = stop.cancelled() => break,
                () = &mut pause => break,
                taken = sender.ended() => more = taken >= WEBHOOK_BATCH_MAX as usize,
            }
        }
    }
    if tokio::time::timeout(WEBHOOK_STOP_MAX, sender.drain())
        .await
        .is_err()
    {
        tracing::info!("some deliveries were cut off; they are sent again");
    }
}

/// Sends what is due now, some of each webhook, and returns how many deliveries that were.
pub async fn deliver_due(app: &App) -> Result<usize> {
    let mut sender = Sender::default();
    sender.round(app).await?;
    Ok(sender.drain().await)
}

/// The sending tasks of a process. Dropping it cuts them off.
struct Sender {
    tasks: JoinSet<usize>,
    busy: HashMap<Id, (WebhookId, CapacityPermit)>,
    capacity: CapacityPool,
    /// Where the last round ended, if there was more.
    after: Option<WebhookId>,
}

impl Default for Sender {
    fn default() -> Self {
        Self {
            tasks: JoinSet::new(),
            busy: HashMap::new(),
            capacity: CapacityPool::new(WEBHOOK_SENDERS),
            after: None,
        }
    }
}

impl Sender {
    /// Starts a task for every webhook with due deliveries.
    async fn round(&mut self, app: &App) -> Result<()> {
        for _ in 0..WEBHOOKS_PER_ROUND_MAX {
            if self.tasks.len() >= WEBHOOKS_AT_ONCE_MAX {
                return Ok(());
            }
            let mut conn = app.db.read().await?;
            let next = store::webhook_delivery_next(&mut conn, self.after).await?;
            drop(conn);
            let Some(next) = next else {
                self.after = None;
                return Ok(());
            };
            self.after = Some(next.id);
            let is_busy = self.busy.values().any(|(id, _)| *id == next.id);
            if next.due_at > app.now() || is_busy {
                continue;
            }
            // Those of an organization that has its share wait for the next round.
            let claimant = Claimant::organization(next.organization_id.clone());
            if let Ok(permit) = self.capacity.try_acquire(&claimant, 1) {
                let task = send_some(app.clone(), next.organization_id, next.id);
                let handle = self.tasks.spawn(task);
                self.busy.insert(handle.id(), (next.id, permit));
            }
        }
        Ok(())
    }

    /// Waits for the next task to end, and returns how many deliveries it had; waits for ever without a task.
    async fn ended(&mut self) -> usize {
        let Some(ended) = self.tasks.join_next_with_id().await else {
            return std::future::pending().await;
        };
        let (id, taken) = match ended {
            Ok((id, taken)) => (id, taken),
            Err(error) => {
                tracing::error!(%error, "sending to a webhook ended badly");
                (error.id(), 0)
            }
        };
        self.busy.remove(&id);
        taken
    }

    async fn drain(&mut self) -> usize {
        let mut taken = 0;
        while !self.tasks.is_empty() {
            taken += self.ended().await;
        }
        taken
    }
}

/// Why nothing more is sent.
pub(super) const SWITCHED_OFF: &str = "the webhook is switched off";

/// Sends a batch of a webhook, and returns how many deliveries it had.
async fn send_some(app: App, organization_id: OrganizationId, id: WebhookId) -> usize {
    let taken = send_batch(&app, &organization_id, id).await;
    taken.unwrap_or_else(|error| {
        tracing::warn!(%error, webhook_id = %id, "deliveries of a webhook cannot be sent");
        0
    })
}

async fn send_batch(app: &App, organization_id: &OrganizationId, id: WebhookId) -> Result<usize> {
    let now = app.now();
    let until = now.plus(WEBHOOK_CLAIM);
    // A claim that is lost in a power failure is made again: its deliveries are sent once more.
    let mut tx = app.db.write_for(Durability::Process).await?;
    let claimed = store::webhook_delivery_claim(&mut tx, id, now, until, WEBHOOK_BATCH_MAX);
    let claimed = claimed.await?;
    tx.commit().await?;
    if claimed.is_empty() {
        return Ok(0);
    }
    let mut conn = app.db.read().await?;
    let sealed = store::webhook_fetch_sealed(&mut conn, organization_id, id).await?;
    drop(conn);
    let Some(sealed) = sealed else {
        // Removed meanwhile, and its deliveries with it.
        return Ok(0);
    };
    let receiver = if sealed.webhook.enabled {
        Receiver::open(app, &sealed).await
    } else {
        // Enqueued while the webhook was switched off.
        Err(impossible(SWITCHED_OFF))
    };
    let taken = claimed.len();
    let attempts: Vec<Attempt> = stream::iter(claimed)
        .map(|delivery| send_one(app, &receiver, delivery))
        .buffer_unordered(WEBHOOK_BATCH_AT_ONCE)
        .filter_map(async |attempt| attempt)
        .collect()
        .await;
    note_health(app, organization_id, id, &attempts).await?;
    Ok(taken)
}

/// Sends one and stores the outcome. `None` if the outcome could not be stored: the delivery is sent again.
async fn send_one(
    app: &App,
    receiver: &std::result::Result<Receiver, Attempt>,
    delivery: Delivery,
) -> Option<Attempt> {
    let attempt = match receiver {
        Err(attempt) => Ok(attempt.clone()),
        Ok(receiver) => attempt(app, receiver, &delivery).await,
    };
    let written = async {
        let attempt = attempt?;
        let settled = attempt.clone().settle(delivery.attempts, app.now());
        let mut tx = app.db.write_for(Durability::Process).await?;
        store::webhook_delivery_settle(&mut tx, &delivery, &settled).await?;
        tx.commit().await?;
        metrics::counter!("proliferate_webhook_attempts_total", "status" => settled.status.as_str())
            .increment(1);
        Result::Ok(attempt)
    };
    match written.await {
        Ok(attempt) => Some(attempt),
        Err(error) => {
            let (webhook_id, id) = (delivery.webhook_id, delivery.id);
            tracing::warn!(%error, %webhook_id, %id, "a delivery is sent again, perhaps for nothing");
            None
        }
    }
}

async fn attempt(app: &App, receiver: &Receiver, delivery: &Delivery) -> Result<Attempt> {
    let now = app.now();
    if delivery.attempts > WEBHOOK_ATTEMPTS_MAX {
        return Ok(impossible("it was cut off each time it was sent"));
    }
    if now.since(delivery.requested_at) > WEBHOOK_DELIVERY_LIFE {
        return Ok(impossible("it could not be sent in time"));
    }
    let Some(body) = body(app, delivery, now).await? else {
        return Ok(impossible("what it is about is gone"));
    };
    let post = WebhookMessage {
        id: delivery.id.uuid(),
        body: &body,
    };
    Ok(receiver.send(&post, now).await)
}

/// The body of a delivery; `None` if the invocation that it is about is gone.
async fn body(app: &App, delivery: &Delivery, now: Timestamp) -> Result<Option<String>> {
    let Some(invocation_id) = delivery.invocation_id else {
        return Ok(Some(spend_webhook_body(delivery).to_string()));
    };
    let mut conn = app.db.read().await?;
    let found = store::invocation_fetch(&mut conn, &delivery.organization_id, invocation_id);
    let record = found.await?;
    Ok(record.map(|record| webhook_body(delivery, &record, now).to_string()))
}

/// Stores what the attempts say about the receiver; attempts that were not made say nothing.
async fn note_health(
    app: &App,
    organization_id: &OrganizationId,
    id: WebhookId,
    attempts: &[Attempt],
) -> Result<()> {
    let error = |attempt| match attempt {
        Attempt::Failed { error, .. } => Some(error),
        Attempt::Accepted { .. } | Attempt::Impossible { .. } => None,
    };
    let failed: Vec<String> = attempts.iter().cloned().filter_map(error).collect();
    let is_accepted = |attempt: &Attempt| matches!(attempt, Attempt::Accepted { .. });
    let count = u32::try_from(failed.len()).unwrap_or(u32::MAX);
    let now = app.now();
    let mut tx = app.db.write_for(Durability::Process).await?;
    if attempts.iter().any(is_accepted) {
        store::webhook_record_success(&mut tx, organization_id, id, now).await?;
    } else if let Some(error) = failed.last() {
        store::webhook_record_failure(&mut tx, organization_id, id, count, error, now).await?;
    }
    tx.commit().await?;
    Ok(())
}

fn impossible(error: &str) -> Attempt {
    Attempt::Impossible {
        error: error.to_owned(),
    }
}
