//! The contract between mediation and the executors.

use std::{fmt, path::PathBuf, sync::Arc};

use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    action::{Effect, ResultRef},
    artifact::TOOL_ANSWER,
    id::{ArtifactId, OrganizationId, OverrideTicketId, RunId, SessionId},
    policy::{ArtifactKind, CaseId, ClientSessionId, MediaType, Permit, ToolSpec},
    run::RunErrorCode,
};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

const JSON: &str = "application/json";

/// Executes permitted calls: a tool, an action of an integration, a git push, a callback of the agent's tools.
#[async_trait]
pub trait Executor: fmt::Debug + Send + Sync {
    /// Whether a call of this tool could run now; for `doctor` and for an early, clear refusal.
    fn availability(&self, spec: &ToolSpec) -> Availability;

    /// Executes the call, once. Mediation enforces the deadline from outside as well; an executor that holds
    /// a process or a connection ends it when `call.cancel` is cancelled or when it is dropped.
    async fn execute(&self, permit: Permit, call: PermittedCall) -> Result<Produced, Failure>;
}

/// Whether a tool's engine is available.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// With a detail, such as a version.
    Ready(String),
    /// With a remedy.
    Missing { hint: String },
}

/// A call that the lane decision allowed, as far as an executor needs to know it.
#[derive(Debug)]
pub struct PermittedCall {
    pub spec: Arc<ToolSpec>,
    pub scope: CallScope,
    /// The very values that were hashed.
    pub parameters: Map<String, Value>,
    /// Stored inputs, checked against their digests and in files of this call's own.
    pub inputs: Vec<Input>,
    /// An empty directory of this call's own; its content is removed afterwards.
    pub scratch: PathBuf,
    pub cancel: CancellationToken,
}

/// The organization, run, case and session of a call.
#[derive(Debug, Clone)]
pub struct CallScope {
    pub organization_id: OrganizationId,
    pub run_id: RunId,
    pub case_id: Option<CaseId>,
    pub session_id: Option<SessionId>,
    /// The meeting that the call's scope names.
    pub client_session_id: Option<ClientSessionId>,
    /// The ticket that the call's scope names.
    pub override_ticket_id: Option<OverrideTicketId>,
}

impl PermittedCall {
    /// Spends the permit on this call. Every executor begins with it, unless it passes the permit on to the contract
    /// that spends it. A permit for another operation or another case is none.
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

/// What a call produced.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Produced {
    pub outputs: Vec<Output>,
    /// A detail for the response and the log, such as `running`.
    pub reason: Option<&'static str>,
    /// The reply of an integration, for an action.
    pub reply: Option<IntegrationReply>,
}

/// The reply of an integration to an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegrationReply {
    /// The digest of the result, and the output that has all of it where the record cannot hold it.
    pub reference: ResultRef,
    /// The result for the caller, without the credentials of the gateway.
    pub result: Value,
    /// The redacted result, cut to the size of the record.
    pub shown: Value,
}

/// Why an integration did not do an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegrationFailure {
    pub code: RunErrorCode,
    /// A word for the record.
    pub reason: &'static str,
    /// The integration's own words, redacted, for the record of the action alone.
    pub message: String,
    pub retryable: bool,
    /// What is known about the effect.
    pub effect: Effect,
    /// What it replied all the same: the error of a tool has content.
    pub produced: Produced,
}

/// Something to store as an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    pub kind: ArtifactKind,
    pub media_type: MediaType,
    pub content: OutputContent,
}

impl Produced {
    /// The answer to an agent in its sandbox: a text for the model, and data for programs.
    pub fn answer(result: &str, data: Option<&Value>) -> Result<Self, Failure> {
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
            ..Self::default()
        })
    }
}

impl Output {
    /// The answer to an agent, if this output is one.
    pub fn answer(&self) -> Option<Value> {
        match &self.content {
            OutputContent::Bytes(bytes) if self.kind.as_str() == TOOL_ANSWER => {
                serde_json::from_slice(bytes).ok()
            }
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputContent {
    Bytes(Bytes),
    /// Bytes under an id that the reply refers to.
    Named(ArtifactId, Bytes),
    /// Below the call's scratch directory.
    File(PathBuf),
    /// An artifact that is stored already, of the same scope.
    Stored(ArtifactId),
}

/// Why a call did not succeed. Sentences of this program: never the text of a caller or a tool. The one exception,
/// [`IntegrationFailure::message`], goes into the record of an action alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The parameters or inputs are not ones this tool takes.
    #[error("{0}")]
    Invalid(String),
    /// The call contradicts an earlier one.
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
    /// An integration did not do an action.
    #[error("{}", .0.message)]
    Integration(Box<IntegrationFailure>),
}
