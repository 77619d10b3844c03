//! Events that come in, and wait for their places.

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
    AUDIT_EVENT_INSERT = "INSERT INTO audit_events", into(id: UUID, organization_id: TEXT, case_id: TEXT,
        session_id: UUID, run_id: TEXT, actor_id: TEXT, action_type: TEXT, outcome: TEXT, event: TEXT,
        created_at: TIMESTAMPTZ);
    /// By the primary key: one look into the index, however many events wait.
    AUDIT_PENDING_ORGANIZATION_NEXT = "SELECT organization_id FROM audit_pending WHERE organization_id > $1
        ORDER BY organization_id, event_id LIMIT 1";
    /// In the order of their ids, which is the order they were made in.
    AUDIT_PENDING_LIST = "SELECT e.id, e.case_id, e.session_id, e.run_id, e.actor_id, e.action_type, e.outcome, e.event,
        e.created_at FROM audit_pending p JOIN audit_events e ON e.id = p.event_id
        WHERE p.organization_id = $1 ORDER BY p.event_id LIMIT $2";
}

/// An event on its way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAuditEvent {
    pub id: Uuid,
    pub organization_id: OrganizationId,
    pub case_id: Option<CaseId>,
    pub session_id: Option<SessionId>,
    pub run_id: Option<String>,
    pub actor_id: String,
    pub action_type: &'static str,
    pub outcome: &'static str,
    /// The canonical bytes of the event.
    pub event: String,
    pub created_at: Timestamp,
}

/// An event that has no place yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingAuditEvent {
    pub id: Uuid,
    pub case_id: Option<CaseId>,
    pub session_id: Option<SessionId>,
    pub marks: AuditMarks,
    pub event: String,
    pub created_at: Timestamp,
}

/// What else can be asked for in a list of records. An event has them, and its place a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditMarks {
    pub action_type: String,
    pub outcome: String,
    pub actor_id: Option<String>,
    pub run_id: Option<String>,
}

impl Conn {
    /// The first organization after `after`, in the order of ids, with events that wait for a place.
    pub async fn audit_pending_organization_next(
        &mut self,
        after: Option<&OrganizationId>,
    ) -> Result<Option<OrganizationId>> {
        let values = values![after.map_or("", OrganizationId::as_str)];
        let row = self
            .fetch_optional("audit_pending", &AUDIT_PENDING_ORGANIZATION_NEXT, values)
            .await?;
        row.map(|row| row.parsed("organization_id")).transpose()
    }

    pub async fn audit_pending_list(
        &mut self,
        organization_id: &OrganizationId,
        limit: u32,
    ) -> Result<Vec<PendingAuditEvent>> {
        let values = values![organization_id, i64::from(limit)];
        let rows = self
            .fetch_all("audit_events", &AUDIT_PENDING_LIST, values)
            .await?;
        let pending = |row: &Row| {
            Ok(PendingAuditEvent {
                id: row.uuid("id")?,
                case_id: row.parsed_opt("case_id")?,
                session_id: row.id_opt("session_id")?,
                marks: AuditMarks {
                    action_type: row.text("action_type")?,
                    outcome: row.text("outcome")?,
                    actor_id: row.text_opt("actor_id")?,
                    run_id: row.text_opt("run_id")?,
                },
                event: row.text("event")?,
                created_at: row.time("created_at")?,
            })
        };
        rows.iter().map(pending).collect()
    }
}

impl Tx {
    /// Records an event with the change it speaks of: both happen or neither.
    pub async fn audit_event_insert(&mut self, event: &NewAuditEvent) -> Result<()> {
        self.audit_event_insert_all(std::slice::from_ref(event))
            .await
    }

    /// Records many events, of any organizations. The database has each of them wait for its place.
    pub async fn audit_event_insert_all(&mut self, events: &[NewAuditEvent]) -> Result<()> {
        if events.is_empty() {
            return Ok(());
        }
        let rows = Rows(events.iter().map(event_row).collect());
        self.execute(&AUDIT_EVENT_INSERT, values![rows]).await?;
        Ok(())
    }
}

fn event_row(event: &NewAuditEvent) -> Vec<Value> {
    values![
        event.id,
        &event.organization_id,
        event.case_id.as_ref().map(CaseId::as_str),
        event.session_id,
        event.run_id.as_ref(),
        &event.actor_id,
        event.action_type,
        event.outcome,
        &event.event,
        event.created_at,
    ]
}
