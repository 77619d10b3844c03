//! Lists of records, newest first. The cursor is an event's id.
//!
//! Each list reads one index of the ledger: that of the case's or session's trail, that of the run, or that of the
//! organization's ids, which also holds the columns of the other filters.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    page::{Page, PageRequest},
    policy::CaseId,
};
use uuid::Uuid;

use super::ledger::{AuditRecord, audit_record, record_columns};
use crate::{
    conn::Conn,
    error::Result,
    statement::{Statement, statements},
    value::values,
};

/// The filters of every list; `NULL` matches all. The parameters have the same numbers in all lists.
macro_rules! filters {
    () => {
        "l.organization_id = $1 AND l.event_id < $3 AND l.event_id >= $4
        AND (l.action_type = $5 OR $5 IS NULL) AND (l.outcome = $6 OR $6 IS NULL)
        AND (l.actor_id = $7 OR $7 IS NULL) AND (l.run_id = $8 OR $8 IS NULL)
        AND (l.case_id = $9 OR $9 IS NULL) AND (l.session_id = $10 OR $10 IS NULL)"
    };
}

statements! {
    AUDIT_RECORD_PAGE = concat!("SELECT ", record_columns!(), " FROM audit_ledger l
        WHERE (l.event_id < $2 OR $2 IS NULL) AND ", filters!(), "
        ORDER BY l.event_id DESC LIMIT $11");
    AUDIT_RECORD_PAGE_OF_RUN = concat!("SELECT ", record_columns!(), " FROM audit_ledger l
        WHERE l.run_id = $8 AND (l.event_id < $2 OR $2 IS NULL) AND ", filters!(), "
        ORDER BY l.event_id DESC LIMIT $11");
    AUDIT_RECORD_PAGE_OF_CASE = concat!("SELECT ", record_columns!(), " FROM audit_ledger l
        WHERE l.case_id = $9 AND l.case_seq < COALESCE((SELECT c.case_seq
        FROM audit_ledger c WHERE c.organization_id = $1 AND c.event_id = $2), 9223372036854775807)
        AND ", filters!(), " ORDER BY l.case_seq DESC LIMIT $11");
    AUDIT_RECORD_PAGE_OF_SESSION = concat!("SELECT ", record_columns!(), " FROM audit_ledger l
        WHERE l.session_id = $10 AND l.session_seq < COALESCE((SELECT c.session_seq
        FROM audit_ledger c WHERE c.organization_id = $1 AND c.event_id = $2), 9223372036854775807)
        AND ", filters!(), " ORDER BY l.session_seq DESC LIMIT $11");
}

/// Which records a list shows; `None` shows all.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    pub case_id: Option<CaseId>,
    pub session_id: Option<SessionId>,
    pub run_id: Option<String>,
    pub action_type: Option<&'static str>,
    pub outcome: Option<&'static str>,
    pub actor_id: Option<String>,
    /// Recorded at or after; to the millisecond, by the event's id, which does not go back when the clock
    /// is set back.
    pub from: Option<Timestamp>,
    /// Recorded before.
    pub to: Option<Timestamp>,
}

/// Newest first; the cursor is the id of an event.
pub async fn audit_record_page(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    filter: &AuditFilter,
    page: PageRequest<Uuid>,
) -> Result<Page<AuditRecord, Uuid>> {
    let values = values![
        organization_id,
        page.before,
        filter.to.map_or(Uuid::max(), first_id_at),
        filter.from.map_or(Uuid::nil(), first_id_at),
        filter.action_type,
        filter.outcome,
        filter.actor_id.as_ref(),
        filter.run_id.as_ref(),
        filter.case_id.as_ref().map(CaseId::as_str),
        filter.session_id,
        page.fetch_limit(),
    ];
    let rows = conn
        .fetch_all("audit_ledger", along(filter), values)
        .await?;
    let records = rows.iter().map(audit_record).collect::<Result<_>>()?;
    Ok(page.page(records, |record: &AuditRecord| record.event_id))
}

/// The narrowest index that fits: a run has a handful of events, a session or a case thousands.
fn along(filter: &AuditFilter) -> &'static Statement {
    if filter.run_id.is_some() {
        &AUDIT_RECORD_PAGE_OF_RUN
    } else if filter.session_id.is_some() {
        &AUDIT_RECORD_PAGE_OF_SESSION
    } else if filter.case_id.is_some() {
        &AUDIT_RECORD_PAGE_OF_CASE
    } else {
        &AUDIT_RECORD_PAGE
    }
}

/// Below every id that was made at this moment or later.
fn first_id_at(at: Timestamp) -> Uuid {
    let millis = u64::try_from(at.micros() / 1000).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid()
}
