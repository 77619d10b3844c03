//! The callers that may have a part in a case: members and services of the organization, and agents in sandboxes.

use domain::{
    audit::{Actor, SafeText},
    caller::Caller,
    capacity::Claimant,
    case::CaseMember,
    id::{OrganizationId, SessionId},
    policy::RoleClass,
};

use super::{AuditedActor, Insider};
use crate::error::Result;

/// A caller of an organization, also an agent in its sandbox. What a member or service may see depends on the cases it
/// is a member of, and what an agent may see on its session.
#[derive(Debug, Clone)]
pub enum Participant {
    Insider(Insider),
    Agent {
        organization_id: OrganizationId,
        session_id: SessionId,
    },
}

impl Participant {
    pub fn of(caller: &Caller) -> Result<Self> {
        match caller {
            Caller::Sandbox {
                organization_id,
                session_id,
                ..
            } => Ok(Self::Agent {
                organization_id: organization_id.clone(),
                session_id: *session_id,
            }),
            Caller::User { .. } | Caller::Service { .. } => Insider::of(caller).map(Self::Insider),
        }
    }

    /// On whose account it is what they hold here.
    pub fn claimant(&self) -> Claimant {
        match self {
            Self::Insider(insider) => insider.claimant(),
            Self::Agent {
                organization_id,
                session_id,
            } => Claimant::session(organization_id.clone(), *session_id),
        }
    }

    /// How they are named among the members of a case; `None` for a service that cannot be one.
    pub fn case_member(&self) -> Option<CaseMember> {
        match self {
            Self::Insider(insider) => insider.member().parse().ok(),
            Self::Agent { session_id, .. } => Some(CaseMember::Session(*session_id)),
        }
    }
}

impl AuditedActor for Participant {
    fn organization_id(&self) -> &OrganizationId {
        match self {
            Self::Insider(insider) => insider.organization_id(),
            Self::Agent {
                organization_id, ..
            } => organization_id,
        }
    }

    fn actor(&self) -> Result<Actor> {
        match self {
            Self::Insider(insider) => insider.actor(),
            // The same id that mediated calls of the agent are recorded under.
            Self::Agent { session_id, .. } => Ok(Actor {
                class: RoleClass::Agent,
                id: SafeText::new("actor_id", session_id.to_string())?,
            }),
        }
    }
}
