//! Spending a permit: inputs fetched and checked, the executor run within its deadline, outputs stored, the
//! end written down. In a task of its own: whoever asked may go away.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use domain::{
    artifact::{Artifact, TOOL_ANSWER},
    audit,
    limits::{RUN_END_RETRY_EVERY, RUN_END_RETRY_MAX, TOOL_OUTPUTS_MAX},
    policy::ToolSpec,
    run::Run,
};
use futures::FutureExt as _;
use serde_json::Value;
use store::{InvocationRecord, RunEnd};
use tokio::sync::oneshot;
use tools::{Failure, Output, Produced, Scope, Work};

use super::{
    answer, ask, builtin, callback,
    commit::{Acting, Admitted, End},
    events::Story,
    files, kind, messages,
    scratch::Scratch,
    underway::Place,
};
use crate::{
    actions::{self, Performance},
    context::App,
    error::{Error, Result},
    policy::Policy,
};

/// A call that is over, as it is written down.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) run: Run,
    /// For an action: what is on record of it, and the result for whoever asked.
    pub(super) acted: Option<(Box<InvocationRecord>, Option<Value>)>,
}

/// Runs the call. The receiver gets the run as it ended.
pub(super) fn start(app: &App, mut admitted: Admitted) -> oneshot::Receiver<Ended> {
    let (sender, receiver) = oneshot::channel();
    let place = app
        .underway()
        .enter(admitted.run.id, admitted.capacity.take());
    let app = app.clone();
    // In a box: a task that begins is moved about ten times.
    tokio::spawn(Box::pin(async move {
        let ended = drive(&app, admitted, &place).await;
        drop(place);
        if let Some(ended) = ended {
            // Whoever asked may have gone away.
            _ = sender.send(ended);
        }
    }));
    receiver
}

/// `None` if the end could not be written down: the sweeper will end the run as unknown.
async fn drive(app: &App, admitted: Admitted, place: &Place) -> Option<Ended> {
    let Admitted {
        run, spec, policy, ..
    } = &admitted;
    let (run, spec, policy) = (run.clone(), spec.clone(), policy.clone());
    let record = admitted.acting.record();
    let answers = matches!(admitted.acting, Acting::Callback(_));
    let scratch = Scratch::of(app, run.id);
    let work = Box::pin(perform(app, admitted, &scratch, place));
    let work = AssertUnwindSafe(work).catch_unwind();
    let outcome = tokio::select! {
        biased;
        () = place.signals.cancel.cancelled() => Err(Failure::Cancelled),
        performed = tokio::time::timeout(spec.timeout, work) => match performed {
            Err(_) => Err(Failure::Timeout),
            Ok(Err(_)) => Err(Failure::Tool { reason: "the tool crashed", retryable: false }),
            Ok(Ok(performed)) => performed,
        },
    };
    if record.is_none() && needs_files(&spec, &run) {
        scratch.remove().await;
    }
    if matches!(outcome, Err(Failure::Cancelled)) && place.signals.cancel.is_cancelled() {
        // Whoever cancelled has written down the end.
        return read_again(app, &run).await;
    }
    let told = outcome.as_ref().ok().and_then(|done| done.told.clone());
    let mut ended = conclude(app, &run, &policy, spec.idempotent, outcome, record);
    if let (true, Ok((ended, end))) = (answers, &mut ended) {
        end.callback = Some(callback::ended(
            run.id,
            told.as_ref(),
            &ended.run.state,
            app.now(),
        ));
    }
    write_end(app, ended).await
}

async fn read_again(app: &App, run: &Run) -> Option<Ended> {
    let mut conn = app.db.read().await.ok()?;
    let run = conn.run_fetch(&run.organization_id, run.id).await.ok()??;
    Some(Ended { run, acted: None })
}

/// Whether the call has files at all; most of the gateway's own tools have none: an answer is none.
fn needs_files(spec: &ToolSpec, run: &Run) -> bool {
    let mut left = spec.produces.iter();
    !run.inputs.is_empty() || left.any(|kind| kind.as_str() != TOOL_ANSWER)
}

/// What a call that was made came to.
#[derive(Debug)]
struct Performed {
    artifacts: Vec<Artifact>,
    /// A word on how it went.
    reason: Option<&'static str>,
    acted: Option<Performance>,
    /// What an agent in its sandbox is told.
    told: Option<Value>,
}

type Outcome = std::result::Result<Performed, Failure>;

