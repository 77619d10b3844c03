//! Who a caller is to the policy. From the credential alone.

use domain::{
    caller::Caller,
    policy::{InvalidName, Principal, RoleClass, RoleId},
    role::Role,
};

use crate::error::{Error, Result};

/// The role names the built-in policy has; another policy must have them too, or its callers are unknown.
const SANDBOX_AGENT: &str = "SANDBOX_AGENT";
const CASE_AGENT: &str = "CASE_AGENT";
const ORGANIZATION_MEMBER: &str = "ORGANIZATION_MEMBER";
const ORGANIZATION_ADMIN: &str = "ORGANIZATION_ADMIN";

/// The caller as the decision sees it.
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
