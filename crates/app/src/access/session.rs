//! Proof that a session belongs to the caller's organization, and that the caller may change what it does. What is
//! live of a session is reached with one of these alone.
//!
//! INVARIANT: made from an authenticated caller and the session's row, read with the caller's organization in the
//! statement; for an agent from its token, which was compared with the row when the agent was authenticated.

use domain::{
    caller::Caller,
    id::{OrganizationId, SessionId, UserId},
    session::Session,
};

use super::{Admin, AuditedActor, Insider, Person};
use crate::{
    context::App,
    error::{Error, Result},
};

/// A session that the caller's organization has. It lets the caller watch the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionAccess {
    organization_id: OrganizationId,
    session_id: SessionId,
}

/// A session that the caller may steer: say something to its agent, change its sandbox, stop what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steering(SessionAccess);

/// A person or a service inside an organization, by whichever proof they have.
pub trait Inside: AuditedActor + sealed::Sealed {
    /// `None` for a service.
    fn person(&self) -> Option<&UserId>;

    /// Whether they administer the organization.
    fn is_admin(&self) -> bool;
}

/// A type of another crate could name any organization.
mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Insider {}
    impl Sealed for super::Person {}
    impl Sealed for super::Admin {}
}

impl SessionAccess {
    /// [`Error::NotFound`] for a session of another organization, as for one that does not exist.
    pub async fn of(app: &App, who: &impl Inside, id: SessionId) -> Result<Self> {
        let mut conn = app.db.read().await?;
        let session = store::session_fetch(&mut conn, who.organization_id(), id).await?;
        let session = session.ok_or(Error::NotFound("session"))?;
        Ok(Self::of_row(&session))
    }

    /// For the agent in the session's own sandbox. Its token says which session that is, so that nothing is read for
    /// it. All other callers are refused; those of another organization as if there were no such session.
    pub async fn of_agent(app: &App, caller: &Caller, id: SessionId) -> Result<Self> {
        if let Caller::Sandbox {
            organization_id,
            session_id,
            ..
        } = caller
        {
            return Self::of_token(organization_id, *session_id, id);
        }
        Self::of(app, &Insider::of(caller)?, id).await?;
        Err(Error::Forbidden(
            "only the agent in the session's sandbox may do this",
        ))
    }

    fn of_token(organization_id: &OrganizationId, own: SessionId, id: SessionId) -> Result<Self> {
        if own != id {
            return Err(Error::NotFound("session"));
        }
        Ok(Self {
            organization_id: organization_id.clone(),
            session_id: id,
        })
    }

    /// For use cases that read the row with the organization of a proof.
    pub(crate) fn of_row(session: &Session) -> Self {
        Self {
            organization_id: session.organization_id.clone(),
            session_id: session.id,
        }
    }

    pub fn organization_id(&self) -> &OrganizationId {
        &self.organization_id
    }

    pub fn session_id(&self) -> SessionId {
        self.session_id
    }
}

impl Steering {
    /// For [`crate::sessions::steer`] and for what an admin orders.
    pub(crate) fn of_row(session: &Session) -> Self {
        Self(SessionAccess::of_row(session))
    }

    pub fn access(&self) -> &SessionAccess {
        &self.0
    }
}

impl Inside for Insider {
    fn person(&self) -> Option<&UserId> {
        self.user_id()
    }

    fn is_admin(&self) -> bool {
        self.admin().is_ok()
    }
}

impl Inside for Person {
    fn person(&self) -> Option<&UserId> {
        Some(self.user_id())
    }

    fn is_admin(&self) -> bool {
        self.role.is_admin()
    }
}

impl Inside for Admin {
    fn person(&self) -> Option<&UserId> {
        Some(self.user_id())
    }

    fn is_admin(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_reaches_its_own_session_alone() {
        let acme = OrganizationId::new("acme").unwrap();
        let own: SessionId = "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap();
        let other: SessionId = "0192f0c1-2345-7abc-8def-0123456789ac".parse().unwrap();
        let access = SessionAccess::of_token(&acme, own, own).unwrap();
        assert_eq!(access.organization_id(), &acme);
        assert_eq!(access.session_id(), own);
        let refused = SessionAccess::of_token(&acme, own, other);
        assert!(matches!(refused, Err(Error::NotFound("session"))));
    }
}
