//! Spending the permit at the other side, and what came back: all of it for whoever asked, less for the
//! record that people see.

use std::sync::Arc;

use ::integrations::{
    ActionCall, ActionOutput, ActionSource as _, FailureKind, OutputPart, ResourceBody, Retry,
    mcp::CallScope,
};
use bytes::Bytes;
use domain::{
    action::{
        Effect, Risk,
        redact::{self, Fingerprints},
    },
    artifact::{ACTION_ATTACHMENT, ACTION_RESULT, Artifact},
    audit::Sha256Hex,
    limits::{ACTION_RECORD_BYTES_MAX, TOOL_OUTPUTS_MAX},
    policy::{MediaType, Permit},
    run::{Run, RunError, RunErrorCode},
};
use serde_json::{Map, Value};
use tools::{Failure, Output, OutputContent};

use super::target::Target;
use crate::{
    context::App,
    error::Error,
    integrations::{self, Credential},
    mediation::{Ask, Went, effect_of_silence, store_output},
};

/// How an action went, with everything that is written down and told of it.
#[derive(Debug)]
pub(crate) struct Performance {
    pub(crate) went: Went,
    /// The same in a sentence of ours, for the run; `None` if it went well.
    pub(crate) failed: Option<RunError>,
    /// A word for the log.
    pub(crate) reason: Option<&'static str>,
    /// The result as people see it.
    pub(crate) shown: Option<Value>,
    /// The result for whoever asked.
    pub(crate) told: Option<Value>,
    pub(crate) artifacts: Vec<Artifact>,
}

/// What the other side answered, before any of it is kept.
struct Answered {
    outcome: Result<(), Failed>,
    value: Option<Value>,
    attachments: Vec<(usize, Output)>,
    /// What the gateway resolved for the call.
    secrets: Fingerprints,
}

/// Why it did not succeed.
struct Failed {
    code: RunErrorCode,
    reason: &'static str,
    /// The words of the other side, for the record.
    message: String,
    retryable: bool,
    effect: Effect,
}

/// Does it, once.
pub(crate) async fn perform(
    app: &App,
    permit: Permit,
    run: &Run,
    ask: Ask,
    params: Map<String, Value>,
) -> Result<Performance, Failure> {
    let organization_id = &run.organization_id;
    let call = ActionCall {
        action: ask.action.as_str().to_owned(),
        params,
        risk: ask.risk,
        case_id: run.case_id.clone(),
    };
    let answered = match &ask.target {
        Target::Source {
            source,
            integration_id,
        } => {
            let credential = integrations::get_token(app, organization_id, *integration_id);
            match credential.await {
                Err(error) => Answered::without_credential(&error),
                Ok(credential) => {
                    let token = Some(&credential.token);
                    let outcome = source.execute(permit, call, token).await;
                    if matches!(&outcome, Err(failure) if failure.kind == FailureKind::Unauthorized)
                    {
                        renew(app, &credential).await;
                    }
                    Answered::of(outcome, credential.fingerprints())
                }
            }
        }
        Target::Connector { connector, tool } => {
            let scope = CallScope {
                organization_id: organization_id.clone(),
                session_id: run.session_id,
            };
            let connectors = app.connectors();
            let outcome = match connectors.secret(organization_id, connector).await {
                Err(failure) => Err(failure),
                Ok(secret) => {
                    let tool = connectors.tool(scope, (**connector).clone(), Arc::clone(tool));
                    tool.execute(permit, call, secret.as_ref()).await
                }
            };
            // The connector has taken its own secret out of every output.
            Answered::of(outcome, Fingerprints::default())
        }
    };
    answered.keep(app, run).await
}

/// The permit is spent, so this call stays failed; the next one has a credential that was just renewed, or
/// finds the connection marked as expired.
async fn renew(app: &App, credential: &Credential) {
    if let Err(error) = integrations::refused(app, credential).await {
        tracing::warn!(%error, "a credential that was refused is not renewed");
    }
}

