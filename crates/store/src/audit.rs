//! The audit log. Events come in with the change they record; the sequencer gives them their places.
//! Nothing here changes or removes a row: the database refuses it, and there is no statement for it
//! but the one that takes an event off the waiting list.

use domain::{
    clock::Timestamp,
    id::OrganizationId,
    page::{Page, PageRequest},
};
use uuid::Uuid;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

statements! {
    AUDIT_EVENT_INSERT = "INSERT INTO audit_events
        (id, organization_id, case_id, action_type, outcome, event, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    AUDIT_PENDING_INSERT = "INSERT INTO audit_pending (organization_id, event_id) VALUES ($1, $2)";
    /// By the primary key: one look into the index, however many events wait.
    AUDIT_PENDING_ORGANIZATION_NEXT = "SELECT organization_id FROM audit_pending WHERE organization_id > $1
        ORDER BY organization_id, event_id LIMIT 1";
    /// In the order of their ids, which is the order they were made in.
    AUDIT_PENDING_LIST = "SELECT e.id, e.case_id, e.event FROM audit_pending p
        JOIN audit_events e ON e.id = p.event_id
        WHERE p.organization_id = $1 ORDER BY p.event_id LIMIT $2";
    /// One for a whole batch: those that have a place from this number on.
    AUDIT_PENDING_DELETE = "DELETE FROM audit_pending WHERE organization_id = $1 AND event_id IN
        (SELECT event_id FROM audit_ledger WHERE organization_id = $1 AND seq >= $2)";
    /// INVARIANT: a place is taken once: the primary key decides between two sequencers.
    AUDIT_LEDGER_INSERT = "INSERT INTO audit_ledger
        (organization_id, seq, event_id, prev, case_id, case_seq, case_prev, leaf)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    AUDIT_LEDGER_LAST = "SELECT event_id AS id, seq, leaf FROM audit_ledger
        WHERE organization_id = $1 ORDER BY seq DESC LIMIT 1";
    AUDIT_LEDGER_LAST_OF_CASE = "SELECT event_id AS id, case_seq AS seq, leaf FROM audit_ledger
        WHERE organization_id = $1 AND case_id = $2 ORDER BY case_seq DESC LIMIT 1";
    AUDIT_LEAF_LIST = "SELECT event_id AS id, seq, leaf FROM audit_ledger
        WHERE organization_id = $1 AND seq >= $2 ORDER BY seq LIMIT $3";
    /// By the primary key: each organization costs one look into the index, however long its log is.
    AUDIT_ORGANIZATION_NEXT = "SELECT organization_id FROM audit_ledger WHERE organization_id > $1
        ORDER BY organization_id, seq LIMIT 1";
    AUDIT_RECORD_LIST = "SELECT l.event_id AS id, l.seq, l.prev, l.case_seq, l.case_prev, l.leaf, e.event
        FROM audit_ledger l JOIN audit_events e ON e.id = l.event_id
        WHERE l.organization_id = $1 AND l.seq >= $2 ORDER BY l.seq LIMIT $3";
    AUDIT_RECORD_LIST_NEWEST = "SELECT l.event_id AS id, l.seq, l.prev, l.case_seq, l.case_prev, l.leaf,
        e.event FROM audit_ledger l JOIN audit_events e ON e.id = l.event_id
        WHERE l.organization_id = $1 AND l.seq < $2 AND (e.action_type = $3 OR $3 IS NULL)
        AND (e.outcome = $4 OR $4 IS NULL) AND (e.case_id = $5 OR $5 IS NULL)
        ORDER BY l.seq DESC LIMIT $6";
    AUDIT_CHECKPOINT_INSERT = "INSERT INTO audit_checkpoints
        (organization_id, size, root, frontier, note, created_at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (organization_id, size) DO NOTHING";
    AUDIT_CHECKPOINT_LAST = "SELECT organization_id AS id, size, root, frontier, note, created_at
        FROM audit_checkpoints WHERE organization_id = $1 ORDER BY size DESC LIMIT 1";
}

/// An event on its way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAuditEvent {
    pub id: Uuid,
    pub organization_id: OrganizationId,
    pub case_id: Option<String>,
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
    pub case_id: Option<String>,
    pub event: String,
}

/// A place in the log. Hashes are hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditPlace {
    pub seq: i64,
    pub event_id: Uuid,
    pub prev: String,
    /// Case, number in it, the case's leaf before it.
    pub case: Option<(String, i64, String)>,
    pub leaf: String,
}

