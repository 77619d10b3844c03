//! Taking a piece of a recording.
//!
//! INVARIANT: a number has one piece for good. The same bytes again are welcome, because an answer may be
//! lost; other bytes are refused, because one of the two would be.

use blobs::Scope;
use bytes::Bytes;
use domain::{
    artifact::ArtifactScope,
    audit::{ActionType, Event, Outcome, SafeText},
    id::RunId,
    invalid::Invalid,
    limits::{RECORDING_BYTES_MAX, RECORDING_CHUNK_BYTES_MAX, RECORDING_CHUNKS_MAX},
    recording::{Recording, RecordingChunk, RecordingState},
};
use futures::Stream;
use store::{Conn, Tx};

use crate::{
    access::{AuditedActor, Participant},
    artifacts::check_visible,
    audit,
    context::App,
    error::{Error, Result},
    organization_limits::{add_stored, check_storage},
};

/// The result of storing a chunk.
#[derive(Debug, Clone)]
pub struct ChunkStored {
    pub chunk: RecordingChunk,
    /// The same bytes were stored before.
    pub already_existed: bool,
}

/// Stores a piece of a recording that is open.
pub async fn put_chunk<E>(
    app: &App,
    who: &Participant,
    id: RunId,
    number: u32,
    body: impl Stream<Item = std::result::Result<Bytes, E>> + Send,
) -> Result<ChunkStored>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let recording = {
        let mut conn = app.db.read().await?;
        let recording = store::recording_fetch(&mut conn, who.organization_id(), id).await?;
        let recording = admit(&mut conn, who, recording).await?;
        check_storage(&mut conn, who.organization_id()).await?;
        recording
    };
    if number >= RECORDING_CHUNKS_MAX {
        let message = format!("a recording has at most {RECORDING_CHUNKS_MAX} pieces, from 0");
        return Err(Invalid::new("n", message).into());
    }
    let scope = ArtifactScope::Case(recording.case_id);
    let place = Scope::new(who.organization_id(), &scope);
    let stored = app
        .blobs
        .put(&place, body, RECORDING_CHUNK_BYTES_MAX)
        .await?;
    if stored.byte_size == 0 {
        return Err(Invalid::new("body", "must not be empty").into());
    }
    let chunk = RecordingChunk {
        number,
        sha256: stored.sha256,
        byte_size: stored.byte_size,
    };
    keep(app, who, id, chunk).await
}

async fn keep(
    app: &App,
    who: &Participant,
    id: RunId,
    chunk: RecordingChunk,
) -> Result<ChunkStored> {
    let organization_id = who.organization_id();
    let mut tx = app.db.write().await?;
    // Bytes may take their time. A caller who lost access meanwhile, or who is later than the end, leaves nothing.
    let recording = store::recording_lock(&mut tx, organization_id, id).await?;
    let recording = admit(&mut tx, who, recording).await?;
    let earlier = store::recording_chunk_fetch(&mut tx, organization_id, id, chunk.number);
    match earlier.await? {
        Some(earlier) if earlier == chunk => {
            return Ok(ChunkStored {
                chunk,
                already_existed: true,
            });
        }
        Some(_) => {
            let message = "this piece was brought before, with other bytes";
            return Err(Error::Conflict(message.to_owned()));
        }
        None => {}
    }
    let size = store::recording_byte_size(&mut tx, organization_id, id).await?;
    if size.saturating_add(chunk.byte_size) > RECORDING_BYTES_MAX {
        return Err(Error::LimitReached(format!(
            "a recording has at most {RECORDING_BYTES_MAX} bytes"
        )));
    }
    add_stored(&mut tx, organization_id, chunk.byte_size).await?;
    store::recording_chunk_insert(&mut tx, organization_id, id, &chunk, app.now()).await?;
    record(&mut tx, app, who, &recording, &chunk).await?;
    tx.commit().await?;
    Ok(ChunkStored {
        chunk,
        already_existed: false,
    })
}

/// The recording, if the caller sees its case and it takes pieces.
async fn admit(
    conn: &mut Conn,
    who: &Participant,
    recording: Option<Recording>,
) -> Result<Recording> {
    let recording = recording.ok_or(Error::NotFound("recording"))?;
    let scope = ArtifactScope::Case(recording.case_id.clone());
    match check_visible(conn, who, &scope).await {
        // Which of the two it was is not told.
        Err(Error::NotFound(_)) => return Err(Error::NotFound("recording")),
        other => other?,
    }
    match recording.state {
        RecordingState::Open => Ok(recording),
        RecordingState::Closed { .. } => {
            Err(Error::Conflict("the recording was stopped".to_owned()))
        }
    }
}

/// What came in is part of the case's trail, by its digest.
async fn record(
    tx: &mut Tx,
    app: &App,
    who: &Participant,
    recording: &Recording,
    chunk: &RecordingChunk,
) -> Result<()> {
    let name = format!("recording/{}/{}", recording.id, chunk.number);
    let event = Event {
        case_id: Some(recording.case_id.clone()),
        target: Some((
            SafeText::new("target.name", name)?,
            SafeText::new("target.operation", "recording_chunk_put")?,
        )),
        request_sha256: Some(chunk.sha256.clone()),
        ..Event::new(
            app.event_id(),
            app.now(),
            ActionType::DbWrite,
            Outcome::Success,
            who.actor()?,
            app.policy_versions(),
        )
    };
    audit::record(tx, event, who.organization_id(), None).await
}
