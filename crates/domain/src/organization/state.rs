//! The state of an organization: active, suspended by an operator, or deleting after its owner or an operator said so.
//!
//! INVARIANT: only an active organization starts or changes anything. A deletion can be taken back until its purge has
//! begun, and then the organization is what it was before: a suspended one is suspended again.

use crate::{
    Invalid,
    clock::Timestamp,
    invalid::visible_name,
    limits::{ORGANIZATION_DELETION_GRACE, SUSPENSION_REASON_LENGTH_MAX},
};

crate::text_enum! {
    /// The word for the state of an organization.
    OrganizationStatus {
        Active = "active",
        Suspended = "suspended",
        Deleting = "deleting",
    }
}

/// Since when an organization is suspended, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrganizationSuspension {
    pub at: Timestamp,
    /// Shown to its members.
    pub reason: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum OrganizationState {
    #[default]
    Active,
    Suspended(OrganizationSuspension),
    Deleting {
        requested_at: Timestamp,
        /// Until then it can be taken back. Afterwards an operator's purge removes everything.
        due_at: Timestamp,
        /// What it is again when the deletion is taken back.
        suspension: Option<OrganizationSuspension>,
        /// When its data began to be removed. No caller of it is known from then on.
        purge_begun_at: Option<Timestamp>,
    },
}

/// Why a change of the state was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StateRefused(pub &'static str);

const DELETING: StateRefused =
    StateRefused("the organization is being deleted; take the deletion back first");
const PURGED: StateRefused =
    StateRefused("the data of the organization is being removed, which cannot be taken back");

impl OrganizationState {
    pub const fn status(&self) -> OrganizationStatus {
        match self {
            Self::Active => OrganizationStatus::Active,
            Self::Suspended(_) => OrganizationStatus::Suspended,
            Self::Deleting { .. } => OrganizationStatus::Deleting,
        }
    }

    pub const fn is_active(&self) -> bool {
        matches!(self, Self::Active)
    }

    /// Whether its data is being removed.
    pub const fn is_purging(&self) -> bool {
        matches!(
            self,
            Self::Deleting {
                purge_begun_at: Some(_),
                ..
            }
        )
    }

    pub const fn suspension(&self) -> Option<&OrganizationSuspension> {
        match self {
            Self::Active => None,
            Self::Suspended(suspension) => Some(suspension),
            Self::Deleting { suspension, .. } => suspension.as_ref(),
        }
    }

    /// Checks the reason for a suspension.
    pub fn validate_reason(reason: &str) -> Result<(), Invalid> {
        visible_name("reason", reason, SUSPENSION_REASON_LENGTH_MAX)
    }

    /// Suspends it. A suspended one gets the new reason.
    pub fn suspend(self, now: Timestamp, reason: &str) -> Result<Self, StateRefused> {
        let at = match self {
            Self::Active => now,
            Self::Suspended(suspension) => suspension.at,
            Self::Deleting { .. } => return Err(DELETING),
        };
        Ok(Self::Suspended(OrganizationSuspension {
            at,
            reason: reason.to_owned(),
        }))
    }

    /// Ends a suspension. An active organization stays active.
    pub fn resume(self) -> Result<Self, StateRefused> {
        match self {
            Self::Active | Self::Suspended(_) => Ok(Self::Active),
            Self::Deleting { .. } => Err(DELETING),
        }
    }

    /// Begins the grace time of a deletion. One that is being deleted keeps its time.
    pub fn begin_deletion(self, now: Timestamp) -> Self {
        let suspension = match self {
            Self::Active => None,
            Self::Suspended(suspension) => Some(suspension),
            deleting @ Self::Deleting { .. } => return deleting,
        };
        Self::Deleting {
            requested_at: now,
            due_at: now.plus(ORGANIZATION_DELETION_GRACE),
            suspension,
            purge_begun_at: None,
        }
    }

    /// Takes a deletion back. Any other state stays.
    pub fn cancel_deletion(self) -> Result<Self, StateRefused> {
        match self {
            Self::Deleting {
                purge_begun_at: Some(_),
                ..
            } => Err(PURGED),
            Self::Deleting {
                suspension: Some(suspension),
                ..
            } => Ok(Self::Suspended(suspension)),
            Self::Deleting { .. } => Ok(Self::Active),
            other => Ok(other),
        }
    }

