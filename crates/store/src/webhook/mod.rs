//! Webhooks. Their secrets travel sealed and only together with the record they belong to.

mod delivery;

use std::collections::BTreeSet;

use domain::{
    clock::Timestamp,
    id::{OrganizationId, WebhookId},
    notice::NoticeKind,
    page::{Page, PageRequest},
    webhook::{Webhook, WebhookHealth},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::{Statement, statements},
    value::values,
};

pub use delivery::{
    NewNotice, WaitingWebhook, webhook_delivery_claim, webhook_delivery_enqueue_all,
    webhook_delivery_fetch, webhook_delivery_give_up, webhook_delivery_next, webhook_delivery_page,
    webhook_delivery_repeat, webhook_delivery_settle, webhook_delivery_sweep,
};

macro_rules! columns {
    () => {
        "id, organization_id, url, on_approval_request, on_approval_result, on_completed, on_spend, enabled, \
         created_by, created_at, updated_at, last_success_at, failing_since, failed_attempts, last_error"
    };
}

statements! {
    WEBHOOK_INSERT = "INSERT INTO webhooks (id, organization_id, url, on_approval_request,
        on_approval_result, on_completed, enabled, created_by, created_at, updated_at, failed_attempts,
        sealed_secret, on_spend) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, $12)";
    WEBHOOK_FETCH = concat!("SELECT ", columns!(), " FROM webhooks WHERE organization_id = $1 AND id = $2");
    WEBHOOK_FETCH_SEALED = concat!("SELECT ", columns!(), ", sealed_secret, sealed_secret_before,
        secret_before_until FROM webhooks WHERE organization_id = $1 AND id = $2");
    WEBHOOK_LIST = concat!("SELECT ", columns!(), " FROM webhooks
        WHERE organization_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
    WEBHOOK_COUNT = "SELECT COUNT(*) AS n FROM webhooks WHERE organization_id = $1";
    WEBHOOK_UPDATE = "UPDATE webhooks SET url = $3, on_approval_request = $4, on_approval_result = $5,
        on_completed = $6, enabled = $7, updated_at = $8, on_spend = $9 WHERE organization_id = $1 AND id = $2";
    /// The secret in use becomes the previous one.
    WEBHOOK_ROTATE = "UPDATE webhooks SET sealed_secret_before = sealed_secret, sealed_secret = $3,
        secret_before_until = $4, updated_at = $5 WHERE organization_id = $1 AND id = $2";
    WEBHOOK_SUCCEEDED = "UPDATE webhooks SET last_success_at = $3, failing_since = NULL, failed_attempts = 0
        WHERE organization_id = $1 AND id = $2";
    WEBHOOK_FAILED = "UPDATE webhooks SET failing_since = COALESCE(failing_since, $3),
        failed_attempts = failed_attempts + $4, last_error = $5 WHERE organization_id = $1 AND id = $2";
    WEBHOOK_DELETE = "DELETE FROM webhooks WHERE organization_id = $1 AND id = $2";
}

pub(crate) fn statements() -> Vec<&'static Statement> {
    [STATEMENTS, delivery::STATEMENTS].concat()
}

/// A record with its sealed secret, and with the previous one while it is valid.
#[derive(Debug, Clone)]
pub struct SealedWebhook {
    pub webhook: Webhook,
    pub sealed_secret: String,
    pub before: Option<(String, Timestamp)>,
}

pub async fn webhook_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: WebhookId,
) -> Result<Option<Webhook>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("webhooks", &WEBHOOK_FETCH, values)
        .await?;
    row.map(|row| webhook(&row)).transpose()
}

pub async fn webhook_fetch_sealed(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: WebhookId,
) -> Result<Option<SealedWebhook>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("webhooks", &WEBHOOK_FETCH_SEALED, values)
        .await?;
    let sealed = |row: &Row| {
        let before = row.text_opt("sealed_secret_before")?;
        let until = row.time_opt("secret_before_until")?;
        Ok(SealedWebhook {
            webhook: webhook(row)?,
            sealed_secret: row.text("sealed_secret")?,
            before: before.zip(until),
        })
    };
    row.map(|row| sealed(&row)).transpose()
}

