//! Resumes sessions that paused for a budget that was raised, or for a limit of a day or month that is over: at the
//! owner, or here.

use domain::{
    id::SessionId,
    job::{Job, JobOutcome},
    limits::{GO_ON_ASK_EVERY, GO_ON_ASK_FOR},
    session::SessionState,
};

use super::outcome::refused;
use crate::{context::App, error::Result, models, sessions::GoOnOutcome};

const ASKED: &str = "the instance that serves the session was told that it may go on";

pub(super) async fn resume_session(app: &App, job: &Job, id: SessionId) -> Result<JobOutcome> {
    let session = {
        let mut conn = app.db.read().await?;
        store::session_fetch(&mut conn, &job.organization_id, id).await?
    };
    let Some(session) = session else {
        return Ok(JobOutcome::Done);
    };
    let may_rest = matches!(
        session.state,
        SessionState::Pending | SessionState::Paused { .. } | SessionState::Running { .. }
    );
    if !may_rest {
        return Ok(JobOutcome::Done);
    }
    // It may have been lowered again, or the month is reached and not only the day.
    if let Some(over) = models::over_budget(app, &job.organization_id, id).await? {
        return Ok(over
            .until()
            .map_or(JobOutcome::Done, |at| JobOutcome::Later {
                at,
                why: "the organization has reached its limit for models in this day or month",
            }));
    }
    let now = app.now();
    // A job that waited for a day has been there for longer than it asks, and asks twice at least.
    let is_asked = job.note.as_deref() == Some(ASKED);
    let asks_on = !is_asked || now.since(job.created_at) < GO_ON_ASK_FOR;
    Ok(match app.provisioner.go_on(&session).await {
        // It is unknown whether the instance received it; receiving it twice does nothing.
        Ok(GoOnOutcome::Requested) if asks_on => JobOutcome::Later {
            at: now.plus(GO_ON_ASK_EVERY),
            why: ASKED,
        },
        Ok(GoOnOutcome::Here | GoOnOutcome::Requested) => JobOutcome::Done,
        Err(error) => refused(&error),
    })
}