    /// Begins to remove its data, or goes on with it. `at_once` skips the grace time.
    pub fn begin_purge(self, now: Timestamp, at_once: bool) -> Result<Self, StateRefused> {
        match self {
            Self::Deleting {
                requested_at,
                due_at,
                suspension,
                purge_begun_at,
            } if at_once || purge_begun_at.is_some() || now >= due_at => Ok(Self::Deleting {
                requested_at,
                due_at,
                suspension,
                purge_begun_at: purge_begun_at.or(Some(now)),
            }),
            Self::Deleting { .. } => Err(StateRefused(
                "the deletion can still be taken back; purge it after the grace time, or with `--now`",
            )),
            Self::Active | Self::Suspended(_) => Err(StateRefused(
                "the organization is not being deleted; `proliferate org delete` begins that",
            )),
        }
    }
}

/// Why nothing starts in the organization, for its members. Empty for an active one.
impl std::fmt::Display for OrganizationState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Active => Ok(()),
            Self::Suspended(OrganizationSuspension { reason, .. }) => write!(
                f,
                "the organization is suspended: {reason}. Everything is kept, and nothing starts until the operator \
                 of this installation resumes it",
                reason = reason.trim_end_matches('.')
            ),
            Self::Deleting { due_at, .. } => write!(
                f,
                "the organization is being deleted. An owner can take that back until {}",
                due_at.datetime().format("%Y-%m-%d %H:%M UTC")
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn suspended() -> OrganizationState {
        OrganizationState::Suspended(OrganizationSuspension {
            at: at(1),
            reason: "unpaid".to_owned(),
        })
    }

    fn deleting(
        suspension: Option<OrganizationSuspension>,
        purge: Option<i64>,
    ) -> OrganizationState {
        OrganizationState::Deleting {
            requested_at: at(2),
            due_at: at(2).plus(ORGANIZATION_DELETION_GRACE),
            suspension,
            purge_begun_at: purge.map(at),
        }
    }

    #[test]
    fn every_state_and_event() {
        let suspension = suspended().suspension().cloned();
        let states = [
            OrganizationState::Active,
            suspended(),
            deleting(None, None),
            deleting(suspension.clone(), None),
            deleting(None, Some(3)),
        ];
        let (active, deleting_active) =
            (Some(OrganizationState::Active), Some(deleting(None, None)));
        let deleting_suspended = Some(deleting(suspension, None));
        let again = |at_once: i64| {
            Some(OrganizationState::Suspended(OrganizationSuspension {
                at: at(at_once),
                reason: "late".to_owned(),
            }))
        };
        // suspend, resume, begin_deletion, cancel_deletion
        let expected = [
            (
                again(2),
                active.clone(),
                deleting_active.clone(),
                active.clone(),
            ),
            (
                again(1),
                active.clone(),
                deleting_suspended.clone(),
                Some(suspended()),
            ),
            (None, None, deleting_active, active),
            (None, None, deleting_suspended, Some(suspended())),
            (None, None, Some(deleting(None, Some(3))), None),
        ];
        for (state, (suspend, resume, deletion, cancel)) in states.into_iter().zip(expected) {
            let name = format!("{state:?}");
            assert_eq!(state.clone().suspend(at(2), "late").ok(), suspend, "{name}");
            assert_eq!(state.clone().resume().ok(), resume, "{name}");
            assert_eq!(
                Some(state.clone().begin_deletion(at(2))),
                deletion,
                "{name}"
            );
            assert_eq!(state.cancel_deletion().ok(), cancel, "{name}");
        }
    }

    #[test]
    fn a_purge_begins_after_the_grace_time_or_at_once_and_goes_on() {
        let due = at(2).plus(ORGANIZATION_DELETION_GRACE);
        let before = due.minus(std::time::Duration::from_secs(1));
        let table = [
            (OrganizationState::Active, due, true, false),
            (suspended(), due, true, false),
            (deleting(None, None), before, false, false),
            (deleting(None, None), before, true, true),
            (deleting(None, None), due, false, true),
            (deleting(None, Some(3)), at(4), false, true),
        ];
        for (state, now, at_once, begins) in table {
            let name = format!("{state:?}");
            let begun = state.begin_purge(now, at_once);
            assert_eq!(
                begun.as_ref().is_ok_and(OrganizationState::is_purging),
                begins,
                "{name}"
            );
            if let Ok(begun) = begun {
                assert!(begun.cancel_deletion().is_err(), "{name}");
            }
        }
    }
}
