//! An invocation: one request to run an action, from the request to its end.
//!
//! pending -> approved -> executing -> completed | failed; pending -> denied | expired. A read, or a write
//! that a grant covers, starts as executing. An approval whose binding no longer holds goes back to
//! pending. Terminal states do not change. A caller that moves a stored invocation does so with one
//! conditional update from the state it read; only the caller whose update matched may continue.

mod state;

use std::time::Duration;

use serde_json::Value;

use super::{
    binding::{ActionCall, Binding, Mismatch},
    grant_basis::SuspendedGrant,
    name::{ActionName, IntegrationName},
    risk::Risk,
};
use crate::{
    audit::Sha256Hex,
    caller::Caller,
    clock::Timestamp,
    id::{IntegrationId, InvocationId, OrganizationId, RunId, SessionId, UserId},
};

pub(super) use state::bounded;
pub use state::{
    ApprovalMode, Authority, DeniedBy, Effect, InvalidMove, InvocationState, InvocationStatus,
    Refusal, ResultRef,
};

/// An invocation, with everything that is known about it but its parameters, which are stored sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    pub id: InvocationId,
    pub organization_id: OrganizationId,
    pub session_id: SessionId,
    /// The run that this call is.
    pub run_id: RunId,
    /// The connection whose credentials are used; `None` for a connector's.
    pub integration_id: Option<IntegrationId>,
    pub integration: IntegrationName,
    pub action: ActionName,
    pub risk: Risk,
    /// What was requested: an approval covers this and nothing else.
    pub binding: Binding,
    /// The grant that would have made the approval request unnecessary if the action's definition
    /// had not changed.
    pub suspended: Option<SuspendedGrant>,
    pub created_at: Timestamp,
    pub state: InvocationState,
}

/// The result of an attempt to use an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// It is executing, once the store has accepted this.
    Execute(Invocation),
    /// It is pending again, bound to the current call.
    AskAgain {
        invocation: Invocation,
        mismatch: Mismatch,
    },
}

impl Invocation {
    /// Uses the approval for the call as it would run now. `hold` is how long approvers have if it must
    /// be requested again.
    pub fn claim(
        mut self,
        found: Binding,
        hold: Duration,
        now: Timestamp,
    ) -> Result<Claim, InvalidMove> {
        let mismatch = self.binding.mismatch(&found);
        self.state = self.state.claim(mismatch.clone(), hold, now)?;
        // The next approval request shows the current call.
        self.binding = found;
        Ok(match mismatch {
            None => Claim::Execute(self),
            Some(mismatch) => Claim::AskAgain {
                invocation: self,
                mismatch,
            },
        })
    }

    /// Whether these parameters are all of the requested call, as it would run.
    pub fn is_call_with(&self, params: &Value) -> bool {
        let call = ActionCall {
            organization_id: &self.organization_id,
            session_id: self.session_id,
            integration: &self.integration,
            action: &self.action,
            params,
        };
        call.sha256().is_ok_and(|found| found == self.binding.call)
    }

    /// Whether this is the digest of the approval request: the call, under this definition of the tool and this
    /// policy.
    pub fn is_asked(&self, sha256: &Sha256Hex) -> bool {
        self.binding.sha256() == *sha256
    }

    /// Whether the caller, in the context of this session, may see it. A user sees those of their
    /// organization, an agent those of its own session; an invocation of another session is not visible in
    /// either case.
    pub fn is_visible_to(&self, caller: &Caller, session_id: SessionId) -> bool {
        let own = match caller {
            Caller::Sandbox { session_id, .. } => *session_id == self.session_id,
            Caller::User { .. } | Caller::Service { .. } => true,
        };
        own && *caller.organization_id() == self.organization_id && self.session_id == session_id
    }
}

/// The user behind the caller if they may approve, deny, grant and revoke; agents and services never may.
pub fn decider(caller: &Caller) -> Option<&UserId> {
    match caller {
        Caller::User { user_id, role, .. } if role.is_admin() => Some(user_id),
        Caller::User { .. } | Caller::Service { .. } | Caller::Sandbox { .. } => None,
    }
}

#[cfg(test)]
mod tests;
