//! News of an organization: that an entity changed, and which. Subscribers read the current state themselves, with
//! their own permissions.

use crate::{
    action::{GrantRequestStatus, InvocationStatus},
    id::{GrantId, GrantRequestId, InvocationId, SessionId},
};

/// An entity that an organization's lists show has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// A call of an agent waits, was decided, or ended.
    Action {
        id: InvocationId,
        session_id: SessionId,
        status: InvocationStatus,
    },
    /// A grant was created or revoked.
    Grant(GrantId),
    /// An agent requested a grant, or its request was decided.
    GrantRequest {
        id: GrantRequestId,
        session_id: SessionId,
        status: GrantRequestStatus,
    },
    /// A session was created, changed its status or title, requests something from users, or got its
    /// response.
    Session(SessionId),
    /// Limits of the organization were changed, or come near.
    Limits,
}

impl News {
    /// The session that it is of.
    pub const fn session_id(&self) -> Option<SessionId> {
        match self {
            Self::Action { session_id, .. } | Self::GrantRequest { session_id, .. } => {
                Some(*session_id)
            }
            Self::Session(id) => Some(*id),
            Self::Grant(_) | Self::Limits => None,
        }
    }

    /// Its name on the wire.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Action { .. } => "action_changed",
            Self::Grant(_) => "grant_changed",
            Self::GrantRequest { .. } => "grant_request_changed",
            Self::Session(_) => "session_changed",
            Self::Limits => "limits_changed",
        }
    }
}
