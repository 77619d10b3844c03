//! Durable jobs: enqueued in the transaction of the change that they follow, run by any process, at least once.
//!
//! To add one: a variant of `domain::job::Task` with its key, what it needs beside the session in `store/src/job.rs`, and
//! a line in `perform.rs`. It must bear being done twice.

mod expiry;
mod go_on;
mod outcome;
mod perform;
mod run;

use domain::{
    clock::Timestamp,
    id::{JobId, OrganizationId},
    job::{Job, JobStatus, Task},
    limits::{JOB_RETENTION, JOB_SWEEP_BATCH_MAX},
    page::{Page, PageRequest},
};
use store::{JobCounts, NewJob, Tx};

pub use self::run::{run, run_due};
use crate::{
    access::{Admin, FleetAdmin},
    context::App,
    error::Result,
};

/// Enqueues a job for that time, if the transaction is committed. Enqueuing the same job again before that replaces
/// the time.
pub async fn enqueue(
    tx: &mut Tx,
    app: &App,
    organization_id: &OrganizationId,
    task: Task,
    run_at: Timestamp,
) -> store::Result<()> {
    let now = app.now();
    let job = NewJob {
        id: JobId::generate(now, &*app.entropy),
        organization_id: organization_id.clone(),
        task,
        run_at,
    };
    store::job_enqueue(tx, &job, now).await
}

/// Lists the jobs of the admin's organization, newest first, of one status if one is given.
pub async fn list(
    app: &App,
    admin: &Admin,
    status: Option<JobStatus>,
    page: PageRequest<JobId>,
) -> Result<Page<Job, JobId>> {
    let mut conn = app.db.read().await?;
    Ok(store::job_list(&mut conn, admin.organization_id(), status, page).await?)
}

/// Counts the jobs of all organizations.
pub async fn counts(app: &App, _: &FleetAdmin) -> Result<JobCounts> {
    let mut conn = app.db.read().await?;
    Ok(store::job_count(&mut conn, app.now()).await?)
}

/// Removes jobs that ended before the retention period, at most one batch, and returns how many.
pub async fn sweep(app: &App) -> Result<u64> {
    let before = app.now().minus(JOB_RETENTION);
    let mut tx = app.db.write().await?;
    let forgotten = store::job_sweep(&mut tx, before, JOB_SWEEP_BATCH_MAX).await?;
    tx.commit().await?;
    Ok(forgotten)
}