pub async fn webhook_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    page: PageRequest<WebhookId>,
) -> Result<Page<Webhook, WebhookId>> {
    let before = crate::session::cursor(page.before.map(WebhookId::uuid));
    let values = values![organization_id, before, page.fetch_limit()];
    let rows = conn.fetch_all("webhooks", &WEBHOOK_LIST, values).await?;
    let found = rows.iter().map(webhook).collect::<Result<_>>()?;
    Ok(page.page(found, |webhook: &Webhook| webhook.id))
}

pub async fn webhook_count(conn: &mut Conn, organization_id: &OrganizationId) -> Result<i64> {
    conn.count("webhooks", &WEBHOOK_COUNT, values![organization_id])
        .await
}

pub async fn webhook_insert(tx: &mut Tx, sealed: &SealedWebhook) -> Result<()> {
    let webhook = &sealed.webhook;
    let [request, result, completed, spend] = wants(webhook);
    let values = values![
        webhook.id,
        &webhook.organization_id,
        &webhook.url,
        request,
        result,
        completed,
        webhook.enabled,
        webhook.created_by.as_ref(),
        webhook.created_at,
        webhook.updated_at,
        &sealed.sealed_secret,
        spend,
    ];
    tx.execute(&WEBHOOK_INSERT, values).await?;
    Ok(())
}

/// Updates URL, events and whether it is enabled. `false` if it does not exist.
pub async fn webhook_update(tx: &mut Tx, webhook: &Webhook) -> Result<bool> {
    let [request, result, completed, spend] = wants(webhook);
    let values = values![
        &webhook.organization_id,
        webhook.id,
        &webhook.url,
        request,
        result,
        completed,
        webhook.enabled,
        webhook.updated_at,
        spend,
    ];
    Ok(tx.execute(&WEBHOOK_UPDATE, values).await? == 1)
}

/// Replaces the secret. The previous one stays valid until `overlap`.
pub async fn webhook_rotate(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: WebhookId,
    sealed_secret: &str,
    overlap: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let values = values![organization_id, id, sealed_secret, overlap, now];
    Ok(tx.execute(&WEBHOOK_ROTATE, values).await? == 1)
}

pub async fn webhook_record_success(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: WebhookId,
    now: Timestamp,
) -> Result<()> {
    let values = values![organization_id, id, now];
    tx.execute(&WEBHOOK_SUCCEEDED, values).await?;
    Ok(())
}

/// Records that `attempts` deliveries in a row failed, the last one with `error`.
pub async fn webhook_record_failure(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: WebhookId,
    attempts: u32,
    error: &str,
    now: Timestamp,
) -> Result<()> {
    let values = values![organization_id, id, now, i64::from(attempts), error];
    tx.execute(&WEBHOOK_FAILED, values).await?;
    Ok(())
}

/// With all of its deliveries.
pub async fn webhook_delete(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: WebhookId,
) -> Result<bool> {
    let values = values![organization_id, id];
    Ok(tx.execute(&WEBHOOK_DELETE, values).await? == 1)
}

/// In the order of the columns, which is that of [`NoticeKind::ALL`].
fn wants(webhook: &Webhook) -> [bool; 4] {
    [
        NoticeKind::ActionApprovalRequest,
        NoticeKind::ActionApprovalResult,
        NoticeKind::ActionCompleted,
        NoticeKind::SpendNotice,
    ]
    .map(|kind| webhook.events.contains(&kind))
}

fn webhook(row: &Row) -> Result<Webhook> {
    let mut events = BTreeSet::new();
    for kind in NoticeKind::ALL {
        let column = match kind {
            NoticeKind::ActionApprovalRequest => "on_approval_request",
            NoticeKind::ActionApprovalResult => "on_approval_result",
            NoticeKind::ActionCompleted => "on_completed",
            NoticeKind::SpendNotice => "on_spend",
        };
        if row.bool(column)? {
            events.insert(*kind);
        }
    }
    Ok(Webhook {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        url: row.text("url")?,
        events,
        enabled: row.bool("enabled")?,
        created_by: row.parsed_opt("created_by")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        health: WebhookHealth {
            last_success_at: row.time_opt("last_success_at")?,
            failing_since: row.time_opt("failing_since")?,
            failed_attempts: row.int("failed_attempts")?,
            last_error: row.text_opt("last_error")?,
        },
    })
}
