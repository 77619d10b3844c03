//! `transcription.status`: how far a transcription is, and its transcript once it is there.

use domain::{
    id::RunId,
    run::{Run, RunState},
};
use tools::{Failure, Output, OutputContent, PermittedCall, Produced};

use super::parameters::{self, case, database, invalid, no_input};
use crate::{context::App, mediation::files};

const TRANSCRIPTION: &str = "transcription.run";

pub(super) async fn status(app: &App, call: &PermittedCall) -> Result<Produced, Failure> {
    no_input(call)?;
    parameters::only(&call.parameters, &["run_id"])?;
    let id: RunId = parameters::required(&call.parameters, "run_id")?;
    let case_id = case(call)?;
    let mut conn = app.db.read().await.map_err(database)?;
    let run = store::run_fetch(&mut conn, &call.scope.organization_id, id).await;
    let transcribes = |run: &Run| {
        let target = run.target.as_ref();
        target.is_some_and(|target| target.operation.as_str() == TRANSCRIPTION)
    };
    let run = run
        .map_err(database)?
        .filter(|run| run.case_id.as_ref() == Some(case_id) && transcribes(run))
        .ok_or_else(|| invalid("run_id is not the run of a transcription of this case"))?;
    let ended_badly = |reason| Err(files::broken(reason));
    match &run.state {
        RunState::Created | RunState::Running { .. } => Ok(Produced {
            reason: Some("running"),
            ..Produced::default()
        }),
        RunState::Completed { .. } => finished(app, &run).await,
        RunState::Failed { .. } => ended_badly("the transcription failed"),
        RunState::Denied { .. } => ended_badly("the transcription was denied"),
        RunState::Cancelled { .. } => ended_badly("the transcription was cancelled"),
    }
}

/// What the transcription left: the very artifacts, not copies.
async fn finished(app: &App, run: &Run) -> Result<Produced, Failure> {
    let outputs = files::outputs_of(app, run).await.map_err(|error| {
        tracing::warn!(%error, "a transcript could not be looked up");
        Failure::Unavailable {
            hint: "the database does not answer; try again later".to_owned(),
        }
    })?;
    let output = |artifact: domain::artifact::Artifact| Output {
        kind: artifact.kind,
        media_type: artifact.media_type,
        content: OutputContent::Stored(artifact.id),
    };
    Ok(Produced {
        outputs: outputs.into_iter().map(output).collect(),
        ..Produced::default()
    })
}
