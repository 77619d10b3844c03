//! Who makes a call: from the credential alone, never from the request's body.

use domain::{
    caller::Caller,
    id::{OrganizationId, UserId},
    policy::{InvalidName, Principal, RoleClass, RoleId},
    role::Role,
    run::Run,
    sharing::SessionViewer,
};

use crate::error::{Error, Result};

/// The role names that the built-in policy has. Another policy must have them too, or it denies every caller.
const SANDBOX_AGENT: &str = "SANDBOX_AGENT";
const CASE_AGENT: &str = "CASE_AGENT";
const ORGANIZATION_MEMBER: &str = "ORGANIZATION_MEMBER";
const ORGANIZATION_ADMIN: &str = "ORGANIZATION_ADMIN";

/// The caller of a mediated call.
#[derive(Debug, Clone)]
pub(crate) struct CallerIdentity {
    pub(crate) organization_id: OrganizationId,
    pub(crate) principal: Principal,
    /// The caller as a member of cases.
    pub(crate) member: String,
    /// Whether the caller is the agent in the sandbox of the session that the call is for.
    pub(crate) in_sandbox: bool,
    /// A user who is no admin: sessions that they do not see do not exist for the call.
    member_id: Option<UserId>,
}

impl CallerIdentity {
    pub(crate) fn of(caller: &Caller) -> Result<Self> {
        Ok(Self {
            organization_id: caller.organization_id().clone(),
            principal: principal(caller)?,
            member: member_key(caller),
            in_sandbox: matches!(caller, Caller::Sandbox { .. }),
            member_id: match caller {
                Caller::User { user_id, role, .. } if !role.is_admin() => Some(user_id.clone()),
                _ => None,
            },
        })
    }

    /// The identity that made the run of a session, for a call that is made again once it is approved.
    pub(crate) fn of_run(run: &Run) -> Self {
        let session = run.session_id.map(|id| id.to_string());
        let is_agent = run.actor.class == RoleClass::Agent;
        Self {
            organization_id: run.organization_id.clone(),
            principal: Principal {
                class: run.actor.class,
                actor_id: run.actor.id.clone(),
                role: run.actor.role.clone(),
            },
            // A call of a session is of no case.
            member: String::new(),
            in_sandbox: is_agent && session.as_ref() == Some(&run.actor.id),
            // The caller saw the session when the call was made, and an admin approved it since.
            member_id: None,
        }
    }

    /// Which sessions exist for the call.
    pub(crate) fn viewer(&self) -> SessionViewer<'_> {
        let member = self.member_id.as_ref();
        member.map_or(SessionViewer::All, SessionViewer::Member)
    }
}

/// The caller as the lane decision sees it.
pub(crate) fn principal(caller: &Caller) -> Result<Principal> {
    let (class, actor_id, role) = match caller {
        Caller::User { user_id, role, .. } => {
            let role = match role {
                Role::Owner | Role::Admin => ORGANIZATION_ADMIN,
                Role::Member => ORGANIZATION_MEMBER,
            };
            (RoleClass::Human, user_id.as_str().to_owned(), role)
        }
        Caller::Service { name, .. } => (RoleClass::Agent, name.clone(), CASE_AGENT),
        Caller::Sandbox { session_id, .. } => {
            (RoleClass::Agent, session_id.to_string(), SANDBOX_AGENT)
        }
    };
    let role = RoleId::new(role).map_err(|_: InvalidName| Error::Forbidden("no such role"))?;
    Ok(Principal {
        class,
        actor_id,
        role,
    })
}

/// The caller as a member of cases.
pub(crate) fn member_key(caller: &Caller) -> String {
    match caller {
        Caller::User { user_id, .. } => format!("user:{user_id}"),
        Caller::Service { name, .. } => format!("service:{name}"),
        Caller::Sandbox { session_id, .. } => format!("session:{session_id}"),
    }
}
