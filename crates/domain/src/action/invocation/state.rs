//! The states of an invocation and the moves between them.

use std::time::Duration;

use super::super::binding::Mismatch;
use crate::{
    audit::Sha256Hex,
    clock::Timestamp,
    id::{ArtifactId, GrantId, UserId},
    limits::{APPROVAL_LIFE, REASON_LENGTH_MAX},
    run::{RunError, RunStatus},
};

crate::text_enum! {
    /// The word for a state.
    InvocationStatus {
        Pending = "pending",
        Approved = "approved",
        Executing = "executing",
        Completed = "completed",
        Failed = "failed",
        Denied = "denied",
        Expired = "expired",
    }
}

crate::text_enum! {
    /// Whether it is known what effect a failed call had in the outside service.
    Effect {
        /// The service reported that it did nothing, or nothing was sent.
        Known = "known",
        /// The response was lost. The call must not be repeated without a new request.
        Unknown = "unknown",
    }
}

crate::text_enum! {
    /// Why the platform denies a call without an approver.
    Refusal {
        /// The action's risk is danger.
        Danger = "danger",
        /// The policy in force no longer allows it.
        Policy = "policy",
        /// The session it belongs to ended.
        SessionEnded = "session_ended",
    }
}

/// The state of an invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvocationState {
    Pending {
        expires_at: Timestamp,
        /// Why it waits for a second approval, if it does.
        returned: Option<Mismatch>,
    },
    Approved {
        by: UserId,
        at: Timestamp,
        mode: ApprovalMode,
        /// Until when the approval may be used.
        expires_at: Timestamp,
    },
    /// INVARIANT: nothing executes without an authority.
    Executing {
        claimed_at: Timestamp,
        authority: Authority,
    },
    Completed {
        ended_at: Timestamp,
        authority: Authority,
        result: ResultRef,
        duration: Duration,
    },
    Failed {
        ended_at: Timestamp,
        authority: Authority,
        error: RunError,
        effect: Effect,
        /// The response of the service, if there was one: a tool's own error is content.
        result: Option<ResultRef>,
        duration: Duration,
    },
    Denied {
        at: Timestamp,
        by: DeniedBy,
        /// The reason the approver gave, if any.
        reason: Option<String>,
    },
    Expired {
        at: Timestamp,
    },
}

/// What an approval covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalMode {
    /// This call.
    Once,
    /// This call, and a grant for more like it was created together with the approval.
    Grant(GrantId),
}

/// What authorized an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authority {
    /// Reads need no approval.
    Read,
    Grant(GrantId),
    /// An approver, at the time of their decision.
    Approval {
        by: UserId,
        at: Timestamp,
    },
}

/// Who denied it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeniedBy {
    Platform(Refusal),
    Person(UserId),
}

/// The result: its digest, and where the whole of it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultRef {
    pub sha256: Sha256Hex,
    /// `None` where the record holds all of it.
    pub artifact: Option<ArtifactId>,
}

/// A move the lifecycle does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMove {
    /// Its time to be decided or used is over.
    #[error("the time to decide ended at {at}")]
    Expired { at: Timestamp },
    /// A concurrent decision was first, or the state does not allow the move yet.
    #[error("an invocation that is {status} cannot be {verb}")]
    Conflict {
        status: InvocationStatus,
        verb: &'static str,
    },
}

pub(super) type Moved = Result<InvocationState, InvalidMove>;

impl InvocationState {
    pub const fn status(&self) -> InvocationStatus {
        match self {
            Self::Pending { .. } => InvocationStatus::Pending,
            Self::Approved { .. } => InvocationStatus::Approved,
            Self::Executing { .. } => InvocationStatus::Executing,
            Self::Completed { .. } => InvocationStatus::Completed,
            Self::Failed { .. } => InvocationStatus::Failed,
            Self::Denied { .. } => InvocationStatus::Denied,
            Self::Expired { .. } => InvocationStatus::Expired,
        }
    }

    pub const fn is_terminal(&self) -> bool {
        !matches!(
            self,
            Self::Pending { .. } | Self::Approved { .. } | Self::Executing { .. }
        )
    }

    /// Approves it on behalf of a user.
    pub fn approve(self, by: UserId, mode: ApprovalMode, now: Timestamp) -> Moved {
        self.decidable("approved", now)?;
        Ok(Self::Approved {
            by,
            at: now,
            mode,
            expires_at: now.plus(APPROVAL_LIFE),
        })
    }

    /// Denies it on behalf of a user.
    pub fn deny(self, by: UserId, reason: Option<&str>, now: Timestamp) -> Moved {
        self.decidable("denied", now)?;
        Ok(Self::Denied {
            at: now,
            by: DeniedBy::Person(by),
            reason: reason.map(bounded),
        })
    }

