//! Tickets: opened by one admin, approved by another, closed by either while they are not in use.

use domain::{
    audit::ActionType,
    id::OverrideTicketId,
    invalid::Invalid,
    limits::OVERRIDE_TICKETS_OPEN_MAX,
    override_ticket::{NotMoved, OverrideDraft, OverrideTicket},
    page::{Page, PageRequest},
    policy::ScopeKey,
    safety_lock::SafetyLock,
};
use store::Tx;

use super::{LockChange, record};
use crate::{
    access::{Admin, Insider},
    context::App,
    error::{Error, Result},
};

/// Opens a ticket that would exempt a lane from the lock for a time. Nothing is exempt yet.
pub async fn open(app: &App, admin: &Admin, draft: OverrideDraft) -> Result<OverrideTicket> {
    draft.check()?;
    let policy = app.policy.current();
    let lane = policy.snapshot().lane(&draft.lane);
    let lane = lane.ok_or_else(|| Invalid::new("laneId", "the policy has no such lane"))?;
    if lane.requires.contains(&ScopeKey::OverrideTicketId) {
        let message = "calls in this lane bring a ticket of their own";
        return Err(Invalid::new("laneId", message).into());
    }
    let (organization_id, now) = (admin.organization_id(), app.now());
    let mut tx = app.db.write().await?;
    let lock = store::safety_lock_hold(&mut tx, organization_id).await?;
    let lock = lock.ok_or_else(|| Error::Conflict("nothing is locked".to_owned()))?;
    let mut open = store::override_ticket_list_open(&mut tx, organization_id, lock.id).await?;
    open.retain(|ticket| ticket.state.until().is_some_and(|until| until > now));
    if open.len() >= OVERRIDE_TICKETS_OPEN_MAX as usize {
        return Err(Error::LimitReached(format!(
            "a lock has at most {OVERRIDE_TICKETS_OPEN_MAX} tickets that wait or are in use"
        )));
    }
    let id = OverrideTicketId::generate(now, &*app.entropy);
    let of = (organization_id.clone(), lock.id);
    let ticket = OverrideTicket::open(id, of, draft, admin.user_id().clone(), now);
    store::override_ticket_insert(&mut tx, &ticket).await?;
    let change = LockChange {
        comment: Some(&ticket.reason),
        ..change("override_ticket_open", &ticket)
    };
    record(&mut tx, app, admin, &change).await?;
    tx.commit().await?;
    Ok(ticket)
}

/// Approves a ticket that another admin opened.
pub async fn approve(app: &App, admin: &Admin, id: OverrideTicketId) -> Result<OverrideTicket> {
    let step = |ticket: OverrideTicket| ticket.approve(admin.user_id().clone(), app.now());
    moved(app, admin, id, "override_ticket_approve", step).await
}

/// Closes a ticket that was not used: an admin refuses it, or withdraws it.
pub async fn close(app: &App, admin: &Admin, id: OverrideTicketId) -> Result<OverrideTicket> {
    let step = |ticket: OverrideTicket| ticket.close(admin.user_id().clone(), app.now());
    moved(app, admin, id, "override_ticket_close", step).await
}

async fn moved(
    app: &App,
    admin: &Admin,
    id: OverrideTicketId,
    operation: &'static str,
    step: impl FnOnce(OverrideTicket) -> std::result::Result<OverrideTicket, NotMoved>,
) -> Result<OverrideTicket> {
    let mut tx = app.db.write().await?;
    let found = store::override_ticket_fetch(&mut tx, admin.organization_id(), id);
    let ticket = found.await?.ok_or(Error::NotFound("override ticket"))?;
    let from = ticket.state.status();
    let ticket = step(ticket).map_err(refused)?;
    if !store::override_ticket_move(&mut tx, from, &ticket).await? {
        return Err(Error::Conflict("the ticket changed meanwhile".to_owned()));
    }
    record(&mut tx, app, admin, &change(operation, &ticket)).await?;
    tx.commit().await?;
    Ok(ticket)
}

/// Newest first, each as it is at this moment.
pub async fn list(
    app: &App,
    insider: &Insider,
    page: PageRequest<OverrideTicketId>,
) -> Result<Page<OverrideTicket, OverrideTicketId>> {
    let mut conn = app.db.read().await?;
    let page = store::override_ticket_page(&mut conn, insider.organization_id(), page);
    let page = page.await?;
    let now = app.now();
    let items = page.items.into_iter().map(|ticket| ticket.seen_at(now));
    Ok(Page {
        items: items.collect(),
        next: page.next,
    })
}

pub async fn fetch(app: &App, insider: &Insider, id: OverrideTicketId) -> Result<OverrideTicket> {
    let mut conn = app.db.read().await?;
    let found = store::override_ticket_fetch(&mut conn, insider.organization_id(), id);
    let ticket = found.await?.ok_or(Error::NotFound("override ticket"))?;
    Ok(ticket.seen_at(app.now()))
}

/// Closes the open tickets of a released lock.
pub(super) async fn end_with(
    tx: &mut Tx,
    app: &App,
    admin: &Admin,
    lock: &SafetyLock,
) -> Result<()> {
    let open = store::override_ticket_list_open(tx, &lock.organization_id, lock.id);
    for ticket in open.await? {
        let from = ticket.state.status();
        let ticket = ticket.end_with_lock(admin.user_id().clone(), app.now());
        if store::override_ticket_move(tx, from, &ticket).await? {
            let change = LockChange {
                why: Some("lock_released"),
                ..change("override_ticket_close", &ticket)
            };
            record(tx, app, admin, &change).await?;
        }
    }
    Ok(())
}

pub(super) fn change<'a>(operation: &'static str, ticket: &'a OverrideTicket) -> LockChange<'a> {
    LockChange {
        action: ActionType::Override,
        operation,
        target: format!("override_ticket/{}", ticket.id),
        lane: Some(&ticket.lane),
        comment: None,
        why: None,
    }
}

fn refused(error: NotMoved) -> Error {
    match error {
        NotMoved::OwnTicket => {
            Error::Forbidden("a ticket cannot be approved by the admin who opened it")
        }
        NotMoved::Expired => Error::Gone(error.to_string()),
        NotMoved::Status(_) => Error::Conflict(error.to_string()),
    }
}
