//! The log of the events that a session's clients were sent.
//!
//! INVARIANT: an event is appended by the session's current owner at the next sequence number, or not at all. The
//! session's row is locked until the commit, so that its owner does not change in between.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    limits::{LIVE_EVENTS_PAGE_LENGTH_MAX, LIVE_EVENTS_PAGE_MAX},
    session_event::SessionEvent,
};

use crate::{
    conn::{Conn, Tx},
    error::{Error, Result},
    row::Row,
    statement::statements,
    value::{Rows, values},
};

const TABLE: &str = "session_events";

statements! {
    /// The last sequence number is the one before the first of these ($5) or, where rows are written one by one, the one
    /// before each.
    SESSION_EVENT_APPEND = "INSERT INTO session_events
        (organization_id, session_id, seq, epoch, kind, payload, created_at)
        SELECT s.organization_id, s.id, given.seq, s.owner_epoch, given.kind, given.payload,
        given.created_at FROM ",
        rows(seq: BIGINT, kind: TEXT, payload: TEXT, created_at: TIMESTAMPTZ)
        "JOIN sessions s ON s.organization_id = $2 AND s.id = $3 AND s.owner_epoch = $4
        WHERE (SELECT COALESCE(MAX(e.seq), 0) FROM session_events e WHERE e.session_id = $3)
        BETWEEN $5 AND given.seq - 1", pg: " FOR SHARE OF s";
    SESSION_EVENT_EPOCH = "SELECT owner_epoch AS n FROM sessions WHERE organization_id = $1 AND id = $2";
    SESSION_EVENT_LAST = "SELECT COALESCE(MAX(seq), 0) AS n FROM session_events
        WHERE organization_id = $1 AND session_id = $2";
    /// Of large events few are a page: as many as are not longer than $5 together, and the first in any case.
    SESSION_EVENT_LIST = "SELECT seq, kind, payload, created_at FROM
        (SELECT seq, kind, payload, created_at, SUM(LENGTH(payload)) OVER (ORDER BY seq) AS length
        FROM (SELECT seq, kind, payload, created_at FROM session_events
        WHERE organization_id = $1 AND session_id = $2 AND seq > $3 ORDER BY seq LIMIT $4) AS page) AS counted
        WHERE length <= $5 OR length = LENGTH(payload)";
    /// The newest event always stays: its sequence number is the end of the log.
    SESSION_EVENT_TRIM = "DELETE FROM session_events WHERE organization_id = $1 AND session_id = $2
        AND seq <= (SELECT MAX(e.seq) FROM session_events e WHERE e.session_id = $2) - $3";
}

/// The outcome of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventAppend {
    Appended,
    /// Another instance owns the session, or the session was removed.
    NotOwner,
    /// The log ends at another sequence number than the writer assumed. Read it again, in another transaction.
    OutOfPlace,
}

/// Appends events with consecutive sequence numbers, all or none. Commit the transaction only if it is `Appended`.
pub async fn session_event_append(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
    epoch: i64,
    events: &[SessionEvent],
) -> Result<EventAppend> {
    let Some(first) = events.first() else {
        return Ok(EventAppend::Appended);
    };
    let rows = events.iter().map(|event| {
        values![
            place(event.seq),
            &event.kind,
            &event.payload,
            event.created_at
        ]
    });
    let rows = Rows(rows.collect());
    let before = place(first.seq).saturating_sub(1);
    let values = values![rows, organization_id, session_id, epoch, before];
    match tx.execute(&SESSION_EVENT_APPEND, values).await {
        Ok(written) if written == events.len() as u64 => Ok(EventAppend::Appended),
        Ok(_) => why_not(tx, organization_id, session_id, epoch).await,
        // Another writer was quicker. PostgreSQL answers nothing more in this transaction.
        Err(Error::Conflict { .. }) => Ok(EventAppend::OutOfPlace),
        Err(error) => Err(error),
    }
}

async fn why_not(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
    epoch: i64,
) -> Result<EventAppend> {
    let values = values![organization_id, session_id];
    let row = tx.fetch_optional("sessions", &SESSION_EVENT_EPOCH, values);
    let owner = row.await?.map(|row| row.int("n")).transpose()?;
    if owner != Some(epoch) {
        return Ok(EventAppend::NotOwner);
    }
    Ok(EventAppend::OutOfPlace)
}

/// Removes all but the newest `kept` events and returns how many were removed.
pub async fn session_event_trim(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
    kept: u64,
) -> Result<u64> {
    let values = values![organization_id, session_id, place(kept.max(1))];
    tx.execute(&SESSION_EVENT_TRIM, values).await
}

/// Returns the newest event's sequence number; 0 if there is none.
pub async fn session_event_last(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<u64> {
    let values = values![organization_id, session_id];
    let last = conn.count(TABLE, &SESSION_EVENT_LAST, values).await?;
    Ok(u64::try_from(last).unwrap_or_default())
}

/// Returns events after a sequence number, oldest first, a page at most; a page with large events is shorter. If the
/// first one does not follow directly, the events in between were trimmed.
pub async fn session_event_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    after: u64,
    count_max: u32,
) -> Result<Vec<SessionEvent>> {
    let count = i64::from(count_max.min(LIVE_EVENTS_PAGE_MAX));
    let length = i64::from(LIVE_EVENTS_PAGE_LENGTH_MAX);
    let values = values![organization_id, session_id, place(after), count, length];
    let rows = conn.fetch_all(TABLE, &SESSION_EVENT_LIST, values).await?;
    let mut events = rows.iter().map(event).collect::<Result<Vec<_>>>()?;
    // A page, nearly always in order already; the database would sort it in a table of its own.
    events.sort_unstable_by_key(|event| event.seq);
    Ok(events)
}

fn place(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

fn event(row: &Row) -> Result<SessionEvent> {
    let created_at: Timestamp = row.time("created_at")?;
    Ok(SessionEvent {
        seq: u64::try_from(row.int("seq")?).unwrap_or_default(),
        kind: row.text("kind")?,
        payload: row.text("payload")?,
        created_at,
    })
}
