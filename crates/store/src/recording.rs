//! Recordings and their pieces.
//!
//! INVARIANT: adding a piece and closing the recording both lock its row ([`recording_lock`]), so no piece follows
//! the last one.

use domain::{
    audit::Sha256Hex,
    clock::Timestamp,
    id::{OrganizationId, RunId},
    policy::{CaseId, ClientSessionId},
    recording::{Recording, RecordingChunk, RecordingState, RecordingStatus},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

macro_rules! columns {
    () => {
        "id, organization_id, case_id, client_session_id, media_type, status, created_at, \
         closed_by, closed_at"
    };
}

statements! {
    RECORDING_INSERT = "INSERT INTO recordings
        (id, organization_id, case_id, client_session_id, media_type, status, created_at)
        VALUES ($1, $2, $3, $4, $5, 'open', $6)";
    RECORDING_FETCH = concat!("SELECT ", columns!(), " FROM recordings
        WHERE organization_id = $1 AND id = $2");
    RECORDING_LOCK = concat!("SELECT ", columns!(), " FROM recordings
        WHERE organization_id = $1 AND id = $2"), pg: " FOR NO KEY UPDATE";
    RECORDING_CLOSE = "UPDATE recordings SET status = 'closed', closed_by = $3, closed_at = $4
        WHERE organization_id = $1 AND id = $2";
    RECORDING_COUNT = "SELECT COUNT(*) AS n FROM recordings WHERE organization_id = $1 AND case_id = $2";
    RECORDING_CHUNK_INSERT = "INSERT INTO recording_chunks
        (organization_id, recording_id, number, sha256, byte_size, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)";
    RECORDING_CHUNK_FETCH = "SELECT number, sha256, byte_size FROM recording_chunks
        WHERE organization_id = $1 AND recording_id = $2 AND number = $3";
    RECORDING_BYTE_SIZE = "SELECT CAST(COALESCE(SUM(byte_size), 0) AS BIGINT) AS n FROM recording_chunks
        WHERE organization_id = $1 AND recording_id = $2";
    RECORDING_CHUNK_LIST = "SELECT number, sha256, byte_size FROM recording_chunks
        WHERE organization_id = $1 AND recording_id = $2 ORDER BY number";
}

pub async fn recording_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: RunId,
) -> Result<Option<Recording>> {
    let values = values![organization_id, id];
    let row = conn.fetch_optional("recordings", &RECORDING_FETCH, values);
    row.await?.map(|row| recording(&row)).transpose()
}

pub async fn recording_chunk_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: RunId,
    number: u32,
) -> Result<Option<RecordingChunk>> {
    let values = values![organization_id, id, i64::from(number)];
    let row = conn.fetch_optional("recording_chunks", &RECORDING_CHUNK_FETCH, values);
    row.await?.map(|row| chunk(&row)).transpose()
}

/// Bytes of all pieces so far.
pub async fn recording_byte_size(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: RunId,
) -> Result<u64> {
    let values = values![organization_id, id];
    let size = conn.count("recording_chunks", &RECORDING_BYTE_SIZE, values);
    Ok(u64::try_from(size.await?).unwrap_or_default())
}

/// In their order; as many as a recording may have.
pub async fn recording_chunk_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: RunId,
) -> Result<Vec<RecordingChunk>> {
    let values = values![organization_id, id];
    let rows = conn
        .fetch_all("recording_chunks", &RECORDING_CHUNK_LIST, values)
        .await?;
    rows.iter().map(chunk).collect()
}

/// `Error::MissingReference` for a meeting that is not of the case.
pub async fn recording_insert(tx: &mut Tx, recording: &Recording) -> Result<()> {
    let meeting = recording.client_session_id.as_ref();
    let values = values![
        recording.id,
        &recording.organization_id,
        recording.case_id.as_str(),
        meeting.map(ClientSessionId::as_str),
        recording.format.as_str(),
        recording.created_at,
    ];
    tx.execute(&RECORDING_INSERT, values).await?;
    Ok(())
}

/// The recording, for as long as the transaction lasts.
pub async fn recording_lock(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: RunId,
) -> Result<Option<Recording>> {
    let values = values![organization_id, id];
    let row = tx.fetch_optional("recordings", &RECORDING_LOCK, values);
    row.await?.map(|row| recording(&row)).transpose()
}

/// Closes a recording that the transaction holds.
pub async fn recording_close(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: RunId,
    by: RunId,
    now: Timestamp,
) -> Result<()> {
    let values = values![organization_id, id, by, now];
    tx.execute(&RECORDING_CLOSE, values).await?;
    Ok(())
}

pub async fn recording_count(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    case_id: &CaseId,
) -> Result<i64> {
    let values = values![organization_id, case_id.as_str()];
    tx.count("recordings", &RECORDING_COUNT, values).await
}

/// `Error::Conflict` if the recording has a piece of that number.
pub async fn recording_chunk_insert(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: RunId,
    chunk: &RecordingChunk,
    now: Timestamp,
) -> Result<()> {
    let values = values![
        organization_id,
        id,
        i64::from(chunk.number),
        chunk.sha256.as_str(),
        i64::try_from(chunk.byte_size).unwrap_or(i64::MAX),
        now,
    ];
    tx.execute(&RECORDING_CHUNK_INSERT, values).await?;
    Ok(())
}

fn recording(row: &Row) -> Result<Recording> {
    let closed = (row.id_opt("closed_by")?, row.time_opt("closed_at")?);
    let state = match (row.parsed("status")?, closed) {
        (RecordingStatus::Open, (None, None)) => RecordingState::Open,
        (RecordingStatus::Closed, (Some(by), Some(at))) => RecordingState::Closed { by, at },
        _ => return Err(row.inconsistent("status", "does not agree with when it was closed")),
    };
    Ok(Recording {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        case_id: row.parsed("case_id")?,
        client_session_id: row.parsed_opt("client_session_id")?,
        format: row.parsed("media_type")?,
        created_at: row.time("created_at")?,
        state,
    })
}

fn chunk(row: &Row) -> Result<RecordingChunk> {
    Ok(RecordingChunk {
        number: u32::try_from(row.int("number")?)
            .map_err(|_| row.inconsistent("number", "is not the number of a piece"))?,
        sha256: Sha256Hex::new("sha256", row.text("sha256")?)
            .map_err(|error| row.inconsistent("sha256", &error.message))?,
        byte_size: u64::try_from(row.int("byte_size")?)
            .map_err(|_| row.inconsistent("byte_size", "is negative"))?,
    })
}
