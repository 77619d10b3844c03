//! Webhooks: admins configure where notices about actions are sent (`write.rs`), senders send them (`deliver.rs`), and the
//! log shows whether the receiver accepted them (`log.rs`).
//!
//! INVARIANT: a stored delivery is sent at least once, each time under the same id, or shown as failed.

mod deliver;
mod log;
mod ping;
mod secret;
mod send;
mod sweep;
mod write;

use domain::{
    id::WebhookId,
    page::{Page, PageRequest},
    webhook::Webhook,
};

pub use deliver::{deliver_due, run};
pub use log::{deliveries, redeliver};
pub use ping::{PingResult, test};
pub(crate) use secret::signatures;
pub use sweep::sweep;
pub use write::{NewWebhook, WebhookChange, create, delete, rotate, update};

use crate::{
    access::Admin,
    context::App,
    error::{Error, Result},
};

pub async fn list(
    app: &App,
    admin: &Admin,
    page: PageRequest<WebhookId>,
) -> Result<Page<Webhook, WebhookId>> {
    let mut conn = app.db.read().await?;
    Ok(store::webhook_list(&mut conn, admin.organization_id(), page).await?)
}

pub async fn fetch(app: &App, admin: &Admin, id: WebhookId) -> Result<Webhook> {
    let mut conn = app.db.read().await?;
    let found = store::webhook_fetch(&mut conn, admin.organization_id(), id).await?;
    found.ok_or(Error::NotFound("webhook"))
}
