//! What each kind of job does.

use domain::job::{Job, JobOutcome, Task};

use super::{
    expiry, go_on,
    outcome::{failed, refused},
};
use crate::{context::App, error::Result};

pub(super) async fn perform(app: &App, job: &Job) -> JobOutcome {
    let done = match &job.task {
        Task::SessionExpiry { session_id } => {
            expiry::handle_expiry(app, &job.organization_id, *session_id).await
        }
        Task::SandboxRemove { sandbox, .. } => remove(app, job, sandbox).await,
        Task::SessionGoOn { session_id } => go_on::resume_session(app, job, *session_id).await,
    };
    done.unwrap_or_else(|error| failed(&error.to_string(), true))
}

/// Removes a sandbox that its session has left. One that is gone already is no error.
async fn remove(app: &App, job: &Job, sandbox: &str) -> Result<JobOutcome> {
    let id = job.task.session_id();
    let session = {
        let mut conn = app.db.read().await?;
        store::session_fetch(&mut conn, &job.organization_id, id).await?
    };
    let Some(session) = session else {
        return Ok(JobOutcome::Done);
    };
    let removed = app.provisioner.remove(&session, sandbox).await;
    Ok(removed.map_or_else(|error| refused(&error), |()| JobOutcome::Done))
}
