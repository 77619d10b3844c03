//! Which session is meant, together with the organization that has it.
//!
//! INVARIANT: the two were read from one row, or come from a proof of [`app::access`]. Callers outside this crate bring
//! a proof, because a key cannot be made there; the house's own work (jobs, sweeps, handoffs, tools of a permitted call)
//! starts from a row.

use app::{
    Error,
    access::{SessionAccess, Steering},
};
use domain::{
    id::{OrganizationId, SessionId},
    session::Session,
};

use super::House;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SessionKey {
    pub(super) organization_id: OrganizationId,
    pub(super) id: SessionId,
}

impl SessionKey {
    /// Both columns of one row.
    pub(super) fn of_row(organization_id: &OrganizationId, id: SessionId) -> Self {
        Self {
            organization_id: organization_id.clone(),
            id,
        }
    }
}

impl From<&Session> for SessionKey {
    fn from(session: &Session) -> Self {
        Self::of_row(&session.organization_id, session.id)
    }
}

impl From<&SessionAccess> for SessionKey {
    fn from(access: &SessionAccess) -> Self {
        Self::of_row(access.organization_id(), access.session_id())
    }
}

impl From<&Steering> for SessionKey {
    fn from(steering: &Steering) -> Self {
        steering.access().into()
    }
}

impl House {
    /// The key of a session that something other than a row or a proof names: it is looked up.
    pub(super) async fn find_key(
        &self,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> Result<SessionKey, Error> {
        let mut conn = self.0.app.db.read().await?;
        let session = conn.session_fetch(organization_id, id).await?;
        let session = session.ok_or(Error::NotFound("session"))?;
        Ok(SessionKey::from(&session))
    }
}
