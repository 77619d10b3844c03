//! An organization's safety lock.

use chrono::{DateTime, Utc};
use domain::safety_lock::SafetyLock;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::override_ticket::OverrideTicketView;

/// Whether calls are locked, by whom, and which calls still pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SafetyLockView {
    /// Whether calls of the organization are stopped, by an admin or an operator.
    pub engaged: bool,
    /// Whether an operator has locked the whole installation. No ticket exempts from that.
    pub installation: bool,
    /// The organization's own lock; `null` if none of its admins has locked.
    pub lock: Option<EngagedLock>,
    /// Tickets whose lanes pass that lock now.
    pub lifted: Vec<OverrideTicketView>,
}

/// An engaged lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EngagedLock {
    pub id: Uuid,
    pub engaged_by: String,
    pub engaged_at: DateTime<Utc>,
    pub reason: String,
}

/// Why the lock is engaged or released.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnSafetyLockRequest {
    /// The audit log keeps its digest.
    #[schema(
        min_length = 1,
        max_length = 500,
        example = "an agent writes where it should not"
    )]
    pub reason: String,
}

impl From<SafetyLock> for EngagedLock {
    fn from(lock: SafetyLock) -> Self {
        Self {
            id: lock.id.uuid(),
            engaged_by: lock.engaged.by.to_string(),
            engaged_at: lock.engaged.at.datetime(),
            reason: lock.engaged.reason,
        }
    }
}
