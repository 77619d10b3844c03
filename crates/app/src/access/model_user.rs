//! The proof that the caller may use the model for one session's agent.

use domain::{
    capacity::Claimant,
    id::{OrganizationId, SessionId},
};

/// Proof that a model key of the session's current boot was shown. It is no caller: nothing but the model can be
/// had for it.
#[derive(Debug, Clone)]
pub struct ModelUser {
    organization_id: OrganizationId,
    session_id: SessionId,
}

impl ModelUser {
    /// For [`crate::identity::authenticate_model`] alone.
    pub(crate) fn of(organization_id: OrganizationId, session_id: SessionId) -> Self {
        Self {
            organization_id,
            session_id,
        }
    }

    pub fn organization_id(&self) -> &OrganizationId {
        &self.organization_id
    }

    pub fn session_id(&self) -> SessionId {
        self.session_id
    }

    /// On whose account it is what the agent holds here.
    pub fn claimant(&self) -> Claimant {
        Claimant::session(self.organization_id.clone(), self.session_id)
    }
}