/// An event with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    pub seq: i64,
    pub prev: String,
    pub case: Option<(i64, String)>,
    pub leaf: String,
    pub event: String,
}

/// A link of a chain, such as its last: a number and its leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEnd {
    pub seq: i64,
    pub leaf: String,
}

/// A signed size and root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditCheckpoint {
    pub size: i64,
    pub root: String,
    pub frontier: String,
    pub note: String,
    pub created_at: Timestamp,
}

/// Which records a list shows; `None` shows all.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    pub action_type: Option<&'static str>,
    pub outcome: Option<&'static str>,
    pub case_id: Option<String>,
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
                case_id: row.text_opt("case_id")?,
                event: row.text("event")?,
            })
        };
        rows.iter().map(pending).collect()
    }

    /// The end of the organization's log; `None` while it is empty.
    pub async fn audit_end(
        &mut self,
        organization_id: &OrganizationId,
    ) -> Result<Option<AuditEnd>> {
        let values = values![organization_id];
        let row = self
            .fetch_optional("audit_ledger", &AUDIT_LEDGER_LAST, values)
            .await?;
        row.map(|row| audit_end(&row)).transpose()
    }

    /// The end of a case's trail.
    pub async fn audit_end_of_case(
        &mut self,
        organization_id: &OrganizationId,
        case_id: &str,
    ) -> Result<Option<AuditEnd>> {
        let values = values![organization_id, case_id];
        let row = self
            .fetch_optional("audit_ledger", &AUDIT_LEDGER_LAST_OF_CASE, values)
            .await?;
        row.map(|row| audit_end(&row)).transpose()
    }

    /// The first organization with a log after `after` in the order of ids; the very first for `None`.
    pub async fn audit_organization_next(
        &mut self,
        after: Option<&OrganizationId>,
    ) -> Result<Option<OrganizationId>> {
        let values = values![after.map_or("", OrganizationId::as_str)];
        let row = self
            .fetch_optional("audit_ledger", &AUDIT_ORGANIZATION_NEXT, values)
            .await?;
        row.map(|row| row.parsed("organization_id")).transpose()
    }

    /// Numbers and leaves in their order, from `seq` on.
    pub async fn audit_leaf_list(
        &mut self,
        organization_id: &OrganizationId,
        seq: i64,
        limit: u32,
    ) -> Result<Vec<AuditEnd>> {
        let values = values![organization_id, seq, i64::from(limit)];
        let rows = self
            .fetch_all("audit_ledger", &AUDIT_LEAF_LIST, values)
            .await?;
        rows.iter().map(audit_end).collect()
    }

    /// Records in their order, from `seq` on.
    pub async fn audit_record_list(
        &mut self,
        organization_id: &OrganizationId,
        seq: i64,
        limit: u32,
    ) -> Result<Vec<AuditRecord>> {
        let values = values![organization_id, seq, i64::from(limit)];
        let rows = self
            .fetch_all("audit_ledger", &AUDIT_RECORD_LIST, values)
            .await?;
        rows.iter().map(audit_record).collect()
    }

    /// Newest first; the cursor is a record's number.
    pub async fn audit_record_page(
        &mut self,
        organization_id: &OrganizationId,
        filter: &AuditFilter,
        page: PageRequest<i64>,
    ) -> Result<Page<AuditRecord, i64>> {
        let values = values![
            organization_id,
            page.before.unwrap_or(i64::MAX),
            filter.action_type,
            filter.outcome,
            filter.case_id.as_ref(),
            page.fetch_limit(),
        ];
        let rows = self
            .fetch_all("audit_ledger", &AUDIT_RECORD_LIST_NEWEST, values)
            .await?;
        let records = rows.iter().map(audit_record).collect::<Result<_>>()?;
        Ok(page.page(records, |record: &AuditRecord| record.seq))
    }

    pub async fn audit_checkpoint_last(
        &mut self,
        organization_id: &OrganizationId,
    ) -> Result<Option<AuditCheckpoint>> {
        let values = values![organization_id];
        let row = self
            .fetch_optional("audit_checkpoints", &AUDIT_CHECKPOINT_LAST, values)
            .await?;
        row.map(|row| {
            Ok(AuditCheckpoint {
                size: row.int("size")?,
                root: row.text("root")?,
                frontier: row.text("frontier")?,
                note: row.text("note")?,
                created_at: row.time("created_at")?,
            })
        })
        .transpose()
    }
}

