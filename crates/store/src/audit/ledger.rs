//! The ledger: events with their position in the log.

use domain::{
    audit::{Envelope, Trail},
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    policy::CaseId,
};
use uuid::Uuid;

use super::event::NewAuditEvent;
use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::{Rows, Value, values},
};

/// What a record is read from.
macro_rules! record_columns {
    () => {
        "l.event_id AS id, l.seq, l.prev, l.case_seq, l.case_prev, l.session_id, l.session_seq,
        l.session_prev, l.clock_regression, l.leaf, l.event"
    };
}
pub(super) use record_columns;

statements! {
    /// Removes the pending events of a batch that are in the ledger.
    AUDIT_PENDING_DELETE = "DELETE FROM audit_pending WHERE arrival >= $1 AND arrival <= $2 AND EXISTS
        (SELECT 1 FROM audit_ledger l WHERE l.event_id = audit_pending.event_id)";
    /// INVARIANT: a position is used once and an event has one position: two unique keys decide between two sequencers.
    AUDIT_LEDGER_INSERT = "INSERT INTO audit_ledger", into(organization_id: TEXT, seq: BIGINT, event_id: UUID,
        prev: TEXT, case_id: TEXT, case_seq: BIGINT, case_prev: TEXT, session_id: UUID, session_seq: BIGINT,
        session_prev: TEXT, clock_regression: BOOLEAN, leaf: TEXT, action_type: TEXT, outcome: TEXT, actor_id: TEXT,
        run_id: TEXT, created_at: TIMESTAMPTZ, event: TEXT);
    AUDIT_LEDGER_LAST = "SELECT event_id AS id, seq, leaf, created_at FROM audit_ledger
        WHERE organization_id = $1 ORDER BY seq DESC LIMIT 1";
    AUDIT_LEDGER_LAST_OF_CASE = "SELECT event_id AS id, case_seq AS seq, leaf, created_at FROM audit_ledger
        WHERE organization_id = $1 AND case_id = $2 ORDER BY case_seq DESC LIMIT 1";
    AUDIT_LEDGER_LAST_OF_SESSION = "SELECT event_id AS id, session_seq AS seq, leaf, created_at FROM audit_ledger
        WHERE organization_id = $1 AND session_id = $2 ORDER BY session_seq DESC LIMIT 1";
    AUDIT_LEAF_LIST = "SELECT event_id AS id, seq, leaf FROM audit_ledger
        WHERE organization_id = $1 AND seq >= $2 ORDER BY seq LIMIT $3";
    /// By the primary key: each organization costs one index lookup, however long its log is.
    AUDIT_ORGANIZATION_NEXT = "SELECT organization_id FROM audit_ledger WHERE organization_id > $1
        ORDER BY organization_id, seq LIMIT 1";
    AUDIT_RECORD_LIST = concat!("SELECT ", record_columns!(), " FROM audit_ledger l
        WHERE l.organization_id = $1 AND l.seq >= $2 ORDER BY l.seq LIMIT $3");
    AUDIT_RECORD_LIST_OF_CASE = concat!("SELECT ", record_columns!(), " FROM audit_ledger l
        WHERE l.organization_id = $1 AND l.case_id = $2 AND l.case_seq >= $3 ORDER BY l.case_seq LIMIT $4");
    AUDIT_RECORD_LIST_OF_SESSION = concat!("SELECT ", record_columns!(), " FROM audit_ledger l
        WHERE l.organization_id = $1 AND l.session_id = $2 AND l.session_seq >= $3
        ORDER BY l.session_seq LIMIT $4");
    AUDIT_RECORD_FETCH = concat!("SELECT ", record_columns!(), " FROM audit_ledger l
        WHERE l.organization_id = $1 AND l.event_id = $2");
}

/// A position in a trail. Hashes are hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrailPosition {
    pub seq: i64,
    pub prev: String,
}

/// An event and its new position in the log. Hashes are hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditPosition {
    /// The database's number for it, if it waited.
    pub arrival: Option<i64>,
    pub event: NewAuditEvent,
    pub seq: i64,
    pub prev: String,
    /// In the trail of the event's case.
    pub case: Option<TrailPosition>,
    /// In the trail of the event's session.
    pub session: Option<TrailPosition>,
    pub clock_regression: bool,
    pub leaf: String,
}

/// An event with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    pub event_id: Uuid,
    pub seq: i64,
    pub prev: String,
    pub case: Option<TrailPosition>,
    pub session: Option<(SessionId, TrailPosition)>,
    pub clock_regression: bool,
    pub leaf: String,
    pub event: String,
}

/// A link of a chain: a number and its leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEnd {
    pub seq: i64,
    pub leaf: String,
    /// When its event happened.
    pub at: Timestamp,
}

impl AuditRecord {
    /// The position as the envelope of the event.
    pub fn envelope<'a>(&'a self, organization_id: &'a OrganizationId) -> Envelope<'a> {
        let session = self.session.as_ref();
        Envelope {
            ledger: organization_id.as_str(),
            seq: self.seq,
            prev: &self.prev,
            case: self.case.as_ref().map(|p| (p.seq, p.prev.as_str())),
            session: session.map(|(id, p)| (*id, p.seq, p.prev.as_str())),
            clock_regression: self.clock_regression,
        }
    }
}

/// The end of the organization's log; `None` while it is empty.
pub async fn audit_end(
    conn: &mut Conn,
    organization_id: &OrganizationId,
) -> Result<Option<AuditEnd>> {
    let values = values![organization_id];
    let row = conn
        .fetch_optional("audit_ledger", &AUDIT_LEDGER_LAST, values)
        .await?;
    row.as_ref().map(log_end).transpose()
}

