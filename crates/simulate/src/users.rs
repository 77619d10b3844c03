//! The users of the product: users who create sessions, send prompts and watch, agents that have things done outside,
//! and an admin who decides about them. Each goes on until it is done, whatever happens to the gateways.

mod acting;
mod calling;
mod deciding;
mod moving;
mod prompting;
mod watching;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use app::access::Insider;
use domain::{
    caller::{Caller, Credential, Incarnation},
    id::{OrganizationId, SessionId, UserId},
    role::Role,
};

pub(crate) use acting::act;
pub(crate) use calling::call_tools;
pub(crate) use deciding::decide;
pub(crate) use moving::have_moved;
pub(crate) use prompting::{Person, last_word};
pub(crate) use watching::watch;

use crate::{agents::BegunPrompts, ledger::Ledger, net::Net};

/// What they have in common.
#[derive(Debug, Clone)]
pub(crate) struct Users {
    pub(crate) net: Net,
    pub(crate) ledger: Ledger,
    pub(crate) organization: OrganizationId,
    pub(crate) admin: UserId,
    /// What agents began, as they themselves know it.
    pub(crate) begun: BegunPrompts,
    /// No client watches any more.
    pub(crate) is_over: Arc<AtomicBool>,
}

impl Users {
    pub(crate) fn admin(&self) -> Caller {
        Caller::User {
            organization_id: self.organization.clone(),
            user_id: self.admin.clone(),
            role: Role::Owner,
            credential: Credential::Token,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    pub(crate) fn insider(&self) -> Insider {
        Insider::of(&self.admin()).expect("an owner is one")
    }

    pub(crate) fn agent(&self, session_id: SessionId) -> Caller {
        Caller::Sandbox {
            organization_id: self.organization.clone(),
            session_id,
            incarnation: Incarnation(1),
        }
    }
}
