//! What happens to a call that its lane permits. Pure and total: the same facts give the same result, and
//! every call that is not explicitly allowed waits or is denied.

use std::time::Duration;

use super::{
    binding::ActionCall,
    grant::{Grant, candidates},
    grant_basis::CallDefinition,
    invocation::{Authority, DeniedBy, InvocationState, Refusal},
    risk::Risk,
};
use crate::{clock::Timestamp, limits::PENDING_PER_SESSION_MAX};

/// The facts the decision is based on.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// Invocations of the session that wait for an approval.
    pub pending: u32,
    /// Grants that may cover the call; [`dispose`] decides which of them do.
    pub grants: &'a [Grant],
    /// How the action is defined now.
    pub definition: &'a CallDefinition,
    /// How long an approver has.
    pub hold: Duration,
    pub now: Timestamp,
}

/// The decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Disposition {
    /// A grant's authority has yet to be spent, in one step with the claim. If a concurrent call spent
    /// the grant's last call, decide again without that grant.
    Execute(Authority),
    Hold {
        expires_at: Timestamp,
    },
    DenyDanger,
    TooManyPending,
}

/// Decides. Danger is denied before anything else is checked: no grant covers it.
pub fn dispose(risk: Risk, call: &ActionCall<'_>, standing: &Standing<'_>) -> Disposition {
    match risk {
        Risk::Danger => Disposition::DenyDanger,
        Risk::Read => Disposition::Execute(Authority::Read),
        Risk::Write => match covering(call, standing) {
            Some(grant) => Disposition::Execute(Authority::Grant(grant.id)),
            None if standing.pending >= PENDING_PER_SESSION_MAX => Disposition::TooManyPending,
            None => Disposition::Hold {
                expires_at: standing.now.plus(standing.hold),
            },
        },
    }
}

fn covering<'a>(call: &ActionCall<'_>, standing: &Standing<'a>) -> Option<&'a Grant> {
    let found = candidates(standing.grants, call, standing.definition, standing.now);
    found.first().copied()
}

impl Disposition {
    /// The initial state of the invocation; `None` where none is created.
    pub fn begin(self, now: Timestamp) -> Option<InvocationState> {
        match self {
            Self::Execute(authority) => Some(InvocationState::Executing {
                claimed_at: now,
                authority,
            }),
            Self::Hold { expires_at } => Some(InvocationState::Pending {
                expires_at,
                returned: None,
            }),
            Self::DenyDanger => Some(InvocationState::Denied {
                at: now,
                by: DeniedBy::Platform(Refusal::Danger),
                reason: None,
            }),
            Self::TooManyPending => None,
        }
    }
}

#[cfg(test)]
mod tests;
