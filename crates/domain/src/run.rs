//! A run: one piece of mediated work, from the agent's whole session down to a single tool call.
//!
//! created -> running | denied | cancelled; running -> completed | failed | denied | cancelled. Terminal
//! states do not change; trying again is a new run with the same root.

use crate::{clock::Timestamp, limits::REASON_LENGTH_MAX, policy::PolicyVersions};

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

/// What went wrong, in a sentence of ours: never a caller's or a tool's text.
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

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunState {
    Created,
    /// INVARIANT: nothing runs without the pins of the policy it runs under.
    Running {
        started_at: Timestamp,
        versions: PolicyVersions,
    },
    Completed {
        started_at: Timestamp,
        ended_at: Timestamp,
        versions: PolicyVersions,
    },
    Failed {
        started_at: Timestamp,
        ended_at: Timestamp,
        versions: PolicyVersions,
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
        !matches!(self, Self::Created | Self::Running { .. })
    }

    /// Begins; the pins are fixed from here on.
    pub fn start(self, now: Timestamp, versions: PolicyVersions) -> Moved {
        match self {
            Self::Created => Ok(Self::Running {
                started_at: now,
                versions,
            }),
            other => Err(other.cannot(RunStatus::Running)),
        }
    }

    pub fn complete(self, now: Timestamp) -> Moved {
        match self {
            Self::Running {
                started_at,
                versions,
            } => Ok(Self::Completed {
                started_at,
                ended_at: now,
                versions,
            }),
            other => Err(other.cannot(RunStatus::Completed)),
        }
    }

    pub fn fail(self, now: Timestamp, error: RunError) -> Moved {
        match self {
            Self::Running {
                started_at,
                versions,
            } => Ok(Self::Failed {
                started_at,
                ended_at: now,
                versions,
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
