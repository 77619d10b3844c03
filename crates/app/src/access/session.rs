//! Proof of what a caller may do with a session of their organization. What is stored or live of a session is reached
//! with one of these alone, so a route that forgets the check does not compile.
//!
//! INVARIANT: made from an authenticated caller and the session's row, read with the caller's organization in the
//! statement, and decided by the one table in [`domain::sharing`]; for an agent from its token, which was compared with
//! the row when the agent was authenticated. A session that the caller may not see does not exist for them.

use domain::{
    caller::Caller,
    id::{OrganizationId, SessionId, UserId},
    role::Role,
    session::{Session, SessionState},
    sharing::{
        NamedRight, SessionRelation, SessionRight, SessionStanding, SessionViewer, Visibility, may,
    },
};
use store::Conn;

use super::{Admin, AuditedActor, Insider, Person};
use crate::{
    context::App,
    error::{Error, Result},
};

/// A session that the caller sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionAccess {
    organization_id: OrganizationId,
    session_id: SessionId,
}

/// A session that the caller may steer: say something to its agent, change its sandbox, stop what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steering(SessionAccess);

/// A session that the caller may end, name and move, in whatever state it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionOrder(SessionAccess);

/// A session of which the caller may change who sees it, and share the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSharing(SessionAccess);

/// A person or a service inside an organization, by whichever proof they have.
pub trait Inside: AuditedActor + sealed::Sealed {
    /// `None` for a service.
    fn person(&self) -> Option<&UserId>;

    /// The role of a person; `None` for a service.
    fn role(&self) -> Option<Role>;

    /// Whether they administer the organization.
    fn is_admin(&self) -> bool {
        self.role().is_some_and(Role::is_admin)
    }

    /// Whose sight limits the lists that they get: that of a member who is no admin.
    fn viewer(&self) -> SessionViewer<'_> {
        match self.person() {
            Some(user_id) if !self.is_admin() => SessionViewer::Member(user_id),
            _ => SessionViewer::All,
        }
    }
}

/// A type of another crate could name any organization.
mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Insider {}
    impl Sealed for super::Person {}
    impl Sealed for super::Admin {}
}

impl SessionAccess {
    /// [`Error::NotFound`] for a session that the caller does not see, as for one that does not exist.
    pub async fn of(app: &App, who: &impl Inside, id: SessionId) -> Result<Self> {
        let mut conn = app.db.read().await?;
        Ok(Self::read(&mut conn, who, id).await?.0)
    }

    /// The same, with the session's row, on a connection or in a transaction that is there.
    pub(crate) async fn read(
        conn: &mut Conn,
        who: &impl Inside,
        id: SessionId,
    ) -> Result<(Self, Session)> {
        let session = authorize(conn, who, id, SessionRight::See).await?;
        Ok((Self::of_row(&session), session))
    }

    /// For the agent in the session's own sandbox. Its token says which session that is, so that nothing is read for
    /// it. All other callers are refused; those that do not see the session as if there were none.
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

