//! Proof of what a caller may do, as types: a use case asks for the proof it needs, and the only way
//! to get one is from an authenticated caller. A check cannot be forgotten, because without it there
//! is nothing to pass.

mod browser_login;
mod fleet_admin;
mod model_user;
mod operator;
mod participant;
#[cfg(test)]
mod reads;
mod session;
mod share_reader;

pub use browser_login::BrowserLogin;
pub use fleet_admin::FleetAdmin;
pub use model_user::ModelUser;
pub use operator::{InstallationOperator, OperatorAt, TerminalOperator};
pub use participant::Participant;
pub(crate) use session::rights;
pub use session::{Inside, SessionAccess, SessionOrder, SessionSharing, Steering};
pub use share_reader::ShareReader;

use domain::{
    audit::{Actor, SafeText},
    caller::{Caller, Credential},
    capacity::Claimant,
    id::{OrganizationId, UserId},
    policy::RoleClass,
    role::Role,
};

use crate::error::{Error, Result};

/// A caller inside an organization: a member or a service of the platform, but not an agent in a
/// sandbox.
#[derive(Debug, Clone)]
pub struct Insider {
    organization_id: OrganizationId,
    who: Who,
}

#[derive(Debug, Clone)]
enum Who {
    User(UserId, Role, Credential),
    Service(String),
}

/// A caller or operator whose operations are recorded in the audit log.
pub trait AuditedActor: Sync {
    fn organization_id(&self) -> &OrganizationId;

    fn actor(&self) -> Result<Actor>;
}

/// An operator with the database and the keys, at work for an organization; for the command line alone. Says
/// who acts and proves nothing: no use case of a route takes it.
#[derive(Debug, Clone)]
pub struct Operator(pub OrganizationId);

/// The gateway at work for an organization on its own. Says who acts and proves nothing.
#[derive(Debug, Clone)]
pub(crate) struct GatewayActor(pub(crate) OrganizationId);

/// An identity provider, by its name in the settings, at work for an organization. Says who acts and proves nothing.
#[derive(Debug, Clone)]
pub(crate) struct ProviderActor {
    pub(crate) organization_id: OrganizationId,
    pub(crate) provider: String,
}

/// A user who is a member of an organization.
#[derive(Debug, Clone)]
pub struct Person {
    organization_id: OrganizationId,
    user_id: UserId,
    role: Role,
}

/// A member with the role `admin` or `owner`.
#[derive(Debug, Clone)]
pub struct Admin(Person);

/// A member with the role `owner`.
#[derive(Debug, Clone)]
pub struct Owner(Person);

impl Insider {
    pub fn of(caller: &Caller) -> Result<Self> {
        match caller {
            Caller::User {
                organization_id,
                user_id,
                role,
                credential,
            } => Ok(Self {
                organization_id: organization_id.clone(),
                who: Who::User(user_id.clone(), *role, *credential),
            }),
            Caller::Service {
                organization_id,
                name,
            } => Ok(Self {
                organization_id: organization_id.clone(),
                who: Who::Service(name.clone()),
            }),
            Caller::Sandbox { .. } => Err(Error::Forbidden(
                "a sandbox may not do this; ask as a user or a service",
            )),
        }
    }

    pub fn organization_id(&self) -> &OrganizationId {
        &self.organization_id
    }

    /// How the caller is named among the members of a case: `user:ID` or `service:NAME`.
    pub fn member(&self) -> String {
        match &self.who {
            Who::User(user_id, ..) => format!("user:{user_id}"),
            Who::Service(name) => format!("service:{name}"),
        }
    }

    /// The caller that the proof was made from.
    pub fn caller(&self) -> Caller {
        let organization_id = self.organization_id.clone();
        match &self.who {
            Who::User(user_id, role, credential) => Caller::User {
                organization_id,
                user_id: user_id.clone(),
                role: *role,
                credential: *credential,
            },
            Who::Service(name) => Caller::Service {
                organization_id,
                name: name.clone(),
            },
        }
    }

    /// The holder whose share of this instance's capacity the caller uses.
    pub fn claimant(&self) -> Claimant {
        Claimant::from(&self.caller())
    }

    /// `None` for a service.
    pub fn user_id(&self) -> Option<&UserId> {
        match &self.who {
            Who::User(user_id, ..) => Some(user_id),
            Who::Service(_) => None,
        }
    }

    /// The role of a user; `None` for a service.
    pub fn user_role(&self) -> Option<Role> {
        match &self.who {
            Who::User(_, role, _) => Some(*role),
            Who::Service(_) => None,
        }
    }

    /// The same caller as an admin, if they are one.
    pub fn admin(&self) -> Result<Admin> {
        match &self.who {
            Who::User(user_id, role, _) => Person {
                organization_id: self.organization_id.clone(),
                user_id: user_id.clone(),
                role: *role,
            }
            .admin(),
            Who::Service(_) => Err(Error::Forbidden(NOT_A_MEMBER)),
        }
    }
}

const NOT_A_MEMBER: &str = "only a member of the organization may do this";

impl AuditedActor for Insider {
    fn organization_id(&self) -> &OrganizationId {
        &self.organization_id
    }

