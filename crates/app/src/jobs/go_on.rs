//! Resumes sessions that paused for a budget that was raised: at the owner, or here.

use domain::{
    id::SessionId,
    job::{Job, JobOutcome},
    limits::{GO_ON_ASK_EVERY, GO_ON_ASK_FOR},
    session::SessionState,
};

use super::outcome::refused;
use crate::{context::App, error::Result, models, sessions::GoOnOutcome};

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
    // It may have been lowered again.
    let over = models::over_budget(app, &job.organization_id, id).await?;
    if !may_rest || over.is_some() {
        return Ok(JobOutcome::Done);
    }
    let now = app.now();
    Ok(match app.provisioner.go_on(&session).await {
        // It is unknown whether the instance received it; receiving it twice does nothing.
        Ok(GoOnOutcome::Requested) if now.since(job.created_at) < GO_ON_ASK_FOR => {
            JobOutcome::Later {
                at: now.plus(GO_ON_ASK_EVERY),
                why: "the instance that serves the session was told that it may go on",
            }
        }
        Ok(GoOnOutcome::Here | GoOnOutcome::Requested) => JobOutcome::Done,
        Err(error) => refused(&error),
    })
}
