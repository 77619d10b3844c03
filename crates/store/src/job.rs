//! Durable jobs: enqueued in the transaction of the change that they follow from, claimed by one process at a time.
//!
//! INVARIANT: of the jobs with one key, at most one waits or runs. Only the last process to claim a job records how the
//! attempt ended. A job that was enqueued again while it ran waits again afterwards, however it ended.

use domain::{
    clock::Timestamp,
    id::{InstanceId, JobId, OrganizationId},
    job::{Job, JobKind, JobState, JobStatus, SettledJob, Task},
    page::{Page, PageRequest},
};
use serde_json::{Value as Json, json};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

macro_rules! columns {
    () => {
        "id, organization_id, session_id, kind, data, status, run_at, attempts, locked_by, locked_until, note, \
         created_at, updated_at, ended_at"
    };
}

/// Jobs that are due, and running jobs whose lease has ended.
macro_rules! due {
    () => {
        "((status = 'waiting' AND run_at <= $1) OR (status = 'running' AND locked_until <= $1))"
    };
}

statements! {
    JOB_ENQUEUE = "INSERT INTO jobs (id, organization_id, session_id, kind, data, dedupe_key, status, run_at,
        is_asked_again, attempts, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, 'waiting', $7, FALSE, 0, $8, $8)
        ON CONFLICT (dedupe_key) WHERE status IN ('waiting', 'running') DO UPDATE SET data = excluded.data,
        run_at = excluded.run_at, updated_at = excluded.updated_at, is_asked_again = (jobs.status = 'running'),
        attempts = CASE WHEN jobs.status = 'running' THEN jobs.attempts ELSE 0 END";
    JOB_IS_DUE = concat!("SELECT id FROM jobs WHERE ", due!(), " AND $2 LIKE '%,' || kind || ',%' LIMIT 1");
    /// Skips jobs that another process is claiming, and those of the organizations in `$4`. An underscore in their ids is
    /// escaped, because in a pattern it matches any character.
    JOB_LIST_DUE = concat!("SELECT id FROM jobs WHERE ", due!(), " AND $2 LIKE '%,' || kind || ',%'
        AND $4 NOT LIKE '%,' || REPLACE(organization_id, '_', '~_') || ',%' ESCAPE '~'
        ORDER BY run_at LIMIT $3"), pg: " FOR UPDATE SKIP LOCKED";
    JOB_CLAIM = concat!("UPDATE jobs SET status = 'running', attempts = attempts + 1, locked_by = $3,
        locked_until = $4, updated_at = $1 WHERE id = $2 AND ", due!(), " RETURNING ", columns!());
    JOB_RENEW = "UPDATE jobs SET locked_until = $4 WHERE id = $1 AND status = 'running' AND locked_by = $2
        AND attempts = $3";
    JOB_SETTLE = "UPDATE jobs SET status = CASE WHEN is_asked_again THEN 'waiting' ELSE $4 END,
        run_at = CASE WHEN is_asked_again THEN run_at ELSE COALESCE($5, run_at) END,
        attempts = CASE WHEN is_asked_again THEN 0 ELSE $6 END, is_asked_again = FALSE, locked_by = NULL,
        locked_until = NULL, note = $7, updated_at = $8,
        ended_at = CASE WHEN is_asked_again OR $4 = 'waiting' THEN NULL ELSE COALESCE($8, updated_at) END
        WHERE id = $1 AND status = 'running' AND locked_by = $2 AND attempts = $3";
    JOB_LIST = concat!("SELECT ", columns!(), " FROM jobs WHERE organization_id = $1 AND id < $2
        AND (status = $3 OR $3 IS NULL) AND $4 LIKE '%,' || kind || ',%' ORDER BY id DESC LIMIT $5");
    JOB_COUNT = "SELECT COUNT(*) FILTER (WHERE status = 'waiting') AS waiting,
        COUNT(*) FILTER (WHERE status = 'waiting' AND run_at <= $1) AS due,
        COUNT(*) FILTER (WHERE status = 'running') AS running,
        COUNT(*) FILTER (WHERE status = 'failed') AS failed FROM jobs WHERE status <> 'done'";
    JOB_SWEEP = "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)";
}

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    pub id: JobId,
    pub organization_id: OrganizationId,
    pub task: Task,
    pub run_at: Timestamp,
}

/// How much there is to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobCounts {
    pub waiting: u64,
    /// Of the waiting jobs, those that are due.
    pub due: u64,
    pub running: u64,
    pub failed: u64,
}

/// Returns the kinds as one text, each between commas.
fn listed(kinds: &[JobKind]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    format!(",{},", names.join(","))
}

/// Returns whether a job of these kinds is due.
pub async fn job_is_due(conn: &mut Conn, kinds: &[JobKind], now: Timestamp) -> Result<bool> {
    let values = values![now, listed(kinds)];
    let due = conn.fetch_optional("jobs", &JOB_IS_DUE, values).await?;
    Ok(due.is_some())
}

/// Newest first, of one status if one is given. Kinds that this version does not know are left out.
pub async fn job_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    status: Option<JobStatus>,
    page: PageRequest<JobId>,
) -> Result<Page<Job, JobId>> {
    let values = values![
        organization_id,
        crate::session::cursor(page.before.map(JobId::uuid)),
        status.map(JobStatus::as_str),
        listed(JobKind::ALL),
        page.fetch_limit(),
    ];
    let rows = conn.fetch_all("jobs", &JOB_LIST, values).await?;
    let jobs = rows.iter().map(job).collect::<Result<_>>()?;
    Ok(page.page(jobs, |job: &Job| job.id))
}

