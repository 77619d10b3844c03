//! Pending events: recorded, and without a position in the ledger yet.

use std::borrow::Cow;

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    policy::CaseId,
};
use uuid::Uuid;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::{Rows, Value, values},
};

statements! {
    AUDIT_EVENT_INSERT = "INSERT INTO audit_pending", into(organization_id: TEXT, event_id: UUID, case_id: TEXT,
        session_id: UUID, run_id: TEXT, actor_id: TEXT, action_type: TEXT, outcome: TEXT, event: TEXT,
        created_at: TIMESTAMPTZ);
    /// In the order of their arrival, of all organizations or of one.
    AUDIT_PENDING_LIST = "SELECT event_id AS id, arrival, organization_id, case_id, session_id, run_id, actor_id,
        action_type, outcome, event, created_at FROM audit_pending
        WHERE arrival > $1 AND (organization_id = $2 OR $2 IS NULL) ORDER BY arrival LIMIT $3";
}

/// An event to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAuditEvent {
    pub id: Uuid,
    pub organization_id: OrganizationId,
    pub case_id: Option<CaseId>,
    pub session_id: Option<SessionId>,
    pub run_id: Option<String>,
    pub actor_id: Option<String>,
    pub action_type: Cow<'static, str>,
    pub outcome: Cow<'static, str>,
    /// The canonical bytes of the event.
    pub event: String,
    pub created_at: Timestamp,
}

/// A recorded event without a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingAuditEvent {
    /// The database's number for it while it waits.
    pub arrival: i64,
    pub event: NewAuditEvent,
}

/// Returns the events with a later arrival than `after` (0 for all), oldest first.
pub async fn audit_pending_list(
    conn: &mut Conn,
    organization_id: Option<&OrganizationId>,
    after: i64,
    limit: u32,
) -> Result<Vec<PendingAuditEvent>> {
    let organization_id = organization_id.map(OrganizationId::as_str);
    let values = values![after, organization_id, i64::from(limit)];
    let rows = conn
        .fetch_all("audit_pending", &AUDIT_PENDING_LIST, values)
        .await?;
    let pending = |row: &Row| {
        let arrival = row.int("arrival")?;
        let event = NewAuditEvent {
            id: row.uuid("id")?,
            organization_id: row.parsed("organization_id")?,
            case_id: row.parsed_opt("case_id")?,
            session_id: row.id_opt("session_id")?,
            run_id: row.text_opt("run_id")?,
            actor_id: row.text_opt("actor_id")?,
            action_type: row.text("action_type")?.into(),
            outcome: row.text("outcome")?.into(),
            event: row.text("event")?,
            created_at: row.time("created_at")?,
        };
        Ok(PendingAuditEvent { arrival, event })
    };
    rows.iter().map(pending).collect()
}

/// Records an event with the change it speaks of: both happen or neither.
pub async fn audit_event_insert(tx: &mut Tx, event: &NewAuditEvent) -> Result<()> {
    audit_event_insert_all(tx, std::slice::from_ref(event)).await
}

/// Records many events, of any organizations. Each of them is pending.
pub async fn audit_event_insert_all(tx: &mut Tx, events: &[NewAuditEvent]) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let rows = Rows(events.iter().map(event_row).collect());
    tx.execute(&AUDIT_EVENT_INSERT, values![rows]).await?;
    Ok(())
}

fn event_row(event: &NewAuditEvent) -> Vec<Value> {
    values![
        &event.organization_id,
        event.id,
        event.case_id.as_ref().map(CaseId::as_str),
        event.session_id,
        event.run_id.as_ref(),
        event.actor_id.as_ref(),
        &*event.action_type,
        &*event.outcome,
        &event.event,
        event.created_at,
    ]
}
