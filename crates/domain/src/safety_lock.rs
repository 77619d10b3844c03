//! An organization's safety lock: while it is engaged, no call passes but those of lanes that were lifted out of it
//! (`override_ticket.rs`). One person engages it, and one person releases it; each says why.

use crate::{
    clock::Timestamp,
    id::{OrganizationId, SafetyLockId, UserId},
    invalid::{Invalid, bounded_text},
    limits::LOCK_REASON_LENGTH_MAX,
};

/// One time that an organization locked its calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SafetyLock {
    pub id: SafetyLockId,
    pub organization_id: OrganizationId,
    pub engaged: Turn,
    /// `None` while it holds.
    pub released: Option<Turn>,
}

/// Who turned the key, when and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    pub by: UserId,
    pub at: Timestamp,
    pub reason: String,
}

/// A reason is a person's sentence; without one nothing is locked, released or lifted.
pub fn check_reason(reason: &str) -> Result<(), Invalid> {
    if reason.trim().is_empty() {
        return Err(Invalid::new("reason", "must say why"));
    }
    bounded_text("reason", reason, 1, LOCK_REASON_LENGTH_MAX)
}
