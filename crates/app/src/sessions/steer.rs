//! Decides who may steer a session: prompt its agent, stop it, save it.

use domain::{
    id::SessionId,
    session::{Session, SessionState},
};
use store::Conn;

use crate::{
    access::{Inside, Insider, Steering},
    audit,
    context::App,
    error::{Error, Result},
};

/// The right to steer the session, for its creator and the platform's own services. A session whose creator is no
/// member of the organization (any more), or that a service made, is steered by the owner of its automation and by
/// admins. All other members may watch.
pub async fn steer(app: &App, who: &impl Inside, id: SessionId) -> Result<Steering> {
    let mut conn = app.db.read().await?;
    let session = store::session_fetch(&mut conn, who.organization_id(), id).await?;
    let session = session.ok_or(Error::NotFound("session"))?;
    may_steer(&mut conn, who, &session).await?;
    if matches!(session.state, SessionState::Stopped { .. }) {
        return Err(Error::Conflict("the session has ended".into()));
    }
    Ok(Steering::of_row(&session))
}

/// The rule itself, whatever the session's state. `session` was read with the organization of `who`.
pub(crate) async fn may_steer(conn: &mut Conn, who: &impl Inside, session: &Session) -> Result<()> {
    let Some(user_id) = who.person() else {
        return Ok(());
    };
    if session.created_by.as_ref() == Some(user_id) {
        return Ok(());
    }
    if has_living_creator(conn, session).await? {
        return Err(Error::Forbidden(
            "only the creator of the session may do this; other members may watch",
        ));
    }
    if who.is_admin() {
        return Ok(());
    }
    let run =
        store::automation_run_fetch_of_session(conn, &session.organization_id, session.id).await?;
    let automation = match run {
        Some(run) => {
            store::automation_fetch(conn, &session.organization_id, run.automation_id).await?
        }
        None => None,
    };
    let owner = automation.and_then(|automation| automation.created_by);
    if owner.as_ref() == Some(user_id) {
        return Ok(());
    }
    Err(Error::Forbidden(
        "the session has no creator in the organization: only the owner of its automation, an admin or an owner of \
         the organization may do this; other members may watch",
    ))
}

/// The same for what an admin may order of every session of the organization: to end it, to name it.
pub(crate) async fn may_order(conn: &mut Conn, who: &impl Inside, session: &Session) -> Result<()> {
    if who.is_admin() {
        return Ok(());
    }
    may_steer(conn, who, session).await
}

async fn has_living_creator(conn: &mut Conn, session: &Session) -> Result<bool> {
    let Some(creator) = &session.created_by else {
        return Ok(false);
    };
    let member = store::member_fetch(conn, &session.organization_id, creator).await?;
    Ok(member.is_some())
}

/// Records that the caller asks for `operation`, such as `session_cancel`: a change that is made in the session's hub or
/// sandbox and has no transaction of its own. It is on record before it is made.
pub async fn record(
    app: &App,
    insider: &Insider,
    id: SessionId,
    operation: &'static str,
) -> Result<()> {
    let mut tx = app.db.write().await?;
    audit::record_operation(&mut tx, app, insider, operation, Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(())
}
