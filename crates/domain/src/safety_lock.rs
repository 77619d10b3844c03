//! An organization's safety lock: while it is engaged, no call passes except in exempted lanes
//! (`override_ticket.rs`). One admin engages it, and one admin releases it; each gives a reason.

use crate::{
    clock::Timestamp,
    id::{OrganizationId, SafetyLockId, UserId},
    invalid::{Invalid, bounded_text},
    limits::LOCK_REASON_LENGTH_MAX,
};

/// One period in which an organization locked its calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SafetyLock {
    pub id: SafetyLockId,
    pub organization_id: OrganizationId,
    pub engaged: Turn,
    /// `None` while it is engaged.
    pub released: Option<Turn>,
}

/// Who engaged or released it, when and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    pub by: UserId,
    pub at: Timestamp,
    pub reason: String,
}

/// A reason is a user's sentence; without one nothing is locked, released or exempted.
pub fn check_reason(reason: &str) -> Result<(), Invalid> {
    if reason.trim().is_empty() {
        return Err(Invalid::new("reason", "must say why"));
    }
    bounded_text("reason", reason, 1, LOCK_REASON_LENGTH_MAX)
}
