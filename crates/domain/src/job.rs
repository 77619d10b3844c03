//! Durable work that survives its requester: enqueued in the transaction of the change it follows from, run by
//! whichever process claims it, and run again if that process dies.
//!
//! Handlers must be idempotent. A job that was enqueued again while it ran is run again.

use std::time::Duration;

use crate::{
    clock::Timestamp,
    id::{InstanceId, JobId, OrganizationId, SessionId},
    limits::{JOB_ATTEMPTS_MAX, JOB_ERROR_LENGTH_MAX, JOB_PAUSE, JOB_PAUSE_MAX},
};

crate::text_enum! {
    /// The word for what a job does.
    JobKind {
        SessionExpiry = "session_expiry",
        SandboxRemove = "sandbox_remove",
        SessionGoOn = "session_go_on",
    }
}

crate::text_enum! {
    /// The word for the status of a job.
    JobStatus {
        Waiting = "waiting",
        Running = "running",
        Done = "done",
        Failed = "failed",
    }
}

/// The work to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// Migrates or pauses a session whose sandbox expires soon, if no instance serves it.
    SessionExpiry { session_id: SessionId },
    /// Removes a sandbox that its session no longer uses.
    SandboxRemove {
        session_id: SessionId,
        /// The provider's handle of it.
        sandbox: String,
        /// Distinguishes it from other sandboxes of the session.
        incarnation: i64,
    },
    /// Resumes a session that was paused for its budget, on whichever instance serves it.
    SessionGoOn { session_id: SessionId },
}

impl Task {
    pub const fn kind(&self) -> JobKind {
        match self {
            Self::SessionExpiry { .. } => JobKind::SessionExpiry,
            Self::SandboxRemove { .. } => JobKind::SandboxRemove,
            Self::SessionGoOn { .. } => JobKind::SessionGoOn,
        }
    }

    pub const fn session_id(&self) -> SessionId {
        match self {
            Self::SessionExpiry { session_id }
            | Self::SandboxRemove { session_id, .. }
            | Self::SessionGoOn { session_id } => *session_id,
        }
    }

    /// At most one job with the same key waits or runs.
    pub fn dedupe_key(&self) -> String {
        match self {
            Self::SessionExpiry { session_id } => format!("session-expiry:{session_id}"),
            Self::SandboxRemove {
                session_id,
                incarnation,
                ..
            } => format!("sandbox-remove:{session_id}:{incarnation}"),
            Self::SessionGoOn { session_id } => format!("session-go-on:{session_id}"),
        }
    }
}

/// The state of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobState {
    Waiting {
        run_at: Timestamp,
    },
    /// The process that runs it renews the claim before `until`; otherwise it has died.
    Running {
        by: InstanceId,
        until: Timestamp,
    },
    Done {
        at: Timestamp,
    },
    /// It is not retried.
    Failed {
        at: Timestamp,
    },
}

impl JobState {
    pub const fn status(&self) -> JobStatus {
        match self {
            Self::Waiting { .. } => JobStatus::Waiting,
            Self::Running { .. } => JobStatus::Running,
            Self::Done { .. } => JobStatus::Done,
            Self::Failed { .. } => JobStatus::Failed,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub id: JobId,
    pub organization_id: OrganizationId,
    pub task: Task,
    pub state: JobState,
    /// Attempts since it was last enqueued or postponed.
    pub attempts: u32,
    /// Why the last attempt failed, or why it was postponed.
    pub note: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobOutcome {
    Done,
    /// There is nothing to do yet; not a failure.
    Later {
        at: Timestamp,
        why: &'static str,
    },
    Failed {
        error: String,
        retryable: bool,
    },
}

/// The state of a job after an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettledJob {
    Done,
    Waiting {
        run_at: Timestamp,
        attempts: u32,
        note: String,
    },
    Failed {
        note: String,
    },
}

impl JobOutcome {
    /// After the attempt of that number, counted from one.
    pub fn settle(self, attempts: u32, now: Timestamp) -> SettledJob {
        match self {
            Self::Done => SettledJob::Done,
            Self::Later { at, why } => SettledJob::Waiting {
                run_at: at,
                attempts: 0,
                note: why.to_owned(),
            },
            Self::Failed { error, retryable } => {
                let note: String = error.chars().take(JOB_ERROR_LENGTH_MAX).collect();
                if !retryable || attempts >= JOB_ATTEMPTS_MAX {
                    return SettledJob::Failed { note };
                }
                SettledJob::Waiting {
                    run_at: now.plus(pause(attempts)),
                    attempts,
                    note,
                }
            }
        }
    }

    /// The label in metrics.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Later { .. } => "put_off",
            Self::Failed { .. } => "failed",
        }
    }
}

/// Doubles with each attempt. Not `backon`, which sleeps: the time of the next attempt is stored with the job.
fn pause(attempts: u32) -> Duration {
    let doublings = attempts.saturating_sub(1).min(16);
    JOB_PAUSE.saturating_mul(1 << doublings).min(JOB_PAUSE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_micros(0).unwrap()
    }

    fn failed(retryable: bool) -> JobOutcome {
        let error = "x".repeat(2 * JOB_ERROR_LENGTH_MAX);
        JobOutcome::Failed { error, retryable }
    }

    #[test]
    fn an_attempt_that_failed_is_repeated_ever_later_and_then_no_more() {
        let mut pauses = Vec::new();
        for number in 1..=JOB_ATTEMPTS_MAX {
            match failed(true).settle(number, now()) {
                SettledJob::Waiting {
                    run_at, attempts, ..
                } => {
                    assert_eq!(attempts, number);
                    pauses.push(run_at.since(now()).as_secs());
                }
                SettledJob::Failed { note } => assert_eq!(note.len(), JOB_ERROR_LENGTH_MAX),
                SettledJob::Done => panic!("it failed"),
            }
        }
        assert_eq!(pauses, [10, 20, 40, 80, 160, 320, 600]);
    }

    #[test]
    fn what_cannot_succeed_is_not_repeated() {
        let settled = failed(false).settle(1, now());
        assert!(matches!(settled, SettledJob::Failed { .. }), "{settled:?}");
    }

    #[test]
    fn to_be_put_off_is_no_failure() {
        let at = now().plus(Duration::from_mins(3));
        let why = "an instance serves it";
        let settled = JobOutcome::Later { at, why }.settle(JOB_ATTEMPTS_MAX, now());
        let expected = SettledJob::Waiting {
            run_at: at,
            attempts: 0,
            note: why.to_owned(),
        };
        assert_eq!(settled, expected);
    }

    #[test]
    fn a_session_has_one_job_of_each_kind_and_each_sandbox_one_of_its_own() {
        let id: SessionId = "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap();
        let remove = |incarnation| Task::SandboxRemove {
            session_id: id,
            sandbox: "{}".into(),
            incarnation,
        };
        let keys = [
            Task::SessionExpiry { session_id: id }.dedupe_key(),
            remove(1).dedupe_key(),
            remove(2).dedupe_key(),
            Task::SessionGoOn { session_id: id }.dedupe_key(),
        ];
        let expected = [
            "session-expiry:ID",
            "sandbox-remove:ID:1",
            "sandbox-remove:ID:2",
            "session-go-on:ID",
        ];
        assert_eq!(keys, expected.map(|key| key.replace("ID", &id.to_string())));
    }
}
