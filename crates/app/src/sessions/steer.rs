//! Who may change what a session does: say something to its agent, stop it, save it.

use domain::{
    id::SessionId,
    session::{Session, SessionState},
};

use super::read::fetch_session;
use crate::{
    access::Insider,
    context::App,
    error::{Error, Result},
};

/// The session, for somebody who may change what it does: whoever made it, everybody in the organization if nobody
/// did, and the platform's own services. Everybody else in the organization may watch.
pub async fn steer(app: &App, insider: &Insider, id: SessionId) -> Result<Session> {
    let session = fetch_session(app, insider.organization_id(), id).await?;
    let is_theirs = match (insider.user_id(), &session.created_by) {
        (Some(user), Some(maker)) => user == maker,
        (None, _) | (_, None) => true,
    };
    if !is_theirs {
        return Err(Error::Forbidden(
            "only whoever made the session may do this; others may watch",
        ));
    }
    if matches!(session.state, SessionState::Stopped { .. }) {
        return Err(Error::Conflict("the session has ended".into()));
    }
    Ok(session)
}
