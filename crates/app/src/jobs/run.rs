//! The runner: looks for due jobs, claims some, runs them, stores how each ended. Any number of processes
//! do this at once; a job that one has claimed the others leave alone until the claim expires.
//!
//! INVARIANT: a runner that finds that it has lost a job's claim stops working on it, and its outcome is not stored.

use std::panic::AssertUnwindSafe;

use domain::{
    capacity::{CapacityPermit, CapacityPool, Claimant},
    job::{Job, JobKind, JobOutcome},
    limits::{
        JOB_ATTEMPTS_MAX, JOB_CLAIM, JOB_RENEW_EVERY, JOB_TIME_MAX, JOBS, JOBS_AT_ONCE_MAX,
        JOBS_LOOK_EVERY,
    },
};
use futures::FutureExt as _;
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{outcome::failed, perform::perform};
use crate::{context::App, error::Result};

/// Works until `stop`. A job that runs then is cut off, and claimed again by a runner when its claim expires.
pub async fn run(app: App, stop: CancellationToken) {
    let mut tasks = JoinSet::new();
    let capacity = CapacityPool::new(JOBS);
    loop {
        if let Err(error) = begin_due(&app, &mut tasks, &capacity).await {
            tracing::warn!(%error, "jobs that are due cannot be found");
        }
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            () = sleep(JOBS_LOOK_EVERY) => {}
        }
        while tasks.try_join_next().is_some() {}
    }
}

/// Runs the jobs that are due now, one batch at most, and returns how many.
pub async fn run_due(app: &App) -> Result<usize> {
    let mut tasks = JoinSet::new();
    let begun = begin_due(app, &mut tasks, &CapacityPool::new(JOBS)).await?;
    tasks.join_all().await;
    Ok(begun)
}

async fn begin_due(app: &App, tasks: &mut JoinSet<()>, capacity: &CapacityPool) -> Result<usize> {
    let kinds = kinds(app);
    let room = JOBS_AT_ONCE_MAX.saturating_sub(tasks.len());
    if room == 0 || kinds.is_empty() {
        return Ok(0);
    }
    let now = app.now();
    // Most looks find nothing, and a look is cheaper than a claim.
    if !store::job_is_due(&mut app.db.read().await?, kinds, now).await? {
        return Ok(0);
    }
    let (by, until) = (app.instance.id, now.plus(JOB_CLAIM));
    let mut taken = Vec::new();
    let mut tx = app.db.write().await?;
    // One at a time: each may be the last one that its organization may have under way.
    while taken.len() < room {
        let full = capacity.full_organizations();
        let claimed = store::job_claim(&mut tx, kinds, by, now, until, 1, &full).await?;
        let Some(job) = claimed.into_iter().next() else {
            break;
        };
        let claimant = Claimant::organization(job.organization_id.clone());
        let Ok(permit) = capacity.try_acquire(&claimant, 1) else {
            // Claimed all the same, and run when the claim has expired.
            break;
        };
        taken.push((job, permit));
    }
    tx.commit().await?;
    let begun = taken.len();
    for (job, permit) in taken {
        tasks.spawn(run_job(app.clone(), job, permit));
    }
    Ok(begun)
}

/// The kinds of jobs that this process can run. All of them need sandboxes so far.
fn kinds(app: &App) -> &'static [JobKind] {
    if app.provisioner.has_sandboxes() {
        JobKind::ALL
    } else {
        &[]
    }
}

async fn run_job(app: App, job: Job, _permit: CapacityPermit) {
    let kind = job.task.kind();
    let outcome = tokio::select! {
        biased;
        outcome = attempt(&app, &job) => outcome,
        () = keep(&app, &job) => {
            tracing::warn!(job_id = %job.id, %kind, "a job is no longer this process's, and is left");
            return;
        }
    };
    metrics::counter!("proliferate_jobs_total", "kind" => kind.as_str(), "outcome" => outcome.word())
        .increment(1);
    if let JobOutcome::Failed { error, .. } = &outcome {
        tracing::warn!(job_id = %job.id, %kind, attempts = job.attempts, error, "a job failed");
    }
    let now = app.now();
    let settled = outcome.settle(job.attempts, now);
    let written = async {
        let mut tx = app.db.write().await?;
        store::job_settle(&mut tx, &job, app.instance.id, &settled, now).await?;
        tx.commit().await
    };
    if let Err(error) = written.await {
        tracing::warn!(%error, job_id = %job.id, "a job is done again, perhaps for nothing");
    }
}

async fn attempt(app: &App, job: &Job) -> JobOutcome {
    if job.attempts > JOB_ATTEMPTS_MAX {
        return failed("it was cut off each time it was tried", false);
    }
    let work = AssertUnwindSafe(perform(app, job)).catch_unwind();
    match timeout(JOB_TIME_MAX, work).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => failed("it broke", true),
        Err(_) => failed("it took too long", true),
    }
}

/// Renews the claim; returns when it is lost.
async fn keep(app: &App, job: &Job) {
    loop {
        sleep(JOB_RENEW_EVERY).await;
        let renewed = async {
            let mut tx = app.db.write().await?;
            let until = app.now().plus(JOB_CLAIM);
            let is_ours = store::job_renew(&mut tx, job, app.instance.id, until).await?;
            tx.commit().await?;
            Result::Ok(is_ours)
        };
        match renewed.await {
            Ok(true) => {}
            Ok(false) => return,
            // The next renewal may succeed before the claim expires; if not, another process may run the job too, which is
            // harmless.
            Err(error) => tracing::warn!(%error, job_id = %job.id, "a job's claim was not renewed"),
        }
    }
}