impl Tx {
    /// Records an event with the change it speaks of: both happen or neither.
    pub async fn audit_event_insert(&mut self, event: &NewAuditEvent) -> Result<()> {
        let values = values![
            event.id,
            &event.organization_id,
            event.case_id.as_ref(),
            event.action_type,
            event.outcome,
            &event.event,
            event.created_at,
        ];
        self.execute(&AUDIT_EVENT_INSERT, values).await?;
        self.execute(
            &AUDIT_PENDING_INSERT,
            values![&event.organization_id, event.id],
        )
        .await?;
        Ok(())
    }

    /// Gives events their places, which follow one another, and takes them off the waiting list.
    pub async fn audit_place(
        &mut self,
        organization_id: &OrganizationId,
        places: &[AuditPlace],
    ) -> Result<()> {
        let Some(first) = places.first() else {
            return Ok(());
        };
        for place in places {
            let (case_id, case_seq, case_prev) = match &place.case {
                None => (None, None, None),
                Some((case_id, seq, prev)) => (Some(case_id), Some(*seq), Some(prev)),
            };
            let values = values![
                organization_id,
                place.seq,
                place.event_id,
                &place.prev,
                case_id,
                case_seq,
                case_prev,
                &place.leaf,
            ];
            self.execute(&AUDIT_LEDGER_INSERT, values).await?;
        }
        self.execute(&AUDIT_PENDING_DELETE, values![organization_id, first.seq])
            .await?;
        Ok(())
    }

    /// Does nothing if this size has one.
    pub async fn audit_checkpoint_insert(
        &mut self,
        organization_id: &OrganizationId,
        checkpoint: &AuditCheckpoint,
    ) -> Result<()> {
        let values = values![
            organization_id,
            checkpoint.size,
            &checkpoint.root,
            &checkpoint.frontier,
            &checkpoint.note,
            checkpoint.created_at,
        ];
        self.execute(&AUDIT_CHECKPOINT_INSERT, values).await?;
        Ok(())
    }
}

fn audit_end(row: &Row) -> Result<AuditEnd> {
    Ok(AuditEnd {
        seq: row.int("seq")?,
        leaf: row.text("leaf")?,
    })
}

fn audit_record(row: &Row) -> Result<AuditRecord> {
    let case_seq = row.int_opt("case_seq")?;
    let case = match (case_seq, row.text_opt("case_prev")?) {
        (None, None) => None,
        (Some(seq), Some(prev)) => Some((seq, prev)),
        _ => return Err(row.inconsistent("case_prev", "a case's place is incomplete")),
    };
    Ok(AuditRecord {
        seq: row.int("seq")?,
        prev: row.text("prev")?,
        case,
        leaf: row.text("leaf")?,
        event: row.text("event")?,
    })
}
