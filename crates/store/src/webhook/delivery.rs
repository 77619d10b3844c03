//! Deliveries: the notices for each webhook and the state of their attempts.
//!
//! INVARIANT: one sender at a time attempts a delivery. It claims the delivery by one conditional update that moves the
//! due time ahead, and only the last sender to claim it records a failure. A success is recorded for any sender,
//! because the receiver has the notice then.

use domain::{
    clock::Timestamp,
    id::{DeliveryId, InvocationId, OrganizationId, WebhookId},
    notice::NoticeKind,
    page::{Page, PageRequest},
    webhook::{Delivery, DeliveryStatus, SettledDelivery},
};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::{Rows, values},
};

macro_rules! columns {
    () => {
        "id, webhook_id, organization_id, event, invocation_id, told, status, attempts, \
         response_status, error, created_at, requested_at, last_attempt_at, next_attempt_at"
    };
}

statements! {
    /// A delivery for each webhook that is subscribed to the event. Without the lock, a webhook that is removed at the
    /// same time would fail the transaction that enqueues.
    WEBHOOK_DELIVERY_ENQUEUE_ALL = "INSERT INTO webhook_deliveries (id, webhook_id, organization_id, event,
        invocation_id, told, status, attempts, created_at, requested_at, next_attempt_at)
        SELECT given.id, w.id, w.organization_id, given.event, given.invocation_id, given.told, 'requested', 0,
        given.created_at, given.created_at, given.created_at FROM ",
        rows(id: UUID, organization_id: TEXT, event: TEXT, invocation_id: UUID, told: JSONB,
            created_at: TIMESTAMPTZ)
        "JOIN webhooks w ON w.organization_id = given.organization_id AND w.enabled
        AND CASE given.event WHEN 'action_approval_request' THEN w.on_approval_request
            WHEN 'action_approval_result' THEN w.on_approval_result WHEN 'spend_notice' THEN w.on_spend
            ELSE w.on_completed END",
        pg: " FOR KEY SHARE OF w";
    /// The next webhook, by id, that has pending deliveries, and when the first of them is due.
    WEBHOOK_DELIVERY_NEXT = "SELECT webhook_id AS id, organization_id, next_attempt_at FROM webhook_deliveries
        WHERE next_attempt_at IS NOT NULL AND webhook_id > $1 ORDER BY webhook_id, next_attempt_at LIMIT 1";
    /// The outer condition decides between two senders at once: the second one finds the due time moved.
    WEBHOOK_DELIVERY_CLAIM = concat!("UPDATE webhook_deliveries SET attempts = attempts + 1,
        status = CASE WHEN attempts > 0 THEN 'retried' ELSE status END,
        last_attempt_at = $2, next_attempt_at = $3 WHERE webhook_id = $1 AND next_attempt_at <= $2
        AND id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND next_attempt_at <= $2
            ORDER BY next_attempt_at LIMIT $4) RETURNING ", columns!());
    WEBHOOK_DELIVERY_SETTLE = "UPDATE webhook_deliveries SET status = $4, response_status = $5, error = $6,
        next_attempt_at = $7 WHERE webhook_id = $1 AND id = $2 AND status <> 'accepted'
        AND (attempts = $3 AND next_attempt_at IS NOT NULL OR $4 = 'accepted')";
    WEBHOOK_DELIVERY_GIVE_UP = "UPDATE webhook_deliveries SET status = 'failed', error = $2,
        next_attempt_at = NULL WHERE webhook_id = $1 AND next_attempt_at IS NOT NULL";
    WEBHOOK_DELIVERY_FETCH = concat!("SELECT ", columns!(), " FROM webhook_deliveries
        WHERE organization_id = $1 AND webhook_id = $2 AND id = $3");
    WEBHOOK_DELIVERY_LIST = concat!("SELECT ", columns!(), " FROM webhook_deliveries
        WHERE organization_id = $1 AND webhook_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4");
    WEBHOOK_DELIVERY_LIST_OF_STATUS = concat!("SELECT ", columns!(), " FROM webhook_deliveries
        WHERE organization_id = $1 AND webhook_id = $2 AND status = $5 AND id < $3
        ORDER BY id DESC LIMIT $4");
    /// Starts a delivery that has ended from its first attempt.
    WEBHOOK_DELIVERY_REPEAT = concat!("UPDATE webhook_deliveries SET status = 'requested', attempts = 0,
        response_status = NULL, error = NULL, requested_at = $4, next_attempt_at = $4
        WHERE organization_id = $1 AND webhook_id = $2 AND id = $3 AND next_attempt_at IS NULL
        RETURNING ", columns!());
    WEBHOOK_DELIVERY_SWEEP = "DELETE FROM webhook_deliveries WHERE (webhook_id, id) IN (SELECT webhook_id, id
        FROM webhook_deliveries WHERE next_attempt_at IS NULL AND created_at < $1 ORDER BY created_at LIMIT $2)";
}

/// An event to deliver to each webhook that is subscribed to it.
#[derive(Debug, Clone)]
pub struct NewNotice {
    pub id: DeliveryId,
    pub organization_id: OrganizationId,
    pub event: NoticeKind,
    pub invocation_id: Option<InvocationId>,
    pub told: Value,
    pub created_at: Timestamp,
}

/// A webhook that something waits for.
#[derive(Debug, Clone)]
pub struct WaitingWebhook {
    pub id: WebhookId,
    pub organization_id: OrganizationId,
    /// When the first of it is due.
    pub due_at: Timestamp,
}

/// The webhook after the given one that anything waits for, due or not.
pub async fn webhook_delivery_next(
    conn: &mut Conn,
    after: Option<WebhookId>,
) -> Result<Option<WaitingWebhook>> {
    let after = after.map_or(Uuid::nil(), WebhookId::uuid);
    let row = conn
        .fetch_optional("webhook_deliveries", &WEBHOOK_DELIVERY_NEXT, values![after])
        .await?;
    let waiting = |row: Row| {
        Ok(WaitingWebhook {
            id: row.id("id")?,
            organization_id: row.parsed("organization_id")?,
            due_at: row.time("next_attempt_at")?,
        })
    };
    row.map(waiting).transpose()
}

pub async fn webhook_delivery_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    webhook_id: WebhookId,
    id: DeliveryId,
) -> Result<Option<Delivery>> {
    let values = values![organization_id, webhook_id, id];
    let row = conn
        .fetch_optional("webhook_deliveries", &WEBHOOK_DELIVERY_FETCH, values)
        .await?;
    row.map(|row| delivery(&row)).transpose()
}

/// Of a webhook, newest first, of one status if one is given.
pub async fn webhook_delivery_page(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    webhook_id: WebhookId,
    status: Option<DeliveryStatus>,
    page: PageRequest<DeliveryId>,
) -> Result<Page<Delivery, DeliveryId>> {
    let before = crate::session::cursor(page.before.map(DeliveryId::uuid));
    let mut values = values![organization_id, webhook_id, before, page.fetch_limit()];
    let statement = match status {
        None => &WEBHOOK_DELIVERY_LIST,
        Some(status) => {
            values.push(status.as_str().into());
            &WEBHOOK_DELIVERY_LIST_OF_STATUS
        }
    };
    let rows = conn
        .fetch_all("webhook_deliveries", statement, values)
        .await?;
    let found = rows.iter().map(delivery).collect::<Result<_>>()?;
    Ok(page.page(found, |delivery: &Delivery| delivery.id))
}

/// Enqueues a delivery for each webhook that is subscribed to the notice; none in an organization without webhooks.
pub async fn webhook_delivery_enqueue_all(tx: &mut Tx, notices: &[NewNotice]) -> Result<()> {
    if notices.is_empty() {
        return Ok(());
    }
    let row = |notice: &NewNotice| {
        values![
            notice.id,
            &notice.organization_id,
            notice.event.as_str(),
            notice.invocation_id,
            &notice.told,
            notice.created_at,
        ]
    };
    let rows = Rows(notices.iter().map(row).collect());
    tx.execute(&WEBHOOK_DELIVERY_ENQUEUE_ALL, values![rows])
        .await?;
    Ok(())
}

/// Takes what is due of a webhook, for as long as `until`.
pub async fn webhook_delivery_claim(
    tx: &mut Tx,
    webhook_id: WebhookId,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<Delivery>> {
    let values = values![webhook_id, now, until, i64::from(limit)];
    let rows = tx
        .fetch_all("webhook_deliveries", &WEBHOOK_DELIVERY_CLAIM, values)
        .await?;
    rows.iter().map(delivery).collect()
}

/// Records the end of the attempt for which `taken` was claimed. `false` if another sender has claimed it since.
pub async fn webhook_delivery_settle(
    tx: &mut Tx,
    taken: &Delivery,
    settled: &SettledDelivery,
) -> Result<bool> {
    let values = values![
        taken.webhook_id,
        taken.id,
        i64::from(taken.attempts),
        settled.status.as_str(),
        settled.response_status.map(i64::from),
        settled.error.as_ref(),
        settled.next_attempt_at,
    ];
    Ok(tx.execute(&WEBHOOK_DELIVERY_SETTLE, values).await? == 1)
}

/// Ends all pending deliveries of a webhook. An attempt under way is still recorded if the receiver accepts it.
pub async fn webhook_delivery_give_up(
    tx: &mut Tx,
    webhook_id: WebhookId,
    reason: &str,
) -> Result<()> {
    let values = values![webhook_id, reason];
    tx.execute(&WEBHOOK_DELIVERY_GIVE_UP, values).await?;
    Ok(())
}

/// Schedules a delivery that has ended again. `None` if it does not exist or has not ended.
pub async fn webhook_delivery_repeat(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    webhook_id: WebhookId,
    id: DeliveryId,
    now: Timestamp,
) -> Result<Option<Delivery>> {
    let values = values![organization_id, webhook_id, id, now];
    let row = tx
        .fetch_optional("webhook_deliveries", &WEBHOOK_DELIVERY_REPEAT, values)
        .await?;
    row.map(|row| delivery(&row)).transpose()
}

/// Removes deliveries that ended before, oldest first, and returns how many.
pub async fn webhook_delivery_sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.execute(&WEBHOOK_DELIVERY_SWEEP, values![before, i64::from(limit)])
        .await
}

fn delivery(row: &Row) -> Result<Delivery> {
    let response_status = row.int_opt("response_status")?.map(u16::try_from);
    let response_status = response_status
        .transpose()
        .map_err(|_| row.inconsistent("response_status", "not a status"))?;
    Ok(Delivery {
        id: row.id("id")?,
        webhook_id: row.id("webhook_id")?,
        organization_id: row.parsed("organization_id")?,
        event: row.parsed("event")?,
        invocation_id: row.id_opt("invocation_id")?,
        told: row.json("told")?,
        status: row.parsed("status")?,
        attempts: row.small("attempts")?,
        response_status,
        error: row.text_opt("error")?,
        created_at: row.time("created_at")?,
        requested_at: row.time("requested_at")?,
        last_attempt_at: row.time_opt("last_attempt_at")?,
        next_attempt_at: row.time_opt("next_attempt_at")?,
    })
}