    /// For the agent of the session, and for a person or service that sees it.
    pub async fn of_caller(app: &App, caller: &Caller, id: SessionId) -> Result<Self> {
        match caller {
            Caller::Sandbox { .. } => Self::of_agent(app, caller, id).await,
            Caller::User { .. } | Caller::Service { .. } => {
                Self::of(app, &Insider::of(caller)?, id).await
            }
        }
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

    /// For a row that was just authorized, or that the caller's own request just made.
    pub(super) fn of_row(session: &Session) -> Self {
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
    /// Of a session that has not ended.
    pub async fn of(app: &App, who: &impl Inside, id: SessionId) -> Result<Self> {
        let mut conn = app.db.read().await?;
        let (steering, session) = Self::read(&mut conn, who, id).await?;
        if matches!(session.state, SessionState::Stopped { .. }) {
            return Err(Error::Conflict("the session has ended".into()));
        }
        Ok(steering)
    }

    /// Whatever the session's state.
    pub(crate) async fn read(
        conn: &mut Conn,
        who: &impl Inside,
        id: SessionId,
    ) -> Result<(Self, Session)> {
        let session = authorize(conn, who, id, SessionRight::Steer).await?;
        Ok((Self(SessionAccess::of_row(&session)), session))
    }

    /// What an order of an admin does in the session's sandbox, such as moving it to a fresh one.
    pub(crate) fn of_order(order: &SessionOrder) -> Self {
        Self(order.0.clone())
    }

    pub fn access(&self) -> &SessionAccess {
        &self.0
    }
}

impl SessionOrder {
    pub(crate) async fn read(
        conn: &mut Conn,
        who: &impl Inside,
        id: SessionId,
    ) -> Result<(Self, Session)> {
        let session = authorize(conn, who, id, SessionRight::Order).await?;
        Ok((Self(SessionAccess::of_row(&session)), session))
    }

    pub fn access(&self) -> &SessionAccess {
        &self.0
    }
}

impl SessionSharing {
    pub async fn of(app: &App, who: &impl Inside, id: SessionId) -> Result<Self> {
        let mut conn = app.db.read().await?;
        Ok(Self::read(&mut conn, who, id).await?.0)
    }

    pub(crate) async fn read(
        conn: &mut Conn,
        who: &impl Inside,
        id: SessionId,
    ) -> Result<(Self, Session)> {
        let session = authorize(conn, who, id, SessionRight::Share).await?;
        Ok((Self(SessionAccess::of_row(&session)), session))
    }

    pub fn access(&self) -> &SessionAccess {
        &self.0
    }
}

/// The session, if the caller has the right on it.
async fn authorize(
    conn: &mut Conn,
    who: &impl Inside,
    id: SessionId,
    right: SessionRight,
) -> Result<Session> {
    let session = store::session_fetch(conn, who.organization_id(), id).await?;
    let session = session.ok_or(Error::NotFound("session"))?;
    if has_right(conn, who, &session, right).await? {
        return Ok(session);
    }
    if right != SessionRight::See && has_right(conn, who, &session, SessionRight::See).await? {
        return Err(Error::Forbidden(refusal(right)));
    }
    Err(Error::NotFound("session"))
}

/// Which rights the caller has on a session that they see.
pub(crate) async fn rights(
    conn: &mut Conn,
    who: &impl Inside,
    session: &Session,
) -> Result<Vec<SessionRight>> {
    let mut relations = own_relations(who, session);
    let standing = SessionStanding {
        visibility: session.visibility,
        is_orphaned: !has_living_creator(conn, session).await?,
    };
    if let Some(user_id) = who.person() {
        relations.extend(named_relation(conn, session, user_id).await?);
        if standing.is_orphaned && is_automation_owner(conn, session, user_id).await? {
            relations.push(SessionRelation::AutomationOwner);
        }
    }
    let has = |right: &SessionRight| {
        relations
            .iter()
            .any(|relation| may(standing, *relation, *right))
    };
    Ok(SessionRight::ALL.iter().copied().filter(has).collect())
}

/// Looks up no more of the caller's relations than decide: most need no statement.
async fn has_right(
    conn: &mut Conn,
    who: &impl Inside,
    session: &Session,
    right: SessionRight,
) -> Result<bool> {
    let mut standing = SessionStanding {
        visibility: session.visibility,
        is_orphaned: false,
    };
    let own = own_relations(who, session);
    let own_may = |standing| own.iter().any(|relation| may(standing, *relation, right));
    if own_may(standing) {
        return Ok(true);
    }
    let Some(user_id) = who.person() else {
        return Ok(false);
    };
    // A private session names no members; what a name adds to a session of the organization is steering.
    if session.visibility != Visibility::Private
        && let Some(named) = named_relation(conn, session, user_id).await?
        && may(standing, named, right)
    {
        return Ok(true);
    }
    if right == SessionRight::See || has_living_creator(conn, session).await? {
        return Ok(false);
    }
    standing.is_orphaned = true;
    if own_may(standing) {
        return Ok(true);
    }
    Ok(may(standing, SessionRelation::AutomationOwner, right)
        && is_automation_owner(conn, session, user_id).await?)
}

/// What the caller is to the session by their role and by the row.
fn own_relations(who: &impl Inside, session: &Session) -> Vec<SessionRelation> {
    let by_role = match who.role() {
        None => SessionRelation::Service,
        Some(Role::Owner) => SessionRelation::Owner,
        Some(Role::Admin) => SessionRelation::Admin,
        Some(Role::Member) => SessionRelation::Member,
    };
    let is_creator = who.person().is_some() && session.created_by.as_ref() == who.person();
    let creator = is_creator.then_some(SessionRelation::Creator);
    [by_role].into_iter().chain(creator).collect()
}

async fn named_relation(
    conn: &mut Conn,
    session: &Session,
    user_id: &UserId,
) -> Result<Option<SessionRelation>> {
    let organization_id = &session.organization_id;
    let named = store::session_person_fetch(conn, organization_id, session.id, user_id).await?;
    Ok(named.map(|right| match right {
        NamedRight::See => SessionRelation::NamedToSee,
        NamedRight::Steer => SessionRelation::NamedToSteer,
    }))
}

async fn has_living_creator(conn: &mut Conn, session: &Session) -> Result<bool> {
    let Some(creator) = &session.created_by else {
        return Ok(false);
    };
    let member = store::member_fetch(conn, &session.organization_id, creator).await?;
    Ok(member.is_some())
}

async fn is_automation_owner(conn: &mut Conn, session: &Session, user_id: &UserId) -> Result<bool> {
    let organization_id = &session.organization_id;
    let run = store::automation_run_fetch_of_session(conn, organization_id, session.id).await?;
    let Some(run) = run else {
        return Ok(false);
    };
    let automation = store::automation_fetch(conn, organization_id, run.automation_id).await?;
    let owner = automation.and_then(|automation| automation.created_by);
    Ok(owner.as_ref() == Some(user_id))
}

/// Why a caller that sees the session is refused.
const fn refusal(right: SessionRight) -> &'static str {
    match right {
        SessionRight::See => "the session is not visible to you",
        SessionRight::Steer => {
            "only the creator of the session and members whom they name to steer it may do this; other members may watch. \
             If the creator has left the organization: the creator of its automation, an admin or an owner"
        }
        SessionRight::Order => {
            "only the creator of the session, members whom they name to steer it, an admin or an owner may do this; other \
             members may watch"
        }
        SessionRight::Decide => "only an admin or owner of the organization may do this",
        SessionRight::Share => {
            "only the creator of the session, an admin or an owner may change who sees it and share its transcript"
        }
    }
}

impl Inside for Insider {
    fn person(&self) -> Option<&UserId> {
        self.user_id()
    }

    fn role(&self) -> Option<Role> {
        self.user_role()
    }
}

impl Inside for Person {
    fn person(&self) -> Option<&UserId> {
        Some(self.user_id())
    }

    fn role(&self) -> Option<Role> {
        Some(self.role)
    }
}

impl Inside for Admin {
    fn person(&self) -> Option<&UserId> {
        Some(self.user_id())
    }

    fn role(&self) -> Option<Role> {
        Some(self.0.role)
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
