//! Emergency access: a ticket exempts one lane from the organization's lock for a limited time.
//!
//! One admin opens it, another approves it, and a mediated call (`override.enable`) uses it, once. It ends by
//! `override.disable`, with its time, or with its lock. Moves consume the ticket, so that none is made from a state it
//! has left.

use std::time::Duration;

use serde_json::json;

use crate::{
    audit::Sha256Hex,
    canonical::canonical_bytes,
    clock::Timestamp,
    id::{OrganizationId, OverrideTicketId, RunId, SafetyLockId, UserId},
    invalid::Invalid,
    limits::{OVERRIDE_MINUTES_MAX, OVERRIDE_TICKET_WAIT},
    policy::LaneId,
    safety_lock::check_reason,
};

/// The parameters of a call that uses a ticket: the digests of what it changes, which the ticket shows.
pub const BEFORE_SHA256: &str = "before_sha256";
pub const AFTER_SHA256: &str = "after_sha256";

crate::text_enum! {
    /// The word for the status of a ticket.
    OverrideTicketStatus {
        Requested = "requested",
        Approved = "approved",
        Active = "active",
        Disabled = "disabled",
        Expired = "expired",
        Closed = "closed",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideTicket {
    pub id: OverrideTicketId,
    pub organization_id: OrganizationId,
    /// The lock that it exempts a lane from; later locks are not affected.
    pub lock_id: SafetyLockId,
    pub lane: LaneId,
    pub reason: String,
    /// How long the exemption lasts, from when it is enabled.
    pub minutes: u32,
    pub opened_by: UserId,
    pub opened_at: Timestamp,
    pub state: OverrideTicketState,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverrideTicketState {
    /// Waits for a second admin.
    Requested { until: Timestamp },
    /// Can be used.
    Approved {
        approval: Approval,
        until: Timestamp,
    },
    /// Its lane passes the lock.
    Active {
        approval: Approval,
        enabling: Enabling,
        until: Timestamp,
    },
    /// Ended, from any earlier state.
    Over {
        approval: Option<Approval>,
        enabling: Option<Enabling>,
        ending: Ending,
        at: Timestamp,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    pub by: UserId,
    pub at: Timestamp,
}

/// The call that enabled the exemption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Enabling {
    pub run_id: RunId,
    pub at: Timestamp,
}

/// How a ticket ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// By a call that restored the lock for its lane.
    Disabled { run_id: RunId },
    /// Its time was over.
    Expired,
    /// By an admin: before it was used, or with its lock.
    Closed { by: UserId },
}

/// Why a move of a ticket is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotMoved {
    #[error("a ticket cannot be approved by the admin who opened it")]
    OwnTicket,
    #[error("the ticket's time is over")]
    Expired,
    #[error("the ticket is {0}")]
    Status(OverrideTicketStatus),
}

/// The state of a lane with respect to the lock, as the digests of a change name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneLockState {
    Locked,
    Lifted,
}

/// The requested exemption.
#[derive(Debug, Clone)]
pub struct OverrideDraft {
    pub lane: LaneId,
    pub reason: String,
    pub minutes: u32,
}

impl OverrideDraft {
    pub fn check(&self) -> Result<(), Invalid> {
        check_reason(&self.reason)?;
        if self.minutes == 0 || self.minutes > OVERRIDE_MINUTES_MAX {
            let message = format!("must be between 1 and {OVERRIDE_MINUTES_MAX}");
            return Err(Invalid::new("minutes", message));
        }
        Ok(())
    }
}

impl OverrideTicketState {
    pub const fn status(&self) -> OverrideTicketStatus {
        use OverrideTicketStatus as Status;
        match self {
            Self::Requested { .. } => Status::Requested,
            Self::Approved { .. } => Status::Approved,
            Self::Active { .. } => Status::Active,
            Self::Over { ending, .. } => match ending {
                Ending::Disabled { .. } => Status::Disabled,
                Ending::Expired => Status::Expired,
                Ending::Closed { .. } => Status::Closed,
            },
        }
    }

    /// Until when it waits or applies; `None` once it is over.
    pub const fn until(&self) -> Option<Timestamp> {
        match self {
            Self::Requested { until }
            | Self::Approved { until, .. }
            | Self::Active { until, .. } => Some(*until),
            Self::Over { .. } => None,
        }
    }

    /// Ends it with this ending, from any state.
    fn over(self, ending: Ending, at: Timestamp) -> Self {
        let (approval, enabling) = match self {
            Self::Requested { .. } => (None, None),
            Self::Approved { approval, .. } => (Some(approval), None),
            Self::Active {
                approval, enabling, ..
            } => (Some(approval), Some(enabling)),
            over @ Self::Over { .. } => return over,
        };
        Self::Over {
            approval,
            enabling,
            ending,
            at,
        }
    }
}

