//! Spending a permit: inputs fetched and checked, the executor run within its deadline, outputs stored, the
//! end written down. In a task of its own: whoever asked may go away.

use std::{panic::AssertUnwindSafe, path::PathBuf, time::Duration};

use domain::{
    artifact::Artifact,
    audit::Outcome,
    limits::{RUN_END_RETRY_EVERY, RUN_END_RETRY_MAX, TOOL_OUTPUTS_MAX},
    policy::ToolSpec,
    run::Run,
};
use futures::FutureExt as _;
use store::RunEnd;
use tokio::sync::oneshot;
use tools::{Failure, Output, Produced, Scope, Work};

use super::{
    answer, builtin,
    commit::{Admitted, End},
    events::Story,
    files, kind, messages,
    underway::Place,
};
use crate::{
    context::App,
    error::{Error, Result},
    policy::Policy,
};

/// Runs the call. The receiver gets the run as it ended.
pub(super) fn start(app: &App, admitted: Admitted) -> oneshot::Receiver<Run> {
    let (sender, receiver) = oneshot::channel();
    let (app, place) = (app.clone(), app.underway().enter(admitted.run.id));
    tokio::spawn(async move {
        let ended = drive(&app, admitted, &place).await;
        drop(place);
        if let Some(ended) = ended {
            // Whoever asked may have gone away.
            _ = sender.send(ended);
        }
    });
    receiver
}

/// `None` if the end could not be written down: the sweeper will end the run as unknown.
async fn drive(app: &App, admitted: Admitted, place: &Place) -> Option<Run> {
    let Admitted {
        run, spec, policy, ..
    } = &admitted;
    let (run, spec, policy) = (run.clone(), spec.clone(), policy.clone());
    let scratch = Scratch(app.scratch.join(run.id.to_string()));
    let work = AssertUnwindSafe(perform(app, admitted, &scratch, place)).catch_unwind();
    let outcome = tokio::select! {
        () = place.signals.cancel.cancelled() => Err(Failure::Cancelled),
        performed = tokio::time::timeout(spec.timeout, work) => match performed {
            Err(_) => Err(Failure::Timeout),
            Ok(Err(_)) => Err(Failure::Tool { reason: "the tool crashed", retryable: false }),
            Ok(Ok(performed)) => performed,
        },
    };
    if needs_files(&spec, &run) {
        scratch.remove().await;
    }
    if outcome == Err(Failure::Cancelled) && place.signals.cancel.is_cancelled() {
        // Whoever cancelled has written down the end.
        let mut conn = app.db.read().await.ok()?;
        return conn.run_fetch(&run.organization_id, run.id).await.ok()?;
    }
    let ended = conclude(app, &run, &policy, spec.idempotent, outcome);
    write_end(app, ended).await
}

/// Whether the call has files at all; most of the gateway's own tools have none.
fn needs_files(spec: &ToolSpec, run: &Run) -> bool {
    !run.inputs.is_empty() || !spec.produces.is_empty()
}

type Stored = std::result::Result<(Vec<Artifact>, Option<&'static str>), Failure>;

async fn perform(app: &App, admitted: Admitted, scratch: &Scratch, place: &Place) -> Stored {
    let Admitted {
        run,
        permit,
        spec,
        parameters,
        client_session_id,
        inputs,
        ..
    } = admitted;
    let executor = app.executors.for_spec(&spec);
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
        },
        parameters,
        inputs: files::fetch(app, &run, &inputs, &scratch.0).await?,
        scratch: scratch.0.join("work"),
        cancel: place.signals.cancel.clone(),
    };
    let Produced { outputs, reason } = executor.execute(permit, work).await?;
    let undeclared = |output: &Output| !spec.produces.contains(&output.kind);
    if outputs.len() > TOOL_OUTPUTS_MAX || outputs.iter().any(undeclared) {
        return Err(files::broken(
            "the tool left something it is not registered to leave",
        ));
    }
    let mut artifacts = Vec::with_capacity(outputs.len());
    for output in outputs {
        artifacts.push(files::store(app, &run, output).await?);
    }
    Ok((artifacts, reason))
}

/// The run as it ended, with what is to be written down.
fn conclude(
    app: &App,
    run: &Run,
    policy: &Policy,
    idempotent: bool,
    outcome: Stored,
) -> Result<(Run, End)> {
    let (now, state) = (app.now(), run.state.clone());
    let (state, artifacts, reason) = match outcome {
        Ok((artifacts, reason)) => (state.complete(now), artifacts, reason),
        Err(failure) => {
            let (error, reason) = messages::failed(&failure, idempotent);
            (state.fail(now, error), Vec::new(), Some(reason))
        }
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
    let end = end_of(app, &ended, policy, artifacts)?;
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
    let outcome = if outcome == Outcome::Allow {
        Outcome::Failure
    } else {
        outcome
    };
    let event = story.result(action, outcome, reason, error.as_ref())?;
    Ok(End {
        row: RunEnd::of(ended, now),
        artifacts,
        events: vec![event],
    })
}

/// The effect has happened: its end is written down as long as there is hope.
async fn write_end(app: &App, ended: Result<(Run, End)>) -> Option<Run> {
    let (run, end) = ended
        .inspect_err(|error| tracing::error!(%error, "the end of a call cannot be told"))
        .ok()?;
    let mut waited = Duration::ZERO;
    loop {
        match app.group().end(app, end.clone()).await {
            Ok(true) => return Some(run),
            // It was cancelled or given up meanwhile; that stays.
            Ok(false) => {
                let mut conn = app.db.read().await.ok()?;
                return conn.run_fetch(&run.organization_id, run.id).await.ok()?;
            }
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

/// A directory of one call's own.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Scratch {
    async fn create(&self) -> std::result::Result<(), Failure> {
        let work = self.0.join("work");
        tokio::fs::create_dir_all(&work).await.map_err(|error| {
            tracing::error!(%error, "no room to work in");
            Failure::Unavailable {
                hint: "the directory for work under way cannot be written".to_owned(),
            }
        })
    }

    async fn remove(&self) {
        match tokio::fs::remove_dir_all(&self.0).await {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(%error, "a call's directory was not removed");
            }
            _ => {}
        }
    }
}
