//! The id of a session together with its organization.
//!
//! INVARIANT: both were read from one row, or come from a proof of [`app::access`]. Callers outside this crate bring a
//! proof, because they cannot make a key; the hub's own work (jobs, sweeps, handoffs, tools of a permitted call) starts
//! from a row.

use app::{
    App, Error,
    access::{SessionAccess, Steering},
};
use domain::{
    id::{OrganizationId, SessionId},
    session::Session,
};

/// Names one session of one organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionKey {
    pub(crate) organization_id: OrganizationId,
    pub(crate) id: SessionId,
}

impl SessionKey {
    /// Makes a key of two columns of one row.
    pub(crate) fn from_row(organization_id: &OrganizationId, id: SessionId) -> Self {
        Self {
            organization_id: organization_id.clone(),
            id,
        }
    }

    /// Looks up a session that something other than a row or a proof names.
    pub(crate) async fn find(
        app: &App,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> Result<Self, Error> {
        let mut conn = app.db.read().await?;
        let session = store::session_fetch(&mut conn, organization_id, id).await?;
        let session = session.ok_or(Error::NotFound("session"))?;
        Ok(Self::from(&session))
    }
}

impl From<&Session> for SessionKey {
    fn from(session: &Session) -> Self {
        Self::from_row(&session.organization_id, session.id)
    }
}

impl From<&SessionAccess> for SessionKey {
    fn from(access: &SessionAccess) -> Self {
        Self::from_row(access.organization_id(), access.session_id())
    }
}

impl From<&Steering> for SessionKey {
    fn from(steering: &Steering) -> Self {
        steering.access().into()
    }
}