impl OverrideTicket {
    /// Opens a ticket that waits for a second admin. The draft was checked.
    pub fn open(
        id: OverrideTicketId,
        (organization_id, lock_id): (OrganizationId, SafetyLockId),
        draft: OverrideDraft,
        by: UserId,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            organization_id,
            lock_id,
            lane: draft.lane,
            reason: draft.reason,
            minutes: draft.minutes,
            opened_by: by,
            opened_at: now,
            state: OverrideTicketState::Requested {
                until: now.plus(OVERRIDE_TICKET_WAIT),
            },
        }
    }

    /// Approves it on behalf of a second admin.
    pub fn approve(self, by: UserId, now: Timestamp) -> Result<Self, NotMoved> {
        let ticket = self.in_time(now)?;
        match ticket.state {
            OverrideTicketState::Requested { .. } if by == ticket.opened_by => {
                Err(NotMoved::OwnTicket)
            }
            OverrideTicketState::Requested { until } => Ok(Self {
                state: OverrideTicketState::Approved {
                    approval: Approval { by, at: now },
                    until,
                },
                ..ticket
            }),
            other => Err(NotMoved::Status(other.status())),
        }
    }

    /// Enables the exemption; a ticket can be used only once.
    pub fn enable(self, run_id: RunId, now: Timestamp) -> Result<Self, NotMoved> {
        let ticket = self.in_time(now)?;
        match ticket.state {
            OverrideTicketState::Approved { approval, .. } => Ok(Self {
                state: OverrideTicketState::Active {
                    approval,
                    enabling: Enabling { run_id, at: now },
                    until: now.plus(Duration::from_secs(u64::from(ticket.minutes) * 60)),
                },
                ..ticket
            }),
            other => Err(NotMoved::Status(other.status())),
        }
    }

    /// Restores the lock for its lane.
    pub fn disable(self, run_id: RunId, now: Timestamp) -> Result<Self, NotMoved> {
        let ticket = self.in_time(now)?;
        if !matches!(ticket.state, OverrideTicketState::Active { .. }) {
            return Err(NotMoved::Status(ticket.state.status()));
        }
        Ok(ticket.ended(Ending::Disabled { run_id }, now))
    }

    /// Ends one that was not used yet.
    pub fn close(self, by: UserId, now: Timestamp) -> Result<Self, NotMoved> {
        let ticket = self.in_time(now)?;
        match ticket.state.status() {
            OverrideTicketStatus::Requested | OverrideTicketStatus::Approved => {
                Ok(ticket.ended(Ending::Closed { by }, now))
            }
            status => Err(NotMoved::Status(status)),
        }
    }

    /// Ends whatever is not over with its lock, which `by` released.
    pub fn end_with_lock(self, by: UserId, now: Timestamp) -> Self {
        self.ended(Ending::Closed { by }, now)
    }

    /// The effective state: a ticket whose time is over has expired, whether or not that was stored.
    pub fn seen_at(self, now: Timestamp) -> Self {
        match self.state.until() {
            Some(until) if until <= now => self.ended(Ending::Expired, until),
            _ => self,
        }
    }

    /// Whether a call can use it now.
    pub fn can_enable(&self, now: Timestamp) -> bool {
        let until = self.state.until();
        matches!(self.state, OverrideTicketState::Approved { .. })
            && until.is_some_and(|until| until > now)
    }

    /// Whether there is an exemption to end now.
    pub fn can_disable(&self, now: Timestamp) -> bool {
        let until = self.state.until();
        matches!(self.state, OverrideTicketState::Active { .. })
            && until.is_some_and(|until| until > now)
    }

    /// Whether this call enabled or disabled it.
    pub fn was_moved_by(&self, run_id: RunId) -> bool {
        match &self.state {
            OverrideTicketState::Requested { .. } | OverrideTicketState::Approved { .. } => false,
            OverrideTicketState::Active { enabling, .. } => enabling.run_id == run_id,
            OverrideTicketState::Over {
                enabling, ending, ..
            } => {
                enabling.is_some_and(|enabling| enabling.run_id == run_id)
                    || *ending == Ending::Disabled { run_id }
            }
        }
    }

    /// The digest of what the ticket changes, as it is before or after: a call that changes it has to send both, so
    /// that it cannot change anything but what two admins reviewed.
    pub fn standing_sha256(&self, standing: LaneLockState) -> Sha256Hex {
        Sha256Hex::of(&canonical_bytes(&json!({
            "organization_id": self.organization_id.as_str(),
            "safety_lock_id": self.lock_id.to_string(),
            "override_ticket_id": self.id.to_string(),
            "lane_id": self.lane.as_str(),
            "minutes": self.minutes,
            "standing": match standing {
                LaneLockState::Locked => "locked",
                LaneLockState::Lifted => "lifted",
            },
        })))
    }

    fn in_time(self, now: Timestamp) -> Result<Self, NotMoved> {
        match self.state.until() {
            Some(until) if until <= now => Err(NotMoved::Expired),
            _ => Ok(self),
        }
    }

    fn ended(self, ending: Ending, at: Timestamp) -> Self {
        Self {
            state: self.state.over(ending, at),
            ..self
        }
    }
}

#[cfg(test)]
mod tests;
