//! Executes an action: the integration spends the permit, and its answer becomes a reply: the whole result for the
//! caller, a redacted one for the record.

use std::sync::Arc;

use ::integrations::{
    ActionCall, ActionOutput, ActionSource as _, FailureKind, OutputPart, ResourceBody, Retry, mcp,
};
use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    action::{
        ActionName, Effect, ResultRef, Risk,
        redact::{self, Fingerprints},
    },
    artifact::{ACTION_ATTACHMENT, ACTION_RESULT},
    audit::Sha256Hex,
    id::ArtifactId,
    limits::{ACTION_RECORD_BYTES_MAX, TOOL_OUTPUTS_MAX},
    policy::{MediaType, Permit, ToolSpec},
    run::RunErrorCode,
};
use serde_json::Value;
use tools::{
    Availability, Executor, Failure, IntegrationFailure, IntegrationReply, Output, OutputContent,
    PermittedCall, Produced,
};

use super::target::ActionTarget;
use crate::{
    context::App,
    error::Error,
    integrations::{self, Credential},
};

/// Executes one action at its integration. The entry of the call hands it in.
#[derive(Debug)]
pub(super) struct ActionExecutor {
    pub(super) app: App,
    pub(super) action: ActionName,
    pub(super) risk: Risk,
    pub(super) target: ActionTarget,
}

/// The answer of an integration, before any of it is kept.
struct IntegrationAnswer {
    outcome: Result<(), Rejection>,
    value: Option<Value>,
    /// Bytes that came with the answer, with the part of the value that they belong to.
    attachments: Vec<(usize, Output)>,
    /// The credentials that the gateway resolved for the call.
    secrets: Fingerprints,
}

/// Why the integration did not do it.
struct Rejection {
    code: RunErrorCode,
    reason: &'static str,
    /// The integration's own words, for the record.
    message: String,
    retryable: bool,
    effect: Effect,
}

#[async_trait]
impl Executor for ActionExecutor {
    fn availability(&self, _: &ToolSpec) -> Availability {
        Availability::Ready("part of the gateway".to_owned())
    }

    async fn execute(&self, permit: Permit, call: PermittedCall) -> Result<Produced, Failure> {
        let answer = self.ask(permit, call).await;
        answer.into_produced(&self.app)
    }
}

impl ActionExecutor {
    async fn ask(&self, permit: Permit, call: PermittedCall) -> IntegrationAnswer {
        let (app, scope) = (&self.app, call.scope);
        let organization_id = &scope.organization_id;
        let call = ActionCall {
            action: self.action.as_str().to_owned(),
            params: call.parameters,
            risk: self.risk,
            case_id: scope.case_id,
        };
        match &self.target {
            ActionTarget::Source {
                source,
                integration_id,
            } => {
                let credential = integrations::get_token(app, organization_id, *integration_id);
                match credential.await {
                    Err(error) => IntegrationAnswer::without_credential(&error),
                    Ok(credential) => {
                        let token = Some(&credential.token);
                        let outcome = source.execute(permit, call, token).await;
                        if is_unauthorized(&outcome) {
                            renew(app, &credential).await;
                        }
                        IntegrationAnswer::of(outcome, credential.fingerprints())
                    }
                }
            }
            ActionTarget::Connector { connector, tool } => {
                let connectors = app.connectors();
                let outcome = match connectors.secret(organization_id, connector).await {
                    Err(failure) => Err(failure),
                    Ok(secret) => {
                        let scope = mcp::CallScope {
                            organization_id: organization_id.clone(),
                            session_id: scope.session_id,
                        };
                        let tool = connectors.tool(scope, (**connector).clone(), Arc::clone(tool));
                        tool.execute(permit, call, secret.as_ref()).await
                    }
                };
                // The connector has taken its own secret out of every output.
                IntegrationAnswer::of(outcome, Fingerprints::default())
            }
        }
    }
}

fn is_unauthorized(outcome: &Result<ActionOutput, ::integrations::Failure>) -> bool {
    matches!(outcome, Err(failure) if failure.kind == FailureKind::Unauthorized)
}

/// The permit is spent, so this call stays failed; the next one has a credential that was just renewed, or
/// finds the connection marked as expired.
async fn renew(app: &App, credential: &Credential) {
    if let Err(error) = integrations::renew_refused(app, credential).await {
        tracing::warn!(%error, "a credential that was refused is not renewed");
    }
}

impl IntegrationAnswer {
    fn of(outcome: Result<ActionOutput, ::integrations::Failure>, secrets: Fingerprints) -> Self {
        let (outcome, output) = match outcome {
            Ok(output) => (Ok(()), Some(output)),
            Err(mut failure) => {
                let output = failure.output.take();
                (Err(Rejection::of(&failure)), output.map(|output| *output))
            }
        };
        Self {
            outcome,
            value: output.as_ref().map(ActionOutput::value),
            attachments: output.map_or_else(Vec::new, attachments),
            secrets,
        }
    }

    /// For an action that was not sent.
    fn without_credential(error: &Error) -> Self {
        let (code, reason, retryable) = match error {
            Error::NotFound(_) | Error::Conflict(_) | Error::Sealed(_) => {
                (RunErrorCode::DependencyDown, "no_credential", false)
            }
            _ => (RunErrorCode::DependencyDown, "credential_unavailable", true),
        };
        tracing::warn!(%error, "an action has no credential");
        let message = match error {
            Error::Conflict(message) => message.clone(),
            _ if retryable => {
                "the gateway could not read the integration's credential; try again in a moment"
                    .to_owned()
            }
            _ => "the integration has no usable credential; an admin has to connect it again"
                .to_owned(),
        };
        Self {
            outcome: Err(Rejection {
                code,
                reason,
                message,
                retryable,
                effect: Effect::Known,
            }),
            value: None,
            attachments: Vec::new(),
            secrets: Fingerprints::default(),
        }
    }