    /// Denies it on behalf of the platform; also a call that was allowed already but has not started
    /// in the outside service. The budget of a grant is then given back ([`Self::spent_grant`]).
    pub fn refuse(self, refusal: Refusal, now: Timestamp) -> Moved {
        match self {
            Self::Pending { .. } | Self::Approved { .. } | Self::Executing { .. } => {
                Ok(Self::Denied {
                    at: now,
                    by: DeniedBy::Platform(refusal),
                    reason: None,
                })
            }
            other => Err(other.cannot("refused")),
        }
    }

    /// Expires what was not decided or used in time.
    pub fn expire(self, now: Timestamp) -> Moved {
        match self.overdue(now) {
            Some(at) => Ok(Self::Expired { at }),
            None => Err(self.cannot("expired")),
        }
    }

    /// The effective state: an overdue invocation is expired, whether or not a sweeper has stored
    /// that.
    #[must_use]
    pub fn seen_at(self, now: Timestamp) -> Self {
        match self.overdue(now) {
            Some(at) => Self::Expired { at },
            None => self,
        }
    }

    pub fn complete(self, result: ResultRef, now: Timestamp) -> Moved {
        match self {
            Self::Executing {
                claimed_at,
                authority,
            } => Ok(Self::Completed {
                ended_at: now,
                authority,
                result,
                duration: now.since(claimed_at),
            }),
            other => Err(other.cannot("completed")),
        }
    }

    pub fn fail(
        self,
        error: RunError,
        effect: Effect,
        result: Option<ResultRef>,
        now: Timestamp,
    ) -> Moved {
        match self {
            Self::Executing {
                claimed_at,
                authority,
            } => Ok(Self::Failed {
                ended_at: now,
                authority,
                error,
                effect,
                result,
                duration: now.since(claimed_at),
            }),
            other => Err(other.cannot("failed")),
        }
    }

    /// The grant whose budget this call was spent from; given back if the call is refused before it
    /// ran.
    pub const fn spent_grant(&self) -> Option<GrantId> {
        match self {
            Self::Executing {
                authority: Authority::Grant(id),
                ..
            } => Some(*id),
            _ => None,
        }
    }

    /// The grant that it runs or ran under, if any.
    pub const fn authorizing_grant(&self) -> Option<GrantId> {
        match self {
            Self::Executing { authority, .. }
            | Self::Completed { authority, .. }
            | Self::Failed { authority, .. } => match authority {
                Authority::Grant(id) => Some(*id),
                Authority::Read | Authority::Approval { .. } => None,
            },
            _ => None,
        }
    }

    /// Uses the approval: executing, or pending again if the approval was for something else.
    pub(super) fn claim(self, mismatch: Option<Mismatch>, hold: Duration, now: Timestamp) -> Moved {
        match self {
            Self::Approved { expires_at, .. } if now >= expires_at => {
                Err(InvalidMove::Expired { at: expires_at })
            }
            Self::Approved { by, at, .. } => Ok(match mismatch {
                None => Self::Executing {
                    claimed_at: now,
                    authority: Authority::Approval { by, at },
                },
                Some(mismatch) => Self::Pending {
                    expires_at: now.plus(hold),
                    returned: Some(mismatch),
                },
            }),
            other => Err(other.cannot("executed")),
        }
    }

    fn decidable(&self, verb: &'static str, now: Timestamp) -> Result<(), InvalidMove> {
        match self {
            Self::Pending { expires_at, .. } if now < *expires_at => Ok(()),
            Self::Pending { expires_at: at, .. } | Self::Expired { at } => {
                Err(InvalidMove::Expired { at: *at })
            }
            other => Err(other.cannot(verb)),
        }
    }

    fn overdue(&self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Pending { expires_at, .. } | Self::Approved { expires_at, .. } => {
                (now >= *expires_at).then_some(*expires_at)
            }
            _ => None,
        }
    }

    const fn cannot(&self, verb: &'static str) -> InvalidMove {
        InvalidMove::Conflict {
            status: self.status(),
            verb,
        }
    }
}

impl InvocationStatus {
    /// The status of the run that belongs to the invocation.
    pub const fn run_status(self) -> RunStatus {
        match self {
            Self::Pending | Self::Approved => RunStatus::Created,
            Self::Executing => RunStatus::Running,
            Self::Completed => RunStatus::Completed,
            Self::Failed => RunStatus::Failed,
            Self::Denied => RunStatus::Denied,
            Self::Expired => RunStatus::Cancelled,
        }
    }
}

/// An approver's reason, bounded for the record.
pub(in crate::action) fn bounded(reason: &str) -> String {
    let plain = |c: &char| !c.is_control();
    reason
        .chars()
        .filter(plain)
        .take(REASON_LENGTH_MAX)
        .collect()
}
