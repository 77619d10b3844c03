//! Engaging and releasing the lock.

use domain::{
    audit::ActionType,
    id::SafetyLockId,
    override_ticket::OverrideTicket,
    safety_lock::{SafetyLock, Turn, check_reason},
};

use super::{LockChange, record, ticket};
use crate::{
    access::{Admin, Insider},
    context::App,
    error::{Error, Result},
};

/// How an organization's calls are locked.
#[derive(Debug, Clone)]
pub struct LockStatus {
    /// Engaged by one of the organization's admins; `None` if it is not engaged.
    pub lock: Option<SafetyLock>,
    /// Engaged by an operator, for all organizations. No ticket exempts a lane from it.
    pub installation: bool,
    /// Tickets of the lock whose lanes pass now.
    pub lifted: Vec<OverrideTicket>,
}

pub async fn show(app: &App, insider: &Insider) -> Result<LockStatus> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let lock = store::safety_lock_fetch(&mut conn, organization_id).await?;
    let mut lifted = match &lock {
        Some(lock) => store::override_ticket_list_open(&mut conn, organization_id, lock.id).await?,
        None => Vec::new(),
    };
    let now = app.now();
    lifted.retain(|ticket| ticket.can_disable(now));
    Ok(LockStatus {
        lock,
        installation: app.safety_lock,
        lifted,
    })
}

/// Engages the lock: every call of the organization is denied from the next decision on. Running calls go on.
pub async fn engage(app: &App, admin: &Admin, reason: String) -> Result<LockStatus> {
    check_reason(&reason)?;
    let now = app.now();
    let lock = SafetyLock {
        id: SafetyLockId::generate(now, &*app.entropy),
        organization_id: admin.organization_id().clone(),
        engaged: Turn {
            by: admin.user_id().clone(),
            at: now,
            reason,
        },
        released: None,
    };
    let mut tx = app.db.write().await?;
    if !store::safety_lock_insert(&mut tx, &lock).await? {
        return Err(Error::Conflict("the lock is engaged already".to_owned()));
    }
    let change = change("safety_lock_engage", &lock, &lock.engaged);
    record(&mut tx, app, admin, &change).await?;
    tx.commit().await?;
    Ok(LockStatus {
        lock: Some(lock),
        installation: app.safety_lock,
        lifted: Vec::new(),
    })
}

/// Releases the lock. Its tickets end with it: none of them exempts a lane from a later lock.
pub async fn release(app: &App, admin: &Admin, reason: String) -> Result<LockStatus> {
    check_reason(&reason)?;
    let turn = Turn {
        by: admin.user_id().clone(),
        at: app.now(),
        reason,
    };
    let mut tx = app.db.write().await?;
    let lock = store::safety_lock_hold(&mut tx, admin.organization_id()).await?;
    let lock = lock.ok_or_else(|| Error::Conflict("the lock is not engaged".to_owned()))?;
    if !store::safety_lock_release(&mut tx, &lock, &turn).await? {
        return Err(Error::Conflict(
            "the lock was released meanwhile".to_owned(),
        ));
    }
    let change = change("safety_lock_release", &lock, &turn);
    record(&mut tx, app, admin, &change).await?;
    ticket::end_with(&mut tx, app, admin, &lock).await?;
    tx.commit().await?;
    Ok(LockStatus {
        lock: None,
        installation: app.safety_lock,
        lifted: Vec::new(),
    })
}

/// The record of a change of what every caller may do.
fn change<'a>(operation: &'static str, lock: &SafetyLock, turn: &'a Turn) -> LockChange<'a> {
    LockChange {
        action: ActionType::PolicyChange,
        operation,
        target: format!("safety_lock/{}", lock.id),
        lane: None,
        comment: Some(&turn.reason),
        why: None,
    }
}
