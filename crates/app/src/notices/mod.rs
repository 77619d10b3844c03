//! Notices: say what happens to an invocation. Subscribers receive them at once, through coordination, on any instance
//! (`publish.rs`, `watch.rs`); programs of the organization receive them by its webhooks (`crate::webhooks`), for which
//! they are stored with the change itself.
//!
//! INVARIANT: what a notice holds was redacted and cut before it was stored. A notice is made of a record, never of
//! what runs.

mod message;
mod publish;
mod watch;

use domain::{
    clock::Timestamp,
    id::{DeliveryId, OrganizationId},
    notice::NoticeKind,
    organization_spend::SpendNotice,
};
use store::{InvocationRecord, NewNotice, Tx};

use crate::{context::App, error::Result};

pub(crate) use message::{spend_webhook_body, webhook_body};
pub use publish::publish;
pub(crate) use publish::publish_all;
pub use watch::{NoticeSubscription, NoticeUpdate, pending, recent, subscribe};

/// Something to tell about an invocation.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    id: DeliveryId,
    at: Timestamp,
    kind: NoticeKind,
    record: InvocationRecord,
}

impl Notice {
    /// What there is to tell of an invocation that just came into the state it is in. `None` of one that runs
    /// without an admin's approval.
    pub fn of(app: &App, record: InvocationRecord) -> Option<Self> {
        let kind = NoticeKind::of(&record.invocation.state)?;
        let at = app.now();
        Some(Self {
            id: DeliveryId::generate(at, &*app.entropy),
            at,
            kind,
            record,
        })
    }

    pub fn kind(&self) -> NoticeKind {
        self.kind
    }

    pub fn record(&self) -> &InvocationRecord {
        &self.record
    }
}

/// Puts down in `tx`, with the change itself, that the organization's webhooks are to be told. One statement
/// for all notices, and one look at an index for each.
pub async fn enqueue(tx: &mut Tx, notices: &[Notice]) -> Result<()> {
    let new = |notice: &Notice| NewNotice {
        id: notice.id,
        organization_id: notice.record.invocation.organization_id.clone(),
        event: notice.kind,
        invocation_id: Some(notice.record.invocation.id),
        told: message::decision_fields(notice.kind, &notice.record),
        created_at: notice.at,
    };
    if notices.is_empty() {
        return Ok(());
    }
    let new: Vec<_> = notices.iter().map(new).collect();
    Ok(store::webhook_delivery_enqueue_all(tx, &new).await?)
}

/// Does the same for a share of a spend limit that was reached.
pub(crate) async fn enqueue_spend(
    tx: &mut Tx,
    app: &App,
    organization_id: &OrganizationId,
    notice: &SpendNotice,
) -> Result<()> {
    let now = app.now();
    let new = NewNotice {
        id: DeliveryId::generate(now, &*app.entropy),
        organization_id: organization_id.clone(),
        event: NoticeKind::SpendNotice,
        invocation_id: None,
        told: message::spend_fields(notice, now),
        created_at: now,
    };
    Ok(store::webhook_delivery_enqueue_all(tx, &[new]).await?)
}

/// Commits a change of one invocation together with its notice, and publishes the notice to subscribers.
pub(crate) async fn commit(app: &App, mut tx: Tx, record: Option<InvocationRecord>) -> Result<()> {
    let notice = record.and_then(|record| Notice::of(app, record));
    let notices = Vec::from_iter(notice);
    enqueue(&mut tx, &notices).await?;
    tx.commit().await?;
    publish_all(app, notices);
    Ok(())
}
