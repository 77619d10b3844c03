//! The proof that the caller operates this installation, over the API.

use domain::{audit::Actor, caller::Caller, id::OrganizationId};

use super::{Admin, AuditedActor};
use crate::{
    context::App,
    error::{Error, Result},
};

/// A person who administers an organization that operates this installation. An instance serves all organizations, so
/// that to administer one of them is not enough to look at instances, or to take one out.
#[derive(Debug, Clone)]
pub struct FleetAdmin(Admin);

impl FleetAdmin {
    pub fn of(app: &App, caller: &Caller) -> Result<Self> {
        Self::among(&app.fleet_operators, caller)
    }

    /// Private, so that no use case passes operators of its own.
    fn among(operators: &[OrganizationId], caller: &Caller) -> Result<Self> {
        let admin = Admin::of(caller)?;
        if operators.is_empty() {
            return Err(Error::Forbidden(NO_OPERATORS));
        }
        if !operators.contains(admin.organization_id()) {
            return Err(Error::Forbidden(NOT_AN_OPERATOR));
        }
        Ok(Self(admin))
    }
}

const NO_OPERATORS: &str = "no organization operates this installation: the setting `fleet.operators` \
     (PROLIFERATE_FLEET_OPERATORS) names those whose admins do";
const NOT_AN_OPERATOR: &str = "only an admin or owner of an organization that operates this installation may do this; \
     the setting `fleet.operators` names them";

impl AuditedActor for FleetAdmin {
    fn organization_id(&self) -> &OrganizationId {
        self.0.organization_id()
    }

    fn actor(&self) -> Result<Actor> {
        self.0.actor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        caller::{Credential, Incarnation},
        id::UserId,
        role::Role,
    };

    const ADMINS: &str = "only an admin or owner of the organization may do this";
    const MEMBERS: &str = "only a member of the organization may do this";

    #[test]
    fn only_admins_of_operators_operate() {
        let id = |text: &str| OrganizationId::new(text).unwrap();
        let user = |organization: &str, role| Caller::User {
            organization_id: id(organization),
            user_id: UserId::new("ada").unwrap(),
            role,
            credential: Credential::Token,
        };
        let service = Caller::Service {
            organization_id: id("ops"),
            name: "w".into(),
        };
        let sandbox = Caller::Sandbox {
            organization_id: id("ops"),
            session_id: "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap(),
            incarnation: Incarnation(0),
        };
        // caller, among operators, where no organization operates
        let table = [
            (user("ops", Role::Owner), None, Some(NO_OPERATORS)),
            (user("ops", Role::Admin), None, Some(NO_OPERATORS)),
            (user("ops", Role::Member), Some(ADMINS), Some(ADMINS)),
            (
                user("acme", Role::Owner),
                Some(NOT_AN_OPERATOR),
                Some(NO_OPERATORS),
            ),
            (user("acme", Role::Member), Some(ADMINS), Some(ADMINS)),
            (service, Some(MEMBERS), Some(MEMBERS)),
            (sandbox, Some(MEMBERS), Some(MEMBERS)),
        ];
        let refusal = |operators: &[OrganizationId], caller: &Caller| {
            let proof = FleetAdmin::among(operators, caller);
            proof.err().map(|error| error.to_string())
        };
        for (caller, among, without) in table {
            let operators = [id("other_ops"), id("ops")];
            assert_eq!(refusal(&operators, &caller).as_deref(), among, "{caller:?}");
            assert_eq!(refusal(&[], &caller).as_deref(), without, "{caller:?}");
        }
    }
}
