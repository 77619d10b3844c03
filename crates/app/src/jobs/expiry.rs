//! The second of the two that handle a session before its sandbox ends. The first is the instance that serves it, by its
//! own clock; this job acts only where no instance does.

use std::time::Duration;

use domain::{
    id::{OrganizationId, SessionId},
    job::JobOutcome,
    limits::{LEASE_TTL, MIGRATION_DEFER},
    migration,
    session::SessionState,
};

use super::outcome::refused;
use crate::{
    context::App,
    error::{Error, Result},
    fleet::{self, SessionOwner},
    sessions::ExpiryOutcome,
};

pub(super) async fn handle_expiry(
    app: &App,
    organization_id: &OrganizationId,
    id: SessionId,
) -> Result<JobOutcome> {
    let (session, row) = {
        let mut conn = app.db.read().await?;
        let session = store::session_fetch(&mut conn, organization_id, id).await?;
        let row = store::session_runtime_fetch(&mut conn, organization_id, id).await?;
        (session, row.unwrap_or_default())
    };
    let (Some(session), Some(_), Some(expires_at)) = (session, row.sandbox, row.expires_at) else {
        // It has no sandbox, or one that does not end by itself.
        return Ok(JobOutcome::Done);
    };
    if !matches!(session.state, SessionState::Running { .. }) {
        return Ok(JobOutcome::Done);
    }
    let (now, due_at) = (app.now(), migration::due_at(expires_at));
    if now < due_at {
        return Ok(JobOutcome::Later {
            at: due_at,
            why: "the sandbox lives longer",
        });
    }
    let later = |after: Duration, why| JobOutcome::Later {
        at: now.plus(after),
        why,
    };
    match fleet::owner(app, id).await {
        Ok(SessionOwner::Other(_)) => return Ok(later(MIGRATION_DEFER, SERVED)),
        Ok(SessionOwner::Lost) => {
            return Ok(later(LEASE_TTL, "the instance that served it is gone"));
        }
        // The job stays until coordination is back: the sandbox ends all the same.
        Err(Error::Coordination(_)) => {
            return Ok(later(
                LEASE_TTL,
                "the coordination service does not respond",
            ));
        }
        Err(error) => return Err(error),
        Ok(SessionOwner::NoOther) => {}
    }
    Ok(match app.provisioner.expire(&session).await {
        Ok(ExpiryOutcome::Served) => later(MIGRATION_DEFER, SERVED),
        Ok(ExpiryOutcome::Handled) => JobOutcome::Done,
        Err(error) => refused(&error),
    })
}

const SERVED: &str = "an instance serves the session and moves it by its own clock";
