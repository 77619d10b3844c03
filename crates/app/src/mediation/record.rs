//! Records the end of a run: its state, its artifacts, its events and, for an action, its invocation, in one
//! transaction after the effect.

use std::sync::Arc;

use backon::{ExponentialBuilder, Retryable as _};
use domain::{
    action::{
        Effect, ResultRef, Risk,
        redact::{self, Fingerprints},
    },
    artifact::Artifact,
    audit::Outcome,
    clock::Timestamp,
    id::RunId,
    limits::{ACTION_RECORD_BYTES_MAX, RUN_END_RETRY_EVERY, RUN_END_RETRY_MAX},
    run::{Run, RunError, RunState},
};
use serde_json::Value;
use store::{InvocationRecord, RunEnd, ToolInvocationEnd, Tx};
use tools::{Failure, IntegrationFailure, IntegrationReply};

use super::{
    commit,
    decision::CallOutcome,
    events::CallEvents,
    files,
    hold::{self, ActionEnd},
    messages,
    queue::RunEnding,
    response::{contract_outcome, response_digest},
    run_kind,
};
use crate::{
    context::App,
    error::{Error, Result},
    policy::Policy,
};

/// A run whose call is executed, with what its end depends on.
#[derive(Debug)]
pub(super) struct RunningRun {
    pub(super) run: Run,
    pub(super) policy: Arc<Policy>,
    pub(super) is_idempotent: bool,
    /// Whether the call is listed as a tool invocation of its session.
    pub(super) is_session_tool: bool,
    /// For an action.
    pub(super) invocation: Option<Box<InvocationRecord>>,
}

/// What an executor did, with its outputs stored.
#[derive(Debug)]
pub(super) struct Execution {
    pub(super) artifacts: Vec<Artifact>,
    /// A word on how it went, for the record.
    pub(super) reason: Option<&'static str>,
    /// What the agent in the sandbox is answered.
    pub(super) answer: Option<Value>,
    /// The reply of an integration, for an action.
    pub(super) reply: Option<IntegrationReply>,
    /// Why the integration did not do it, if it did not.
    pub(super) failure: Option<Box<IntegrationFailure>>,
}

/// Records the end of a call that was executed. `None` if it could not be written: the sweep ends the run as unknown.
pub(super) async fn record_end(
    app: &App,
    run: RunningRun,
    execution: std::result::Result<Execution, Failure>,
) -> Option<CallOutcome> {
    let (outcome, ending) = conclude(app, &run, execution)
        .inspect_err(|error| tracing::error!(%error, "the end of a call cannot be told"))
        .ok()?;
    let (run_id, ending) = (run.run.id, Arc::new(ending));
    // The effect has happened: its end is written down as long as there is hope.
    let backoff = ExponentialBuilder::new()
        .with_factor(1.0)
        .with_min_delay(RUN_END_RETRY_EVERY)
        .with_total_delay(Some(RUN_END_RETRY_MAX))
        .without_max_times();
    let end = || commit::end_run(app, Arc::clone(&ending));
    let ended = end.retry(backoff).notify(|error, _| {
        tracing::warn!(%error, %run_id, "the end of a call is not written yet");
    });
    match ended.await {
        Ok(true) => Some(outcome),
        // The run was cancelled or given up meanwhile, and that stays.
        Ok(false) => read_again(app, run).await,
        Err(error) => {
            tracing::error!(%error, %run_id, "the end of a call was not written");
            None
        }
    }
}

/// The outcome of a run that was ended by another request.
pub(super) async fn read_again(app: &App, run: RunningRun) -> Option<CallOutcome> {
    let RunningRun {
        run, invocation, ..
    } = run;
    let mut conn = app.db.read().await.ok()?;
    let run = store::run_fetch(&mut conn, &run.organization_id, run.id)
        .await
        .ok()??;
    Some(CallOutcome::new(run, invocation))
}

/// The outcome of an execution, and what is written down of it.
fn conclude(
    app: &App,
    running: &RunningRun,
    execution: std::result::Result<Execution, Failure>,
) -> Result<(CallOutcome, RunEnding)> {
    let (now, run) = (app.now(), &running.run);
    let (execution, error, cut_off) = with_error(execution, running.is_idempotent);
    let integration_reason = execution.failure.as_ref().map(|failure| failure.reason);
    let state = run.state.clone();
    let state = match error.clone() {
        None => state.complete(now),
        Some(error) => state.fail(now, error),
    };
    let state = state.map_err(|error| Error::Conflict(error.to_string()))?;
    let outputs = execution.artifacts.iter().map(files::digest);
    let outputs = outputs.collect::<Result<Vec<_>>>()?;
    let reason = integration_reason.or(execution.reason);
    let mut ended = Run {
        reason: reason.map(str::to_owned),
        outputs,
        ..run.clone()
    };
    ended.response_sha256 = Some(response_digest(run, &state, &ended.outputs));
    ended.state = state;
    // An artifact that was stored before stays the other run's.
    let is_own = |artifact: &Artifact| {
        let lineage = artifact.lineage.as_ref();
        lineage.is_some_and(|lineage| lineage.run_id == run.id)
    };
    let artifacts = execution.artifacts.into_iter().filter(is_own).collect();
    let mut ending = ending_of(app, &ended, &running.policy, artifacts)?;
    if running.is_session_tool {
        let answer = execution.answer.as_ref();
        ending.tool_invocation = Some(end_tool_invocation(run.id, answer, &ended.state, now));
    }
    let mut outcome = CallOutcome::new(ended, None);
    if let Some(record) = &running.invocation {
        let mut record = record.clone();
        let (result, shown) = match execution.reply {
            Some(reply) => {
                outcome.result = Some(reply.result);
                (Some(reply.reference), Some(reply.shown))
            }
            None => (None, None),
        };
        let interrupted = cut_off.zip(error);
        let end = action_end(
            execution.failure,
            interrupted,
            result,
            record.invocation.risk,
        )?;
        let step = hold::end_invocation(&record, end, shown, now)?;
        record.invocation = step.after.clone();
        record.result.clone_from(&step.result);
        ending.invocation = Some(step);
        outcome.invocation = Some(record);
    }
    Ok((outcome, ending))
}