/// The end of a trail.
pub async fn audit_end_of_trail(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    trail: &Trail,
) -> Result<Option<AuditEnd>> {
    let (statement, values) = match trail {
        Trail::Case(id) => {
            let values = values![organization_id, id.as_str()];
            (&AUDIT_LEDGER_LAST_OF_CASE, values)
        }
        Trail::Session(id) => (&AUDIT_LEDGER_LAST_OF_SESSION, values![organization_id, *id]),
    };
    let row = conn
        .fetch_optional("audit_ledger", statement, values)
        .await?;
    row.as_ref().map(log_end).transpose()
}

/// The first organization with a log after `after` in the order of ids; the very first for `None`.
pub async fn audit_organization_next(
    conn: &mut Conn,
    after: Option<&OrganizationId>,
) -> Result<Option<OrganizationId>> {
    let values = values![after.map_or("", OrganizationId::as_str)];
    let row = conn
        .fetch_optional("audit_ledger", &AUDIT_ORGANIZATION_NEXT, values)
        .await?;
    row.map(|row| row.parsed("organization_id")).transpose()
}

/// Numbers and leaves in their order, from `seq` on.
pub async fn audit_leaf_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    seq: i64,
    limit: u32,
) -> Result<Vec<(i64, String)>> {
    let values = values![organization_id, seq, i64::from(limit)];
    let rows = conn
        .fetch_all("audit_ledger", &AUDIT_LEAF_LIST, values)
        .await?;
    let link = |row: &Row| Ok((row.int("seq")?, row.text("leaf")?));
    rows.iter().map(link).collect()
}

/// Records in their order, from `seq` on.
pub async fn audit_record_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    seq: i64,
    limit: u32,
) -> Result<Vec<AuditRecord>> {
    let values = values![organization_id, seq, i64::from(limit)];
    let rows = conn
        .fetch_all("audit_ledger", &AUDIT_RECORD_LIST, values)
        .await?;
    rows.iter().map(audit_record).collect()
}

/// Records of a trail in their order, from the trail's number `seq` on.
pub async fn audit_record_list_of_trail(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    trail: &Trail,
    seq: i64,
    limit: u32,
) -> Result<Vec<AuditRecord>> {
    let limit = i64::from(limit);
    let (statement, values) = match trail {
        Trail::Case(id) => {
            let values = values![organization_id, id.as_str(), seq, limit];
            (&AUDIT_RECORD_LIST_OF_CASE, values)
        }
        Trail::Session(id) => {
            let values = values![organization_id, *id, seq, limit];
            (&AUDIT_RECORD_LIST_OF_SESSION, values)
        }
    };
    let rows = conn.fetch_all("audit_ledger", statement, values).await?;
    rows.iter().map(audit_record).collect()
}

/// Returns the record of an event that has its position.
pub async fn audit_record_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    event_id: Uuid,
) -> Result<Option<AuditRecord>> {
    let values = values![organization_id, event_id];
    let row = conn
        .fetch_optional("audit_ledger", &AUDIT_RECORD_FETCH, values)
        .await?;
    row.as_ref().map(audit_record).transpose()
}

/// Inserts events at their positions and removes those of them that were pending.
pub async fn audit_position_insert_all(tx: &mut Tx, places: &[AuditPosition]) -> Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    let rows = Rows(places.iter().map(place_row).collect());
    tx.execute(&AUDIT_LEDGER_INSERT, values![rows]).await?;
    let arrivals = || places.iter().filter_map(|place| place.arrival);
    if let (Some(first), Some(last)) = (arrivals().min(), arrivals().max()) {
        let values = values![first, last];
        tx.execute(&AUDIT_PENDING_DELETE, values).await?;
    }
    Ok(())
}

fn place_row(place: &AuditPosition) -> Vec<Value> {
    let event = &place.event;
    let (case, session) = (place.case.as_ref(), place.session.as_ref());
    values![
        &event.organization_id,
        place.seq,
        event.id,
        &place.prev,
        event.case_id.as_ref().map(CaseId::as_str),
        case.map(|at| at.seq),
        case.map(|at| &at.prev),
        event.session_id,
        session.map(|at| at.seq),
        session.map(|at| &at.prev),
        place.clock_regression,
        &place.leaf,
        &*event.action_type,
        &*event.outcome,
        event.actor_id.as_ref(),
        event.run_id.as_ref(),
        event.created_at,
        &event.event,
    ]
}

fn log_end(row: &Row) -> Result<AuditEnd> {
    Ok(AuditEnd {
        seq: row.int("seq")?,
        leaf: row.text("leaf")?,
        at: row.time("created_at")?,
    })
}

pub(super) fn audit_record(row: &Row) -> Result<AuditRecord> {
    let session = match (row.id_opt("session_id")?, place(row, SESSION)?) {
        (None, None) => None,
        (Some(id), Some(place)) => Some((id, place)),
        _ => return Err(row.inconsistent("session_id", "a session's place is incomplete")),
    };
    Ok(AuditRecord {
        event_id: row.uuid("id")?,
        seq: row.int("seq")?,
        prev: row.text("prev")?,
        case: place(row, CASE)?,
        session,
        clock_regression: row.bool("clock_regression")?,
        leaf: row.text("leaf")?,
        event: row.text("event")?,
    })
}

const CASE: (&str, &str) = ("case_seq", "case_prev");
const SESSION: (&str, &str) = ("session_seq", "session_prev");

fn place(row: &Row, (seq, prev): (&'static str, &'static str)) -> Result<Option<TrailPosition>> {
    match (row.int_opt(seq)?, row.text_opt(prev)?) {
        (None, None) => Ok(None),
        (Some(seq), Some(prev)) => Ok(Some(TrailPosition { seq, prev })),
        _ => Err(row.inconsistent(prev, "a place in a trail is incomplete")),
    }
}