    fn actor(&self) -> Result<Actor> {
        match &self.who {
            Who::User(user_id, ..) => human(user_id),
            Who::Service(name) => system(&format!("service:{}", safe(name))),
        }
    }
}

impl AuditedActor for Person {
    fn organization_id(&self) -> &OrganizationId {
        &self.organization_id
    }

    fn actor(&self) -> Result<Actor> {
        human(&self.user_id)
    }
}

impl AuditedActor for Admin {
    fn organization_id(&self) -> &OrganizationId {
        &self.0.organization_id
    }

    fn actor(&self) -> Result<Actor> {
        self.0.actor()
    }
}

impl AuditedActor for Owner {
    fn organization_id(&self) -> &OrganizationId {
        &self.0.organization_id
    }

    fn actor(&self) -> Result<Actor> {
        self.0.actor()
    }
}

impl AuditedActor for Operator {
    fn organization_id(&self) -> &OrganizationId {
        &self.0
    }

    fn actor(&self) -> Result<Actor> {
        system("operator")
    }
}

impl AuditedActor for GatewayActor {
    fn organization_id(&self) -> &OrganizationId {
        &self.0
    }

    fn actor(&self) -> Result<Actor> {
        system("gateway")
    }
}

impl AuditedActor for ProviderActor {
    fn organization_id(&self) -> &OrganizationId {
        &self.organization_id
    }

    fn actor(&self) -> Result<Actor> {
        system(&format!("oidc:{}", safe(&self.provider)))
    }
}

fn human(user_id: &UserId) -> Result<Actor> {
    Ok(Actor {
        class: RoleClass::Human,
        id: SafeText::new("actor_id", user_id.as_str())?,
    })
}

fn system(id: &str) -> Result<Actor> {
    Ok(Actor {
        class: RoleClass::System,
        id: SafeText::new("actor_id", id)?,
    })
}

/// A service's name without what an event may not hold.
fn safe(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    name.chars()
        .map(|c| if keep(c) { c } else { '_' })
        .take(100)
        .collect()
}

impl Person {
    pub fn of(caller: &Caller) -> Result<Self> {
        match caller {
            Caller::User {
                organization_id,
                user_id,
                role,
                ..
            } => Ok(Self {
                organization_id: organization_id.clone(),
                user_id: user_id.clone(),
                role: *role,
            }),
            Caller::Service { .. } | Caller::Sandbox { .. } => Err(Error::Forbidden(NOT_A_MEMBER)),
        }
    }

    pub fn organization_id(&self) -> &OrganizationId {
        &self.organization_id
    }

    pub fn user_id(&self) -> &UserId {
        &self.user_id
    }

    /// The same user as an admin, if they are one.
    pub fn admin(&self) -> Result<Admin> {
        if self.role.is_admin() {
            Ok(Admin(self.clone()))
        } else {
            Err(Error::Forbidden(
                "only an admin or owner of the organization may do this",
            ))
        }
    }
}

impl Admin {
    pub fn of(caller: &Caller) -> Result<Self> {
        Person::of(caller)?.admin()
    }

    pub fn organization_id(&self) -> &OrganizationId {
        &self.0.organization_id
    }

    pub fn user_id(&self) -> &UserId {
        &self.0.user_id
    }
}

impl Owner {
    pub fn of(caller: &Caller) -> Result<Self> {
        let person = Person::of(caller)?;
        if person.role == Role::Owner {
            Ok(Self(person))
        } else {
            Err(Error::Forbidden(
                "only an owner of the organization may do this",
            ))
        }
    }

    pub fn organization_id(&self) -> &OrganizationId {
        &self.0.organization_id
    }

    pub fn user_id(&self) -> &UserId {
        &self.0.user_id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::caller::Incarnation;

    #[test]
    fn who_gets_which_proof() {
        let organization_id = OrganizationId::new("acme").unwrap();
        let user = |role| Caller::User {
            organization_id: organization_id.clone(),
            user_id: UserId::new("ada").unwrap(),
            role,
            credential: Credential::Token,
        };
        let service = Caller::Service {
            organization_id: organization_id.clone(),
            name: "w".into(),
        };
        let sandbox = Caller::Sandbox {
            organization_id: organization_id.clone(),
            session_id: "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap(),
            incarnation: Incarnation(0),
        };
        // caller, insider, person, admin, owner
        let table = [
            (user(Role::Member), true, true, false, false),
            (user(Role::Admin), true, true, true, false),
            (user(Role::Owner), true, true, true, true),
            (service, true, false, false, false),
            (sandbox, false, false, false, false),
        ];
        for (caller, insider, person, admin, owner) in table {
            assert_eq!(Owner::of(&caller).is_ok(), owner, "{caller:?}");
            let proof = Insider::of(&caller);
            assert_eq!(proof.is_ok(), insider, "{caller:?}");
            let as_admin = proof.and_then(|insider| insider.admin());
            assert_eq!(as_admin.is_ok(), admin, "{caller:?}");
            assert_eq!(Person::of(&caller).is_ok(), person, "{caller:?}");
            assert_eq!(Admin::of(&caller).is_ok(), admin, "{caller:?}");
        }
    }
}