    /// The reply for the caller and for the record, and the outputs to store: attachments, and the whole result where
    /// the record cannot hold it.
    fn into_produced(mut self, app: &App) -> Result<Produced, Failure> {
        let mut outputs = Vec::new();
        for (part, mut output) in std::mem::take(&mut self.attachments) {
            let id = name_output(app, &mut output);
            if let (Some(id), Some(Value::Object(part))) = (
                id,
                self.value.as_mut().and_then(|value| value.get_mut(part)),
            ) {
                part.insert("artifactId".to_owned(), id.to_string().into());
            }
            outputs.push(output);
        }
        let mut reply = None;
        if let Some(value) = self.value {
            let whole = redact::scrub(&value, &self.secrets).value;
            let bytes = Bytes::from(whole.to_string());
            let sha256 = Sha256Hex::of(&bytes);
            let redacted = redact::redact(&whole, &self.secrets);
            let preview = redacted.preview(ACTION_RECORD_BYTES_MAX);
            let mut artifact = None;
            if preview.omitted_bytes > 0 || preview.value != whole {
                let mut output = json_output(bytes)?;
                artifact = name_output(app, &mut output);
                outputs.push(output);
            }
            reply = Some(IntegrationReply {
                reference: ResultRef { sha256, artifact },
                result: whole,
                shown: preview.value,
            });
        }
        let produced = Produced {
            outputs,
            reply,
            ..Produced::default()
        };
        match self.outcome {
            Ok(()) => Ok(produced),
            Err(rejection) => Err(Failure::Integration(Box::new(IntegrationFailure {
                code: rejection.code,
                reason: rejection.reason,
                message: redact::redact_text(&rejection.message, &self.secrets),
                retryable: rejection.retryable,
                effect: rejection.effect,
                produced,
            }))),
        }
    }
}

/// Gives an output of bytes the id that its artifact will have, so that the reply can refer to it.
fn name_output(app: &App, output: &mut Output) -> Option<ArtifactId> {
    let OutputContent::Bytes(bytes) = &output.content else {
        return None;
    };
    let id = ArtifactId::generate(app.now(), &*app.entropy);
    output.content = OutputContent::Named(id, bytes.clone());
    Some(id)
}

impl Rejection {
    fn of(failure: &::integrations::Failure) -> Self {
        Self {
            code: run_error_code(failure.kind),
            reason: failure.kind.as_str(),
            message: failure.message().to_owned(),
            retryable: matches!(failure.retry, Retry::Later(_)),
            effect: match failure.retry {
                Retry::OutcomeUnknown => Effect::Unknown,
                Retry::Never | Retry::Later(_) => Effect::Known,
            },
        }
    }
}

const fn run_error_code(kind: FailureKind) -> RunErrorCode {
    match kind {
        FailureKind::TimedOut => RunErrorCode::ToolTimeout,
        FailureKind::RateLimited
        | FailureKind::Upstream
        | FailureKind::Unreachable
        | FailureKind::Refused
        | FailureKind::Secret => RunErrorCode::DependencyDown,
        FailureKind::Unauthorized
        | FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::Invalid
        | FailureKind::MalformedReply
        | FailureKind::TooLarge
        | FailureKind::Tool
        | FailureKind::NotCallable
        | FailureKind::PermitMismatch => RunErrorCode::ToolError,
    }
}

/// Bytes that came with an answer, with the part they belong to.
fn attachments(output: ActionOutput) -> Vec<(usize, Output)> {
    let bytes = |part: OutputPart| match part {
        OutputPart::Image { media_type, bytes } | OutputPart::Audio { media_type, bytes } => {
            Some((Some(media_type), bytes))
        }
        OutputPart::Resource {
            media_type,
            body: ResourceBody::Bytes(bytes),
            ..
        } => Some((media_type, bytes)),
        OutputPart::Text(_) | OutputPart::Resource { .. } | OutputPart::ResourceLink { .. } => None,
    };
    let parts = output.parts.into_iter().enumerate();
    let found = parts.filter_map(|(number, part)| {
        let (media_type, bytes) = bytes(part)?;
        let output = Output {
            kind: ACTION_ATTACHMENT.parse().ok()?,
            media_type: media_type_of(media_type.as_deref())?,
            content: OutputContent::Bytes(bytes),
        };
        Some((number, output))
    });
    // One of the outputs is the result.
    found.take(TOOL_OUTPUTS_MAX - 1).collect()
}

/// The media type that a server names, if it is one.
fn media_type_of(said: Option<&str>) -> Option<MediaType> {
    let unknown = || "application/octet-stream".parse().ok();
    said.and_then(|said| said.parse().ok()).or_else(unknown)
}

fn json_output(bytes: Bytes) -> Result<Output, Failure> {
    let wrong = || broken("a result cannot be stored");
    Ok(Output {
        kind: ACTION_RESULT.parse().map_err(|_| wrong())?,
        media_type: "application/json".parse().map_err(|_| wrong())?,
        content: OutputContent::Bytes(bytes),
    })
}

const fn broken(reason: &'static str) -> Failure {
    Failure::Tool {
        reason,
        retryable: false,
    }
}