impl Answered {
    fn of(outcome: Result<ActionOutput, ::integrations::Failure>, secrets: Fingerprints) -> Self {
        let (outcome, output) = match outcome {
            Ok(output) => (Ok(()), Some(output)),
            Err(mut failure) => {
                let output = failure.output.take();
                (Err(Failed::of(&failure)), output.map(|output| *output))
            }
        };
        Self {
            outcome,
            value: output.as_ref().map(ActionOutput::value),
            attachments: output.map_or_else(Vec::new, attachments),
            secrets,
        }
    }

    /// Nothing was sent.
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
            _ => "the integration's credential cannot be had; reconnect it".to_owned(),
        };
        Self {
            outcome: Err(Failed {
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

    /// What is told, what is shown, and the whole of it where the record cannot hold it.
    async fn keep(mut self, app: &App, run: &Run) -> Result<Performance, Failure> {
        let mut artifacts = Vec::new();
        for (part, output) in std::mem::take(&mut self.attachments) {
            let stored = store_output(app, run, output).await?;
            if let Some(Value::Object(part)) =
                self.value.as_mut().and_then(|value| value.get_mut(part))
            {
                part.insert("artifactId".to_owned(), stored.id.to_string().into());
            }
            artifacts.push(stored);
        }
        let (mut shown, mut told, mut result) = (None, None, None);
        if let Some(value) = self.value {
            let whole = redact::scrub(&value, &self.secrets).value;
            let bytes = Bytes::from(whole.to_string());
            let seen = redact::redact(&whole, &self.secrets);
            let preview = seen.preview(ACTION_RECORD_BYTES_MAX);
            let mut artifact = None;
            if preview.omitted_bytes > 0 || preview.value != whole {
                let stored = store_output(app, run, json_output(bytes.clone())?).await?;
                artifact = Some(stored.id);
                artifacts.push(stored);
            }
            let sha256 = Sha256Hex::of(&bytes);
            result = Some(domain::action::ResultRef { sha256, artifact });
            shown = Some(preview.value);
            told = Some(whole);
        }
        let (went, failed, reason) = match (self.outcome, result) {
            (Ok(()), Some(result)) => (Went::Well { result }, None, None),
            (Ok(()), None) => return Err(broken("the other side answered nothing")),
            (Err(failed), result) => {
                let message = redact::redact_text(&failed.message, &self.secrets);
                let went = Went::Badly {
                    error: RunError::new(failed.code, &message, failed.retryable),
                    effect: failed.effect,
                    result,
                };
                let ours = sentence(failed.code, failed.effect);
                let error = RunError::new(failed.code, ours, failed.retryable);
                (went, Some(error), Some(failed.reason))
            }
        };
        Ok(Performance {
            went,
            failed,
            reason,
            shown,
            told,
            artifacts,
        })
    }
}

impl Performance {
    /// For a call that did not come to its end.
    pub(crate) fn cut_off(failure: &Failure, error: RunError, risk: Risk) -> Self {
        let effect = match failure {
            Failure::Invalid(_) | Failure::Conflict(_) => Effect::Known,
            Failure::Timeout
            | Failure::Tool { .. }
            | Failure::Unavailable { .. }
            | Failure::Cancelled => effect_of_silence(risk),
        };
        Self {
            went: Went::Badly {
                error: error.clone(),
                effect,
                result: None,
            },
            failed: Some(error),
            reason: None,
            shown: None,
            told: None,
            artifacts: Vec::new(),
        }
    }
}

impl Failed {
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

/// What the run says: never the other side's words.
const fn sentence(code: RunErrorCode, effect: Effect) -> &'static str {
    match (effect, code) {
        (Effect::Unknown, _) => "the answer was lost; whether it was done is not known",
        (Effect::Known, RunErrorCode::ToolTimeout) => "the other side did not answer in time",
        (Effect::Known, RunErrorCode::DependencyDown) => "the other side could not be asked",
        (Effect::Known, _) => "the other side did not do it",
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
    // One place is the result's.
    found.take(TOOL_OUTPUTS_MAX - 1).collect()
}

/// A server's word for a type, if it is one.
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
