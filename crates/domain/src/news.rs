//! News of an organization: that something changed, and which it is. What it is now is asked for, by those who may.

use crate::{
    action::{GrantRequestStatus, InvocationStatus},
    id::{GrantId, GrantRequestId, InvocationId, SessionId},
};

/// Something that lists of an organization show is not as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// A call of an agent waits, was decided, or ended.
    Action {
        id: InvocationId,
        session_id: SessionId,
        status: InvocationStatus,
    },
    /// A grant was made or withdrawn.
    Grant(GrantId),
    /// An agent wishes for a grant, or was answered.
    GrantRequest {
        id: GrantRequestId,
        session_id: SessionId,
        status: GrantRequestStatus,
    },
    /// A session began, stands differently, is called differently, asks people for something or was answered.
    Session(SessionId),
}

impl News {
    /// How it is called on the wire.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Action { .. } => "action_changed",
            Self::Grant(_) => "grant_changed",
            Self::GrantRequest { .. } => "grant_request_changed",
            Self::Session(_) => "session_changed",
        }
    }
}