async fn perform(app: &App, admitted: Admitted, scratch: &Scratch, place: &Place) -> Outcome {
    let Admitted {
        run,
        permit,
        spec,
        parameters,
        client_session_id,
        override_ticket_id,
        inputs,
        acting,
        ..
    } = admitted;
    let brought = match acting {
        Acting::Action(_, Some(ask)) => {
            let mut acted = actions::perform(app, permit, &run, *ask, parameters).await?;
            return Ok(Performed {
                artifacts: std::mem::take(&mut acted.artifacts),
                reason: acted.reason,
                acted: Some(acted),
                told: None,
            });
        }
        Acting::Callback(brought) => brought,
        Acting::Tool | Acting::Action(_, None) => None,
    };
    let executor = brought.or_else(|| app.executors.for_spec(&spec));
    let Some(executor) = executor.or_else(|| builtin::find(app, &spec)) else {
        let hint = "nothing here runs this tool yet".to_owned();
        return Err(Failure::Unavailable { hint });
    };
    if needs_files(&spec, &run) {
        scratch.create().await?;
    }
    let work = Work {
        spec: spec.clone(),
        scope: Scope {
            organization_id: run.organization_id.clone(),
            run_id: run.id,
            case_id: run.case_id.clone(),
            session_id: run.session_id,
            client_session_id,
            override_ticket_id,
        },
        parameters,
        inputs: files::fetch(app, &run, &inputs, scratch.path()).await?,
        scratch: scratch.work(),
        cancel: place.signals.cancel.clone(),
    };
    let Produced { outputs, reason } = executor.execute(permit, work).await?;
    let undeclared = |output: &Output| !spec.produces.contains(&output.kind);
    if outputs.len() > TOOL_OUTPUTS_MAX || outputs.iter().any(undeclared) {
        return Err(files::broken(
            "the tool left something it is not registered to leave",
        ));
    }
    let told = outputs.iter().find_map(Output::answer);
    let mut artifacts = Vec::with_capacity(outputs.len());
    for output in outputs {
        artifacts.push(files::store(app, &run, output).await?);
    }
    Ok(Performed {
        artifacts,
        reason,
        acted: None,
        told,
    })
}

/// The run as it ended, with what is to be written down.
fn conclude(
    app: &App,
    run: &Run,
    policy: &Policy,
    idempotent: bool,
    outcome: Outcome,
    record: Option<Box<InvocationRecord>>,
) -> Result<(Ended, End)> {
    let (now, state) = (app.now(), run.state.clone());
    let (performed, failed) = match outcome {
        Ok(performed) => {
            let failed = performed.acted.as_ref();
            let failed = failed.and_then(|acted| acted.failed.clone());
            (performed, failed)
        }
        Err(failure) => {
            let (error, reason) = messages::failed(&failure, idempotent);
            let risk = record.as_ref().map(|record| record.invocation.risk);
            let performed = Performed {
                artifacts: Vec::new(),
                reason: Some(reason),
                acted: risk.map(|risk| Performance::cut_off(&failure, error.clone(), risk)),
                told: None,
            };
            (performed, Some(error))
        }
    };
    let Performed {
        artifacts,
        reason,
        acted,
        told: _,
    } = performed;
    let state = match failed {
        None => state.complete(now),
        Some(error) => state.fail(now, error),
    };
    let state = state.map_err(|error| Error::Conflict(error.to_string()))?;
    let outputs = artifacts
        .iter()
        .map(files::digest)
        .collect::<Result<Vec<_>>>()?;
    let mut ended = Run {
        reason: reason.map(str::to_owned),
        outputs,
        ..run.clone()
    };
    ended.response_sha256 = Some(answer::digest(run, &state, &ended.outputs));
    ended.state = state;
    // What was stored before stays the other run's.
    let own = |artifact: &Artifact| {
        let lineage = artifact.lineage.as_ref();
        lineage.is_some_and(|lineage| lineage.run_id == run.id)
    };
    let artifacts = artifacts.into_iter().filter(own).collect();
    let mut end = end_of(app, &ended, policy, artifacts)?;
    let mut told = None;
    if let (Some(mut record), Some(acted)) = (record, acted) {
        let step = ask::ending(&record, acted.went, acted.shown, now)?;
        record.invocation = step.after.clone();
        record.result.clone_from(&step.result);
        end.step = Some(step);
        told = Some((record, acted.told));
    }
    let ended = Ended {
        run: ended,
        acted: told,
    };
    Ok((ended, end))
}

/// The end of a run that stands as it ended, with its event.
pub(super) fn end_of(
    app: &App,
    ended: &Run,
    policy: &Policy,
    artifacts: Vec<Artifact>,
) -> Result<End> {
    let (outcome, error) = answer::outcome(&ended.state);
    let action = kind::action(ended.kind);
    let now = app.now();
    let story = Story {
        app,
        run: ended,
        agent_name: None,
        pinned: policy,
        current: policy,
        at: now,
    };
    let reason = ended.reason.as_deref();
    let outcome = match outcome {
        audit::Outcome::Allow => audit::Outcome::Failure,
        outcome => outcome,
    };
    let event = story.result(action, outcome, reason, error.as_ref())?;
    Ok(End {
        row: RunEnd::of(ended, now),
        artifacts,
        events: vec![event],
        step: None,
        callback: None,
    })
}

/// The effect has happened: its end is written down as long as there is hope.
async fn write_end(app: &App, ended: Result<(Ended, End)>) -> Option<Ended> {
    let (ended, end) = ended
        .inspect_err(|error| tracing::error!(%error, "the end of a call cannot be told"))
        .ok()?;
    let (run, end) = (&ended.run, Arc::new(end));
    let mut waited = Duration::ZERO;
    loop {
        match app.group().end(app, Arc::clone(&end)).await {
            Ok(true) => return Some(ended),
            // It was cancelled or given up meanwhile; that stays.
            Ok(false) => return read_again(app, run).await,
            Err(error) if waited < RUN_END_RETRY_MAX => {
                tracing::warn!(%error, run_id = %run.id, "the end of a call is not written yet");
                tokio::time::sleep(RUN_END_RETRY_EVERY).await;
                waited += RUN_END_RETRY_EVERY;
            }
            Err(error) => {
                tracing::error!(%error, run_id = %run.id, "the end of a call was not written");
                return None;
            }
        }
    }
}
