//! Recording: `dictation.start` opens a recording, pieces of it are uploaded, `dictation.stop` makes one
//! artifact of them. The recording's id is the id of the run that opened it: it is in the answer, and the
//! pipeline already refuses a handle of another case.

use blobs::Scope;
use domain::{
    artifact::ArtifactScope,
    id::RunId,
    limits::RECORDINGS_PER_CASE_MAX,
    recording::{Recording, RecordingChunk, RecordingFormat, RecordingState, first_gap},
    run::RunStatus,
};
use store::Tx;
use tokio::io::AsyncWriteExt as _;
use tools::{Failure, Output, OutputContent, PermittedCall, Produced};

use super::parameters::{self, case, database, invalid, no_input};
use crate::{context::App, mediation::files};

pub(super) async fn start(app: &App, call: &PermittedCall) -> Result<Produced, Failure> {
    no_input(call)?;
    parameters::only(&call.parameters, &["media_type"])?;
    let format = parameters::optional(&call.parameters, "media_type");
    let format = format.map_err(|_| invalid("media_type must be audio/wav or audio/flac"))?;
    let recording = Recording {
        id: call.scope.run_id,
        organization_id: call.scope.organization_id.clone(),
        case_id: case(call)?.clone(),
        client_session_id: call.scope.client_session_id.clone(),
        format: format.unwrap_or(RecordingFormat::Wav),
        created_at: app.now(),
        state: RecordingState::Open,
    };
    let (organization_id, case_id) = (&recording.organization_id, &recording.case_id);
    let mut tx = app.db.write().await.map_err(database)?;
    let there = store::case_lock(&mut tx, organization_id, case_id).await;
    if !there.map_err(database)? {
        return Err(invalid("there is no such case"));
    }
    let count = store::recording_count(&mut tx, organization_id, case_id).await;
    if count.map_err(database)? >= i64::from(RECORDINGS_PER_CASE_MAX) {
        return Err(files::broken("the case has as many recordings as it may"));
    }
    match store::recording_insert(&mut tx, &recording).await {
        Err(store::Error::MissingReference) => {
            return Err(invalid("the meeting is not one of this case"));
        }
        other => other.map_err(database)?,
    }
    tx.commit().await.map_err(database)?;
    Ok(Produced::default())
}

pub(super) async fn stop(app: &App, call: &PermittedCall) -> Result<Produced, Failure> {
    no_input(call)?;
    parameters::only(&call.parameters, &["run_id"])?;
    let id = parameters::required(&call.parameters, "run_id")?;
    let (recording, chunks) = close(app, call, id).await?;
    let content = join(app, call, &recording, &chunks).await?;
    let kind = "audio".parse();
    let media_type = recording.format.as_str().parse();
    let (Ok(kind), Ok(media_type)) = (kind, media_type) else {
        return Err(files::broken("the recording is of no known type"));
    };
    let output = Output {
        kind,
        media_type,
        content,
    };
    Ok(Produced {
        outputs: vec![output],
        ..Produced::default()
    })
}

/// Closes a recording that has chunks and misses none. One that misses a chunk stays open, so that it can be
/// uploaded.
async fn close(
    app: &App,
    call: &PermittedCall,
    id: RunId,
) -> Result<(Recording, Vec<RecordingChunk>), Failure> {
    let organization_id = &call.scope.organization_id;
    let mut tx = app.db.write().await.map_err(database)?;
    let recording = store::recording_lock(&mut tx, organization_id, id).await;
    let recording = recording.map_err(database)?;
    let recording = recording
        .filter(|recording| Some(&recording.case_id) == call.scope.case_id.as_ref())
        .ok_or_else(|| invalid("run_id is not the run that opened a recording"))?;
    if recording.client_session_id != call.scope.client_session_id {
        return Err(invalid("the recording is of another meeting"));
    }
    check_open(&mut tx, &recording).await?;
    let chunks = store::recording_chunk_list(&mut tx, organization_id, id).await;
    let chunks = chunks.map_err(database)?;
    if chunks.is_empty() {
        return Err(invalid("nothing was recorded yet"));
    }
    if let Some(number) = first_gap(&chunks) {
        return Err(invalid(format!(
            "chunk {number} of the recording is missing"
        )));
    }
    let closed = store::recording_close(&mut tx, organization_id, id, call.scope.run_id, app.now());
    closed.await.map_err(database)?;
    tx.commit().await.map_err(database)?;
    Ok((recording, chunks))
}

/// Rejects a recording that was closed by a run that succeeded or may still succeed. What a failed run closed
/// is closed again: no recording is lost because the object store was unavailable for a moment.
async fn check_open(tx: &mut Tx, recording: &Recording) -> Result<(), Failure> {
    let RecordingState::Closed { by, .. } = &recording.state else {
        return Ok(());
    };
    let run = store::run_fetch(tx, &recording.organization_id, *by).await;
    let status = run.map_err(database)?.map(|run| run.state.status());
    match status {
        Some(RunStatus::Completed) => Err(invalid("the recording was stopped before")),
        Some(RunStatus::Created | RunStatus::Running) => {
            Err(invalid("the recording is being stopped by another call"))
        }
        Some(RunStatus::Failed | RunStatus::Denied | RunStatus::Cancelled) | None => Ok(()),
    }
}

/// Joins the chunks in their order into one file, and checks each against its digest.
async fn join(
    app: &App,
    call: &PermittedCall,
    recording: &Recording,
    chunks: &[RecordingChunk],
) -> Result<OutputContent, Failure> {
    let of = ArtifactScope::Case(recording.case_id.clone());
    let scope = Scope::new(&recording.organization_id, &of);
    let path = call.scratch.join("recording");
    let file = tokio::fs::File::create_new(&path).await;
    let mut file = file.map_err(|error| scratch(&error))?;
    for chunk in chunks {
        let piece = app.blobs.get(&scope, &chunk.sha256, chunk.byte_size).await;
        let piece = piece.map_err(|error| files::storage(&error))?;
        let piece = piece.into_bytes().await;
        let piece = piece.map_err(|error| files::storage(&error))?;
        let written = file.write_all(&piece).await;
        written.map_err(|error| scratch(&error))?;
    }
    file.flush().await.map_err(|error| scratch(&error))?;
    Ok(OutputContent::File(path))
}

pub(super) fn scratch(error: &std::io::Error) -> Failure {
    tracing::error!(%error, "no room to work in");
    Failure::Unavailable {
        hint: "the directory for work under way cannot be written".to_owned(),
    }
}