/// The execution with the error that the caller gets for it. The failure is of an execution that was interrupted: it
/// left nothing behind.
fn with_error(
    execution: std::result::Result<Execution, Failure>,
    is_idempotent: bool,
) -> (Execution, Option<RunError>, Option<Failure>) {
    match execution {
        Ok(execution) => {
            let failure = execution.failure.as_deref();
            let error = failure.map(messages::integration_failed);
            (execution, error, None)
        }
        Err(failure) => {
            let (error, reason) = messages::failed(&failure, is_idempotent);
            let execution = Execution {
                artifacts: Vec::new(),
                reason: Some(reason),
                answer: None,
                reply: None,
                failure: None,
            };
            (execution, Some(error), Some(failure))
        }
    }
}

/// How an invocation ends: by the integration's failure, by an interrupted execution, or with its result.
fn action_end(
    failure: Option<Box<IntegrationFailure>>,
    interrupted: Option<(Failure, RunError)>,
    result: Option<ResultRef>,
    risk: Risk,
) -> Result<ActionEnd> {
    Ok(match (failure, interrupted, result) {
        (Some(failure), _, result) => ActionEnd::Failed {
            error: RunError::new(failure.code, &failure.message, failure.retryable),
            effect: failure.effect,
            result,
        },
        (None, Some((failure, error)), result) => ActionEnd::Failed {
            effect: effect_of(&failure, risk),
            error,
            result,
        },
        (None, None, Some(result)) => ActionEnd::Completed(result),
        (None, None, None) => {
            return Err(Error::Conflict("an action has no result".to_owned()));
        }
    })
}

/// What is known about the effect of an action whose executor did not come to an answer.
fn effect_of(failure: &Failure, risk: Risk) -> Effect {
    match failure {
        Failure::Invalid(_) | Failure::Conflict(_) => Effect::Known,
        Failure::Integration(failure) => failure.effect,
        Failure::Timeout
        | Failure::Tool { .. }
        | Failure::Unavailable { .. }
        | Failure::Cancelled => hold::effect_without_answer(risk),
    }
}

/// The ending of a run that stands as it ended, with its event.
pub(crate) fn ending_of(
    app: &App,
    ended: &Run,
    policy: &Policy,
    artifacts: Vec<Artifact>,
) -> Result<RunEnding> {
    let (outcome, error) = contract_outcome(&ended.state);
    let now = app.now();
    let events = CallEvents {
        app,
        run: ended,
        agent_name: None,
        pinned: policy,
        current: policy,
        at: now,
    };
    let outcome = match outcome {
        Outcome::Allow => Outcome::Failure,
        outcome => outcome,
    };
    let action = run_kind::action_type(ended.kind);
    let event = events.result(action, outcome, ended.reason.as_deref(), error.as_ref())?;
    Ok(RunEnding {
        row: RunEnd::of(ended, now),
        artifacts,
        events: vec![event],
        invocation: None,
        tool_invocation: None,
    })
}

/// The end of a tool invocation: the redacted answer, or why it failed.
pub(crate) fn end_tool_invocation(
    id: RunId,
    answer: Option<&Value>,
    state: &RunState,
    at: Timestamp,
) -> ToolInvocationEnd {
    let (_, error) = contract_outcome(state);
    let shown = || {
        let shown = redact::redact(answer.unwrap_or(&Value::Null), &Fingerprints::default());
        shown.preview(ACTION_RECORD_BYTES_MAX).value
    };
    let outcome = error.map_or_else(|| Ok(shown()), |error| Err(error.message));
    ToolInvocationEnd { id, outcome, at }
}

/// The policy that the end of a run is recorded under: its own, or the one in force for a run that never started.
pub(crate) async fn policy_of(app: &App, tx: &mut Tx, run: &Run) -> Result<Arc<Policy>> {
    if let RunState::Running { policy, .. } = &run.state
        && let Some(policy) = app.policy.find_pinned(tx, policy).await?
    {
        return Ok(policy);
    }
    Ok(app.policy.current())
}
