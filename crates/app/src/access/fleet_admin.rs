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
    /// The setting `fleet.operators` names the organizations that operate. Where it names none, it is the one that the
    /// setup link made.
    pub async fn of(app: &App, caller: &Caller) -> Result<Self> {
        let admin = Admin::of(caller)?;
        let operators = &app.fleet_operators;
        let operates = if operators.is_empty() {
            let mut conn = app.db.read().await?;
            store::organization_operates(&mut conn, admin.organization_id()).await?
        } else {
            operators.contains(admin.organization_id())
        };
        if operates {
            return Ok(Self(admin));
        }
        Err(Error::Forbidden(if operators.is_empty() {
            NOT_SET_UP_FIRST
        } else {
            NOT_AN_OPERATOR
        }))
    }

    pub fn organization_id(&self) -> &OrganizationId {
        self.0.organization_id()
    }
}

const NOT_SET_UP_FIRST: &str = "only an admin or owner of the organization that operates this installation may do this: \
     the one that the setup link made, or those that the setting `fleet.operators` (PROLIFERATE_FLEET_OPERATORS) names";
const NOT_AN_OPERATOR: &str = "only an admin or owner of an organization that operates this installation may do this; \
     the setting `fleet.operators` names them";

impl AuditedActor for FleetAdmin {
    fn organization_id(&self) -> &OrganizationId {
        Self::organization_id(self)
    }

    fn actor(&self) -> Result<Actor> {
        self.0.actor()
    }
}
