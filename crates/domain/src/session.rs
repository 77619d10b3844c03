//! A session and its life: pending -> starting -> running <-> paused; stopped ends it, failed ends
//! it until a user recovers it.
//!
//! The state carries exactly the data that is true in it, and every move consumes the state, so a
//! paused session without the time of the pause cannot be represented. `table()` below is the whole
//! machine; the database repeats the list of statuses as a constraint.

use crate::{
    caller::Incarnation,
    clock::Timestamp,
    id::{ConfigurationId, IntegrationId, OrganizationId, RepoId, SessionId, UserId},
    limits::REASON_LENGTH_MAX,
    model::AgentConfig,
    sharing::Visibility,
};

crate::text_enum! {
    /// The word for a state, in the database and on the wire.
    SessionStatus {
        Pending = "pending",
        Starting = "starting",
        Running = "running",
        Paused = "paused",
        Stopped = "stopped",
        Failed = "failed",
    }
}

crate::text_enum! {
    /// What a session is for; its tools and instructions follow from it.
    SessionType {
        Setup = "setup",
        Coding = "coding",
        Automation = "automation",
        Cli = "cli",
    }
}

crate::text_enum! {
    /// Which kind of client asked for the session.
    ClientType {
        Web = "web",
        Slack = "slack",
        Cli = "cli",
        Automation = "automation",
    }
}

crate::text_enum! {
    /// Whether the sandbox is created at once or on first use.
    Provisioning {
        Deferred = "deferred",
        Immediate = "immediate",
    }
}

/// The state of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionState {
    /// Recorded; no sandbox yet.
    Pending,
    /// A sandbox is being created.
    Starting { since: Timestamp },
    /// A sandbox runs.
    Running { started_at: Timestamp },
    /// No sandbox runs; a snapshot or the record is enough to resume.
    Paused {
        started_at: Timestamp,
        paused_at: Timestamp,
        reason: String,
    },
    /// Ended for good.
    Stopped { ended_at: Timestamp, reason: String },
    /// Ended by a fault; can be recovered.
    Failed { ended_at: Timestamp, reason: String },
}

/// A move the machine does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a {from} session cannot {verb}")]
pub struct InvalidTransition {
    pub from: SessionStatus,
    pub verb: &'static str,
}

type Moved = Result<SessionState, InvalidTransition>;

impl SessionState {
    pub const fn status(&self) -> SessionStatus {
        match self {
            Self::Pending => SessionStatus::Pending,
            Self::Starting { .. } => SessionStatus::Starting,
            Self::Running { .. } => SessionStatus::Running,
            Self::Paused { .. } => SessionStatus::Paused,
            Self::Stopped { .. } => SessionStatus::Stopped,
            Self::Failed { .. } => SessionStatus::Failed,
        }
    }

    /// The state a new session is recorded in.
    pub const fn initial(provisioning: Provisioning, now: Timestamp) -> Self {
        match provisioning {
            Provisioning::Deferred => Self::Pending,
            Provisioning::Immediate => Self::Starting { since: now },
        }
    }

    /// Starts creating a sandbox: the first one, one to resume from pause, or one to recover with.
    pub fn start(self, now: Timestamp) -> Moved {
        match self {
            Self::Pending | Self::Paused { .. } | Self::Failed { .. } => {
                Ok(Self::Starting { since: now })
            }
            other => Err(other.cannot("start")),
        }
    }

    /// The sandbox responds.
    pub fn run(self, now: Timestamp) -> Moved {
        match self {
            Self::Starting { .. } => Ok(Self::Running { started_at: now }),
            Self::Paused { started_at, .. } => Ok(Self::Running { started_at }),
            other => Err(other.cannot("run")),
        }
    }

    /// Removes the sandbox after it was saved.
    pub fn pause(self, now: Timestamp, reason: &str) -> Moved {
        match self {
            Self::Running { started_at } => Ok(Self::Paused {
                started_at,
                paused_at: now,
                reason: bounded_reason(reason),
            }),
            other => Err(other.cannot("pause")),
        }
    }

    /// Ends it for good.
    pub fn stop(self, now: Timestamp, reason: &str) -> Moved {
        match self {
            Self::Stopped { .. } => Err(self.cannot("stop")),
            _ => Ok(Self::Stopped {
                ended_at: now,
                reason: bounded_reason(reason),
            }),
        }
    }

    /// Ends it with a fault that is shown to users.
    pub fn fail(self, now: Timestamp, reason: &str) -> Moved {
        match self {
            Self::Starting { .. } | Self::Running { .. } | Self::Paused { .. } => {
                Ok(Self::Failed {
                    ended_at: now,
                    reason: bounded_reason(reason),
                })
            }
            other => Err(other.cannot("fail")),
        }
    }

    pub const fn ended_at(&self) -> Option<Timestamp> {
        match self {
            Self::Stopped { ended_at, .. } | Self::Failed { ended_at, .. } => Some(*ended_at),
            _ => None,
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Paused { reason, .. }
            | Self::Stopped { reason, .. }
            | Self::Failed { reason, .. } => Some(reason),
            _ => None,
        }
    }

    const fn cannot(&self, verb: &'static str) -> InvalidTransition {
        InvalidTransition {
            from: self.status(),
            verb,
        }
    }
}

fn bounded_reason(reason: &str) -> String {
    reason
        .chars()
        .filter(|c| !c.is_control())
        .take(REASON_LENGTH_MAX)
        .collect()
}

/// Which configuration a new session is to start from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigurationChoice {
    /// None: an empty workspace.
    Scratch,
    Existing(ConfigurationId),
    /// The platform's own for these repositories, or for all of the organization's.
    Managed {
        repo_ids: Option<Vec<RepoId>>,
    },
    /// The caller's own for a folder on their machine.
    Cli {
        local_path_hash: String,
        display_name: Option<String>,
    },
}

/// A session's record.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    pub id: SessionId,
    pub organization_id: OrganizationId,
    /// `None` for a session created by the platform, or whose creator was removed.
    pub created_by: Option<UserId>,
    /// `None` is a scratch session: a workspace with nothing cloned into it.
    pub configuration_id: Option<ConfigurationId>,
    /// Which members see it.
    pub visibility: Visibility,
    pub session_type: SessionType,
    pub client_type: ClientType,
    pub client_metadata: Option<serde_json::Value>,
    pub agent_config: AgentConfig,
    pub system_prompt: Option<String>,
    pub initial_prompt: Option<String>,
    pub title: Option<String>,
    pub snapshot_id: Option<String>,
    pub ssh_public_keys: Vec<String>,
    /// Integrations that were requested and left out, kept so that a retried request reports them.
    pub integration_warnings: Vec<IntegrationWarning>,
    pub state: SessionState,
    /// Grows with every change of owner; a write that carries an older one is refused.
    pub owner_epoch: i64,
    pub incarnation: Incarnation,
    pub idempotency_key: Option<String>,
    /// Keyed digest of the request that created it, to distinguish a retry from a different
    /// request.
    pub request_digest: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub last_activity_at: Timestamp,
}

/// An integration that was left out because the check of its credentials failed when the session
/// was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegrationWarning {
    pub integration_id: IntegrationId,
    pub message: String,
}

#[cfg(test)]
mod tests;
