//! Chunks of a recording over HTTP. Opening and stopping a recording are calls of tools.

use app::{access::Participant, recordings};
use axum::{
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
};
use domain::{Invalid, id::RunId, limits::RECORDING_CHUNK_BYTES_MAX};
use wire::{problem::Code, recording::RecordingChunkView};

use crate::{
    error::Failure,
    extract::{Auth, Json, paced},
    openapi::ChunkProblems,
    routes::Answer,
    state::Gateway,
};

/// Upload a chunk of a recording: the body is its bytes. A recording is opened by a call of
/// `dictation.start` and has the id of that call's run; `dictation.stop` makes one audio artifact of the
/// chunks, in the order of their numbers. The same chunk may be uploaded again.
#[utoipa::path(put, path = "/v1/recordings/{id}/chunks/{n}", operation_id = "recording_chunk_put",
    tag = "artifacts",
    params(
        ("id" = uuid::Uuid, Path, description = "The run of `dictation.start` that opened the recording"),
        ("n" = u32, Path, description = "The piece's place, from 0 to 4095", minimum = 0, maximum = 4095)),
    request_body(content = Vec<u8>, content_type = "application/octet-stream",
        description = "The bytes, at most 4 MiB"),
    responses(
        (status = 201, description = "It was stored", body = RecordingChunkView),
        (status = 200, description = "It existed already", body = RecordingChunkView),
        ChunkProblems))]
pub(crate) async fn put_chunk(
    State(gateway): State<Gateway>,
    Auth(who): Auth<Participant>,
    Path(path): Path<(String, String)>,
    headers: HeaderMap,
    body: Body,
) -> Answer<(StatusCode, Json<RecordingChunkView>)> {
    let (id, number) = parts(&path)?;
    let announced = headers.get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let max = RECORDING_CHUNK_BYTES_MAX;
    if announced.is_some_and(|length| length > max) {
        return Err(app::Error::TooLarge { max }.into());
    }
    let _permit = gateway.capacities.uploads.try_acquire(&who.claimant(), 1)?;
    let (body, slow) = paced(&gateway, body, gateway.options.upload_pause_max);
    let stored = recordings::put_chunk(&gateway.app, &who, id, number, body).await;
    let stored = slow.explain(stored)?;
    let status = if stored.already_existed {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    let view = RecordingChunkView::new(&stored.chunk, stored.already_existed);
    Ok((status, Json(view)))
}

/// An invalid id counts as an unknown one; an invalid number is reported as an error.
fn parts((id, number): &(String, String)) -> Result<(RunId, u32), Failure> {
    let id = id
        .parse()
        .map_err(|_| Failure::new(Code::NotFound, "there is no such recording"))?;
    let number = number
        .parse()
        .map_err(|_| Invalid::new("n", "must be the number of a piece, from 0"))?;
    Ok((id, number))
}
