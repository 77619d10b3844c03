//! Durable jobs: waiting, running, and finished ones.

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    id::JobId,
    job::{Job, JobState as State},
    page::PageRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::page::page_request;

wire_enum! {
    /// What a job does.
    JobKind = domain::job::JobKind {
        /// Migrates or pauses a session whose sandbox expires soon, if no instance serves it.
        SessionExpiry = "session_expiry",
        /// Removes a sandbox that its session no longer uses.
        SandboxRemove = "sandbox_remove",
        /// Resumes a session that was paused for its budget, which was raised.
        SessionGoOn = "session_go_on",
    }
}

wire_enum! {
    /// The status of a job.
    JobState = domain::job::JobStatus {
        Waiting = "waiting",
        Running = "running",
        Done = "done",
        /// It is not retried.
        Failed = "failed",
    }
}

/// A job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobView {
    pub id: Uuid,
    pub kind: JobKind,
    pub state: JobState,
    /// The session it belongs to.
    pub session_id: Uuid,
    /// When it is due, while it waits.
    pub run_at: Option<DateTime<Utc>>,
    /// The instance that runs it.
    pub claimed_by: Option<Uuid>,
    /// Until when the instance's claim lasts without renewal.
    pub claimed_until: Option<DateTime<Utc>>,
    /// Attempts since it was last enqueued or postponed.
    pub attempts: u32,
    /// Why the last attempt failed, or why it was postponed.
    pub note: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// When it finished or failed.
    pub ended_at: Option<DateTime<Utc>>,
}

impl From<Job> for JobView {
    fn from(job: Job) -> Self {
        let (mut run_at, mut claimed, mut ended_at) = (None, None, None);
        match job.state {
            State::Waiting { run_at: at } => run_at = Some(at.datetime()),
            State::Running { by, until } => claimed = Some((by.uuid(), until.datetime())),
            State::Done { at } | State::Failed { at } => ended_at = Some(at.datetime()),
        }
        Self {
            id: job.id.uuid(),
            kind: job.task.kind().into(),
            state: job.state.status().into(),
            session_id: job.task.session_id().uuid(),
            run_at,
            claimed_by: claimed.map(|(by, _)| by),
            claimed_until: claimed.map(|(_, until)| until),
            attempts: job.attempts,
            note: job.note,
            created_at: job.created_at.datetime(),
            updated_at: job.updated_at.datetime(),
            ended_at,
        }
    }
}

/// Which page of the jobs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct JobListQuery {
    /// Only jobs with this status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<JobState>,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many entries at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
}

impl JobListQuery {
    pub fn page_request(&self) -> Result<PageRequest<JobId>, Invalid> {
        page_request(self.cursor.as_deref(), self.limit)
    }
}

/// The size of the queue, of all organizations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobCounts {
    /// To run now or later.
    pub waiting: u64,
    /// Of them, those that are due.
    pub due: u64,
    pub running: u64,
    /// Failed, as long as they are kept.
    pub failed: u64,
}

/// A migration to a fresh sandbox has started; clients of the session get its progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MigrationAccepted {
    pub how: MigrationKind,
}

/// How a session leaves its sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MigrationKind {
    /// It migrates to a fresh one.
    Move,
    /// It has no clients and its agent is idle: it is saved and paused, and resumes on next use.
    Pause,
}
