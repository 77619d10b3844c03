//! A run: one piece of mediated work, from the agent's whole session down to a single tool call.
//!
//! created -> running | denied | cancelled; running -> completed | failed | denied | cancelled. Terminal
//! states do not change; trying again is a new run with the same root.

use crate::{
    audit::{ArtifactDigest, Sha256Hex},
    clock::Timestamp,
    id::{OrganizationId, RunId, SessionId},
    limits::REASON_LENGTH_MAX,
    policy::{CaseId, LaneId, Operation, PolicyId, RoleClass, RoleId, ToolVersion},
};

crate::text_enum! {
    /// What kind of work it is.
    RunKind {
        Orchestrator = "orchestrator",
        Agent = "agent",
        ToolGateway = "tool_gateway",
        DbWrite = "db_write",
        DbRead = "db_read",
        PolicyChange = "policy_change",
        Promotion = "promotion",
        Export = "export",
        Override = "override",
        System = "system",
    }
}

crate::text_enum! {
    /// The word for a state.
    RunStatus {
        Created = "created",
        Running = "running",
        Completed = "completed",
        Failed = "failed",
        Denied = "denied",
        Cancelled = "cancelled",
    }
}

crate::text_enum! {
    /// Why a call did not succeed: the codes of the contract.
    RunErrorCode {
        PolicyDenied = "POLICY_DENIED",
        ToolTimeout = "TOOL_TIMEOUT",
        ToolError = "TOOL_ERROR",
        InvalidRequest = "INVALID_REQUEST",
        DependencyDown = "DEPENDENCY_DOWN",
    }
}

/// The error, in a sentence of the gateway: never a caller's or a tool's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunError {
    pub code: RunErrorCode,
    pub message: String,
    pub retryable: bool,
}

impl RunError {
    pub fn new(code: RunErrorCode, message: &str, retryable: bool) -> Self {
        let message = message
            .chars()
            .filter(|c| !c.is_control())
            .take(REASON_LENGTH_MAX)
            .collect();
        Self {
            code,
            message,
            retryable,
        }
    }
}

/// A run, with everything that is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub id: RunId,
    pub organization_id: OrganizationId,
    pub kind: RunKind,
    /// The run at the top; its own id for one that has no parent.
    pub root_id: RunId,
    pub parent_id: Option<RunId>,
    pub case_id: Option<CaseId>,
    pub session_id: Option<SessionId>,
    pub actor: RunActor,
    /// The called operation, for a run that is a call.
    pub target: Option<RunTarget>,
    pub correlation_id: Option<String>,
    pub request_sha256: Option<Sha256Hex>,
    pub created_at: Timestamp,
    pub state: RunState,
    /// Why it has its state, as a word of the contract.
    pub reason: Option<String>,
    pub inputs: Vec<ArtifactDigest>,
    pub outputs: Vec<ArtifactDigest>,
    /// The digest of the response, once there is one.
    pub response_sha256: Option<Sha256Hex>,
}

/// The actor of a run, from the credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunActor {
    pub class: RoleClass,
    pub id: String,
    pub role: RoleId,
}

/// The target of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunTarget {
    /// Absent where the call named none, or an invalid one.
    pub lane: Option<LaneId>,
    pub tool_name: String,
    pub operation: Operation,
    /// Absent where no such tool is registered.
    pub version: Option<ToolVersion>,
}

impl RunStatus {
    pub const fn is_terminal(self) -> bool {
        !matches!(self, Self::Created | Self::Running)
    }
}

/// The state of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunState {
    Created,
    /// INVARIANT: nothing runs without the pins of the policy it runs under.
    Running {
        started_at: Timestamp,
        policy: PolicyId,
        /// When it must have ended; `None` for a run that ends only on request.
        deadline: Option<Timestamp>,
    },
    Completed {
        started_at: Timestamp,
        ended_at: Timestamp,
        policy: PolicyId,
    },
    Failed {
        started_at: Timestamp,
        ended_at: Timestamp,
        policy: PolicyId,
        error: RunError,
    },
    Denied {
        ended_at: Timestamp,
        error: RunError,
    },
    Cancelled {
        ended_at: Timestamp,
    },
}

/// A move the lifecycle does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a {from} run cannot become {to}")]
pub struct InvalidRunTransition {
    pub from: RunStatus,
    pub to: RunStatus,
}

type Moved = Result<RunState, InvalidRunTransition>;

impl RunState {
    pub const fn status(&self) -> RunStatus {
        match self {
            Self::Created => RunStatus::Created,
            Self::Running { .. } => RunStatus::Running,
            Self::Completed { .. } => RunStatus::Completed,
            Self::Failed { .. } => RunStatus::Failed,
            Self::Denied { .. } => RunStatus::Denied,
            Self::Cancelled { .. } => RunStatus::Cancelled,
        }
    }

    pub const fn is_terminal(&self) -> bool {
        self.status().is_terminal()
    }

    /// Starts it; the pins are fixed from here on.
    pub fn start(self, now: Timestamp, policy: PolicyId, deadline: Option<Timestamp>) -> Moved {
        match self {
            Self::Created => Ok(Self::Running {
                started_at: now,
                policy,
                deadline,
            }),
            other => Err(other.cannot(RunStatus::Running)),
        }
    }

    pub fn complete(self, now: Timestamp) -> Moved {
        match self {
            Self::Running {
                started_at, policy, ..
            } => Ok(Self::Completed {
                started_at,
                ended_at: now,
                policy,
            }),
            other => Err(other.cannot(RunStatus::Completed)),
        }
    }

    pub fn fail(self, now: Timestamp, error: RunError) -> Moved {
        match self {
            Self::Running {
                started_at, policy, ..
            } => Ok(Self::Failed {
                started_at,
                ended_at: now,
                policy,
                error,
            }),
            other => Err(other.cannot(RunStatus::Failed)),
        }
    }

    pub fn deny(self, now: Timestamp, error: RunError) -> Moved {
        match self {
            Self::Created | Self::Running { .. } => Ok(Self::Denied {
                ended_at: now,
                error,
            }),
            other => Err(other.cannot(RunStatus::Denied)),
        }
    }

    pub fn cancel(self, now: Timestamp) -> Moved {
        match self {
            Self::Created | Self::Running { .. } => Ok(Self::Cancelled { ended_at: now }),
            other => Err(other.cannot(RunStatus::Cancelled)),
        }
    }

    const fn cannot(&self, to: RunStatus) -> InvalidRunTransition {
        InvalidRunTransition {
            from: self.status(),
            to,
        }
    }
}

#[cfg(test)]
mod tests;
