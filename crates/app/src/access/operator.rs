//! Operators of the installation at work on one of its organizations: an admin over the API, or the operator's terminal.

use domain::{audit::Actor, id::OrganizationId};

use super::{AuditedActor, FleetAdmin, system};
use crate::error::Result;

/// Operates the installation: creates organizations, suspends them, and deletes them.
pub trait InstallationOperator: Sync {
    /// As the actor of events in the log of this organization.
    fn at(&self, organization_id: &OrganizationId) -> Result<OperatorAt>;

    /// The admin who acts, in whose own log the operation is recorded too; none at a terminal.
    fn admin(&self) -> Option<&FleetAdmin>;
}

/// An operator with the database and the keys, for the command line alone. Proves nothing: no route may pass one.
#[derive(Debug, Clone, Copy)]
pub struct TerminalOperator;

/// An operator who acts in the log of an organization.
#[derive(Debug, Clone)]
pub struct OperatorAt {
    organization_id: OrganizationId,
    actor: Actor,
}

impl InstallationOperator for TerminalOperator {
    fn at(&self, organization_id: &OrganizationId) -> Result<OperatorAt> {
        Ok(OperatorAt {
            organization_id: organization_id.clone(),
            actor: system("operator")?,
        })
    }

    fn admin(&self) -> Option<&FleetAdmin> {
        None
    }
}

impl InstallationOperator for FleetAdmin {
    fn at(&self, organization_id: &OrganizationId) -> Result<OperatorAt> {
        Ok(OperatorAt {
            organization_id: organization_id.clone(),
            actor: self.actor()?,
        })
    }

    fn admin(&self) -> Option<&FleetAdmin> {
        Some(self)
    }
}

impl AuditedActor for OperatorAt {
    fn organization_id(&self) -> &OrganizationId {
        &self.organization_id
    }

    fn actor(&self) -> Result<Actor> {
        Ok(self.actor.clone())
    }
}
