//! The contract between the pipeline and executors.

use std::{fmt, path::PathBuf, sync::Arc};

use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    artifact::TOOL_ANSWER,
    id::{ArtifactId, OrganizationId, OverrideTicketId, RunId, SessionId},
    policy::{ArtifactKind, CaseId, ClientSessionId, MediaType, Permit, ToolSpec},
};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

const JSON: &str = "application/json";

/// Runs calls of the tools it is registered for.
#[async_trait]
pub trait Executor: fmt::Debug + Send + Sync {
    /// Whether a call of this tool could run now; for `doctor` and for an early, clear refusal.
    fn availability(&self, spec: &ToolSpec) -> Availability;

    /// Runs it, once. The pipeline enforces the deadline from outside as well; an executor that holds
    /// a process or a connection ends it when `work.cancel` is cancelled or when it is dropped.
    async fn execute(&self, permit: Permit, work: Work) -> Result<Produced, Failure>;
}

/// Whether a tool's engine is available.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// With a detail, such as a version.
    Ready(String),
    /// With a remedy.
    Missing { hint: String },
}

/// One call, with what an executor needs.
#[derive(Debug)]
pub struct Work {
    pub spec: Arc<ToolSpec>,
    pub scope: Scope,
    /// The very values that were hashed.
    pub parameters: Map<String, Value>,
    /// Stored inputs, checked against their digests and in files of this call's own.
    pub inputs: Vec<Input>,
    /// An empty directory of this call's own; its content is removed afterwards.
    pub scratch: PathBuf,
    pub cancel: CancellationToken,
}

/// The scope of a call.
#[derive(Debug, Clone)]
pub struct Scope {
    pub organization_id: OrganizationId,
    pub run_id: RunId,
    pub case_id: Option<CaseId>,
    pub session_id: Option<SessionId>,
    /// The meeting that the call's scope names.
    pub client_session_id: Option<ClientSessionId>,
    /// The ticket that the call's scope names.
    pub override_ticket_id: Option<OverrideTicketId>,
}

impl Work {
    /// Spends the permit on this call; every executor starts with it. A permit for another operation or
    /// another case is refused.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a permit that is spent is gone"
    )]
    pub fn spend(&self, permit: Permit) -> Result<(), Failure> {
        let same_case = permit.case_id() == self.scope.case_id.as_ref();
        if *permit.operation() == self.spec.operation && same_case {
            return Ok(());
        }
        tracing::error!(?permit, operation = %self.spec.operation, "a permit for another call");
        Err(Failure::Tool {
            reason: "the permit is for another call",
            retryable: false,
        })
    }
}

/// A stored input.
#[derive(Debug)]
pub struct Input {
    pub artifact_id: ArtifactId,
    pub kind: ArtifactKind,
    pub media_type: MediaType,
    pub path: PathBuf,
}

/// The result of a call.
#[derive(Debug, Default)]
pub struct Produced {
    pub outputs: Vec<Output>,
    /// A detail for the response and the log, such as `running`.
    pub reason: Option<&'static str>,
}

/// Something to store as an artifact.
#[derive(Debug)]
pub struct Output {
    pub kind: ArtifactKind,
    pub media_type: MediaType,
    pub content: OutputContent,
}

impl Produced {
    /// The result for an agent in its sandbox: a text for the model, and data for users and
    /// programs.
    pub fn told(result: &str, data: Option<&Value>) -> Result<Self, Failure> {
        let wrong = |_| Failure::Tool {
            reason: "an answer cannot be stored",
            retryable: false,
        };
        let answer = json!({"result": result, "data": data});
        Ok(Self {
            outputs: vec![Output {
                kind: TOOL_ANSWER.parse().map_err(wrong)?,
                media_type: JSON.parse().map_err(wrong)?,
                content: OutputContent::Bytes(answer.to_string().into()),
            }],
            reason: None,
        })
    }
}

impl Output {
    /// The result for the agent, if this is one.
    pub fn answer(&self) -> Option<Value> {
        match &self.content {
            OutputContent::Bytes(bytes) if self.kind.as_str() == TOOL_ANSWER => {
                serde_json::from_slice(bytes).ok()
            }
            _ => None,
        }
    }
}

#[derive(Debug)]
pub enum OutputContent {
    Bytes(Bytes),
    /// Below the call's scratch directory.
    File(PathBuf),
    /// One that is stored already, of the same scope.
    Stored(ArtifactId),
}

/// Why a call did not succeed. Fixed sentences: never a caller's or a tool's text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The parameters or inputs are not ones this tool takes.
    #[error("{0}")]
    Invalid(String),
    /// The request contradicts an earlier one.
    #[error("{0}")]
    Conflict(&'static str),
    /// It did not end in time.
    #[error("the tool did not end in time")]
    Timeout,
    /// It failed; whether a retry can help.
    #[error("{reason}")]
    Tool {
        reason: &'static str,
        retryable: bool,
    },
    /// A dependency is missing.
    #[error("{hint}")]
    Unavailable { hint: String },
    /// It was cancelled.
    #[error("the call was cancelled")]
    Cancelled,
}