/// Of all organizations.
pub async fn job_count(conn: &mut Conn, now: Timestamp) -> Result<JobCounts> {
    let row = conn
        .fetch_optional("jobs", &JOB_COUNT, values![now])
        .await?;
    let Some(row) = row else {
        return Ok(JobCounts::default());
    };
    let count = |column| row.int(column).map(|n| u64::try_from(n).unwrap_or(0));
    Ok(JobCounts {
        waiting: count("waiting")?,
        due: count("due")?,
        running: count("running")?,
        failed: count("failed")?,
    })
}

/// Enqueues a job. A waiting job with the same key is moved to the new time; a running one is repeated at that time.
pub async fn job_enqueue(tx: &mut Tx, job: &NewJob, now: Timestamp) -> Result<()> {
    let values = values![
        job.id,
        &job.organization_id,
        job.task.session_id(),
        job.task.kind().as_str(),
        data(&job.task),
        job.task.dedupe_key(),
        job.run_at,
        now,
    ];
    tx.execute(&JOB_ENQUEUE, values).await?;
    Ok(())
}

/// Takes what is due of these kinds until then, the oldest first, and nothing of the organizations in `except`.
pub async fn job_claim(
    tx: &mut Tx,
    kinds: &[JobKind],
    by: InstanceId,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
    except: &[OrganizationId],
) -> Result<Vec<Job>> {
    let except: Vec<&str> = except.iter().map(OrganizationId::as_str).collect();
    let except = format!(",{},", except.join(","));
    let values = values![now, listed(kinds), i64::from(limit), except];
    let due = tx.fetch_all("jobs", &JOB_LIST_DUE, values).await?;
    let mut claimed = Vec::with_capacity(due.len());
    for row in due {
        let id: JobId = row.id("id")?;
        let values = values![now, id, by, until];
        if let Some(row) = tx.fetch_optional("jobs", &JOB_CLAIM, values).await? {
            claimed.push(job(&row)?);
        }
    }
    Ok(claimed)
}

/// Extends the claim of the process that runs it. `false` if another process has claimed it since.
pub async fn job_renew(tx: &mut Tx, taken: &Job, by: InstanceId, until: Timestamp) -> Result<bool> {
    let values = values![taken.id, by, i64::from(taken.attempts), until];
    Ok(tx.execute(&JOB_RENEW, values).await? == 1)
}

/// Records how the attempt ended. `false` if another process has claimed the job since.
pub async fn job_settle(
    tx: &mut Tx,
    taken: &Job,
    by: InstanceId,
    settled: &SettledJob,
    now: Timestamp,
) -> Result<bool> {
    let (status, run_at, attempts, note) = match settled {
        SettledJob::Done => (JobStatus::Done, None, taken.attempts, None),
        SettledJob::Waiting {
            run_at,
            attempts,
            note,
        } => (JobStatus::Waiting, Some(*run_at), *attempts, Some(note)),
        SettledJob::Failed { note } => (JobStatus::Failed, None, taken.attempts, Some(note)),
    };
    let values = values![
        taken.id,
        by,
        i64::from(taken.attempts),
        status.as_str(),
        run_at,
        i64::from(attempts),
        note,
        now,
    ];
    Ok(tx.execute(&JOB_SETTLE, values).await? == 1)
}

/// Removes jobs that ended before then and returns how many.
pub async fn job_sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.execute(&JOB_SWEEP, values![before, i64::from(limit)])
        .await
}

/// What a task has beside its session.
fn data(task: &Task) -> Json {
    match task {
        Task::SessionExpiry { .. } | Task::SessionGoOn { .. } => json!({}),
        Task::SandboxRemove {
            sandbox,
            incarnation,
            ..
        } => json!({"sandbox": sandbox, "incarnation": incarnation}),
    }
}

fn task(row: &Row) -> Result<Task> {
    let session_id = row.id("session_id")?;
    let data = row.json("data")?;
    let missing = || row.inconsistent("data", "lacks what the job needs");
    Ok(match row.parsed("kind")? {
        JobKind::SessionExpiry => Task::SessionExpiry { session_id },
        JobKind::SandboxRemove => Task::SandboxRemove {
            session_id,
            sandbox: data["sandbox"].as_str().ok_or_else(missing)?.to_owned(),
            incarnation: data["incarnation"].as_i64().ok_or_else(missing)?,
        },
        JobKind::SessionGoOn => Task::SessionGoOn { session_id },
    })
}

fn job(row: &Row) -> Result<Job> {
    let state = match row.parsed("status")? {
        JobStatus::Waiting => JobState::Waiting {
            run_at: row.time("run_at")?,
        },
        JobStatus::Running => JobState::Running {
            by: row.id("locked_by")?,
            until: row.time("locked_until")?,
        },
        JobStatus::Done => JobState::Done {
            at: row.time("ended_at")?,
        },
        JobStatus::Failed => JobState::Failed {
            at: row.time("ended_at")?,
        },
    };
    Ok(Job {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        task: task(row)?,
        state,
        attempts: row.small("attempts")?,
        note: row.text_opt("note")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
