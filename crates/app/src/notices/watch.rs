//! Subscribes to the notices of one session: first the pending invocations, then what happens.
//!
//! INVARIANT: a subscriber knows of every pending invocation. The subscription begins before the list is read, so
//! that nothing falls between; after a loss the list is read again.

use std::collections::{HashSet, VecDeque};

use coord::{Delivery, Subscription};
use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    lease::Topic,
    limits::NOTICES_PENDING_MAX,
    notice::{ApprovalOutcome, NoticeKind},
};
use serde_json::Value;

use super::message::message;
use crate::{
    context::App,
    error::{Error, Result},
};

/// A subscription to the notices of one session; dropping it unsubscribes.
#[derive(Debug)]
pub struct NoticeSubscription {
    app: App,
    organization_id: OrganizationId,
    session_id: SessionId,
    live: Subscription,
    first: VecDeque<Value>,
    /// Pending invocations that were sent from the list and may come once more as a message.
    sent: HashSet<String>,
    /// Whether the list is to be read before the next message.
    stale: bool,
}

/// What a subscriber receives.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeUpdate {
    /// `{"type", "payload"}`, as `wire::notice` has it.
    Notice(Value),
    /// Notices may have been lost, that many if it is known. The pending invocations follow.
    Missed(Option<u64>),
}

/// Subscribes to the notices of a session.
pub async fn subscribe(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<NoticeSubscription> {
    let mut conn = app.db.read().await?;
    let session = store::session_fetch(&mut conn, organization_id, session_id).await?;
    drop(conn);
    session.ok_or(Error::NotFound("session"))?;
    let live = app
        .coordination
        .subscribe(Topic::Session(session_id))
        .await?;
    let mut watch = NoticeSubscription {
        app: app.clone(),
        organization_id: organization_id.clone(),
        session_id,
        live,
        first: VecDeque::new(),
        sent: HashSet::new(),
        stale: true,
    };
    watch.read_pending().await?;
    Ok(watch)
}

/// The pending invocations of a session, as messages of its stream, oldest first.
pub async fn pending(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Vec<Value>> {
    let now = app.now();
    let mut conn = app.db.read().await?;
    let pending = store::invocation_pending_list(
        &mut conn,
        organization_id,
        session_id,
        now,
        NOTICES_PENDING_MAX,
    )
    .await?;
    let request = |record| message(NoticeKind::ActionApprovalRequest, record);
    Ok(pending.iter().map(request).collect())
}

/// The notices of a session's newest invocations, as messages of its stream, oldest first: for a client that did
/// not receive all of them when they happened. `since` leaves out invocations that were requested before.
pub async fn recent(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
    since: Option<Timestamp>,
    limit: u32,
) -> Result<Vec<Value>> {
    let now = app.now();
    let mut conn = app.db.read().await?;
    let newest =
        store::invocation_list(&mut conn, organization_id, session_id, None, limit, 0).await?;
    let mut all = Vec::new();
    for mut record in newest.into_iter().rev() {
        let invocation = &mut record.invocation;
        if since.is_some_and(|since| invocation.created_at < since) {
            continue;
        }
        invocation.state = invocation.state.clone().seen_at(now);
        let is_decided = ApprovalOutcome::of(&invocation.state).is_some();
        let last = NoticeKind::of(&invocation.state);
        if is_decided && last != Some(NoticeKind::ActionApprovalResult) {
            all.push(message(NoticeKind::ActionApprovalResult, &record));
        }
        all.extend(last.map(|kind| message(kind, &record)));
    }
    Ok(all)
}

impl NoticeSubscription {
    /// The next update; `None` when coordination ended. An error leaves the subscription as it was: the next call
    /// tries the same again. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Result<Option<NoticeUpdate>> {
        loop {
            if self.stale {
                self.read_pending().await?;
            }
            if let Some(message) = self.first.pop_front() {
                return Ok(Some(NoticeUpdate::Notice(message)));
            }
            let heard = match self.live.recv().await {
                None => return Ok(None),
                Some(Delivery::Message(bytes)) => self.notice(&bytes).map(NoticeUpdate::Notice),
                Some(Delivery::Lagged(count)) => Some(self.missed(Some(count))),
                Some(Delivery::Gap) => Some(self.missed(None)),
            };
            if heard.is_some() {
                return Ok(heard);
            }
        }
    }

    fn missed(&mut self, count: Option<u64>) -> NoticeUpdate {
        self.stale = true;
        NoticeUpdate::Missed(count)
    }

    async fn read_pending(&mut self) -> Result<()> {
        let pending = pending(&self.app, &self.organization_id, self.session_id).await?;
        self.first = pending.into();
        self.sent = self.first.iter().map(question).collect();
        self.stale = false;
        Ok(())
    }

    /// The notice in a message of the session's topic, if it is one and not known already.
    fn notice(&mut self, bytes: &[u8]) -> Option<Value> {
        let message: Value = serde_json::from_slice(bytes).ok()?;
        let kind: NoticeKind = message.get("type")?.as_str()?.parse().ok()?;
        let is_known =
            kind == NoticeKind::ActionApprovalRequest && self.sent.remove(&question(&message));
        (!is_known).then_some(message)
    }
}

/// The key of one approval request: the same invocation can be requested again.
fn question(message: &Value) -> String {
    let payload = &message["payload"];
    format!("{} {}", payload["invocationId"], payload["expiresAt"])
}
