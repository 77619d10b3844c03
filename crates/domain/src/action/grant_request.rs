//! What an agent gets when it asks for a grant: a grant request, which an admin grants or refuses. Nothing
//! that an agent sends becomes a permission by itself.

use super::{
    grant::{Grant, GrantDraft},
    grant_basis::GrantBasis,
    invocation::bounded,
};
use crate::{
    clock::Timestamp,
    id::{GrantId, GrantRequestId, OrganizationId, SessionId, UserId},
    invalid::Invalid,
    limits::GRANT_REQUEST_LIFE,
};

crate::text_enum! {
    /// The word for a state.
    GrantRequestStatus {
        Pending = "pending",
        Granted = "granted",
        Refused = "refused",
        Expired = "expired",
    }
}

/// An agent's request for a grant.
#[derive(Debug, Clone, PartialEq)]
pub struct GrantRequest {
    pub id: GrantRequestId,
    pub organization_id: OrganizationId,
    /// The session whose agent asks.
    pub session_id: SessionId,
    pub draft: GrantDraft,
    pub created_at: Timestamp,
    pub state: GrantRequestState,
}

/// The state of a grant request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantRequestState {
    Pending {
        expires_at: Timestamp,
    },
    Granted {
        by: UserId,
        at: Timestamp,
        grant: GrantId,
    },
    Refused {
        by: UserId,
        at: Timestamp,
        reason: Option<String>,
    },
    Expired {
        at: Timestamp,
    },
}

/// Why a request was not granted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotDecided {
    #[error("the time to decide ended at {at}")]
    Expired { at: Timestamp },
    #[error("a grant request that is {status} cannot be {verb}")]
    Conflict {
        status: GrantRequestStatus,
        verb: &'static str,
    },
    /// The requested grant is not valid any more, for example because it would have expired by now.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

impl GrantRequest {
    /// Creates a request of the session's agent.
    pub fn new(
        id: GrantRequestId,
        organization_id: OrganizationId,
        session_id: SessionId,
        draft: GrantDraft,
        now: Timestamp,
    ) -> Result<Self, Invalid> {
        draft.check(now)?;
        Ok(Self {
            id,
            organization_id,
            session_id,
            draft,
            created_at: now,
            state: GrantRequestState::Pending {
                expires_at: now.plus(GRANT_REQUEST_LIFE),
            },
        })
    }

    /// Grants it on behalf of an admin: the request is settled and the grant belongs to that admin, for the current
    /// definitions of the actions.
    pub fn grant(
        mut self,
        grant: GrantId,
        (by, basis): (UserId, GrantBasis),
        now: Timestamp,
    ) -> Result<(Self, Grant), NotDecided> {
        self.state.decidable("granted", now)?;
        self.draft.check(now)?;
        let allowed = (by.clone(), basis);
        let made = self
            .draft
            .clone()
            .into_grant(grant, self.organization_id.clone(), allowed, now);
        self.state = GrantRequestState::Granted { by, at: now, grant };
        Ok((self, made))
    }
}

impl GrantRequestState {
    pub const fn status(&self) -> GrantRequestStatus {
        match self {
            Self::Pending { .. } => GrantRequestStatus::Pending,
            Self::Granted { .. } => GrantRequestStatus::Granted,
            Self::Refused { .. } => GrantRequestStatus::Refused,
            Self::Expired { .. } => GrantRequestStatus::Expired,
        }
    }

    pub fn refuse(
        self,
        by: UserId,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<Self, NotDecided> {
        self.decidable("refused", now)?;
        Ok(Self::Refused {
            by,
            at: now,
            reason: reason.map(bounded),
        })
    }

    pub fn expire(self, now: Timestamp) -> Result<Self, NotDecided> {
        match self {
            Self::Pending { expires_at } if now >= expires_at => {
                Ok(Self::Expired { at: expires_at })
            }
            other => Err(other.cannot("expired")),
        }
    }

    /// The effective state: an overdue request is expired, whether or not that was stored.
    #[must_use]
    pub fn seen_at(self, now: Timestamp) -> Self {
        match self {
            Self::Pending { expires_at } if now >= expires_at => Self::Expired { at: expires_at },
            other => other,
        }
    }

    fn decidable(&self, verb: &'static str, now: Timestamp) -> Result<(), NotDecided> {
        match self {
            Self::Pending { expires_at } if now < *expires_at => Ok(()),
            Self::Pending { expires_at: at } | Self::Expired { at } => {
                Err(NotDecided::Expired { at: *at })
            }
            other => Err(other.cannot(verb)),
        }
    }

    const fn cannot(&self, verb: &'static str) -> NotDecided {
        NotDecided::Conflict {
            status: self.status(),
            verb,
        }
    }
}

#[cfg(test)]
mod tests;
