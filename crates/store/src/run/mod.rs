//! Runs. Writes take many at once: under load, the calls that wait together are committed together.
//!
//! INVARIANT: a key is claimed by one run, and a run ends once. The database decides both: an insert or an end that
//! changed no row did not happen.

mod row;

pub use self::row::{NewRun, RunEnd, RunStanding};
use self::row::{ended, inserted, run, run_standing};
use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::{Rows, values},
};
use domain::{
    clock::Timestamp,
    id::{OrganizationId, RunId},
    page::{Page, PageRequest},
    run::Run,
};

macro_rules! columns {
    () => {
        "id, organization_id, kind, status, root_id, parent_id, case_id, session_id, actor_class, \
         actor_id, role_id, lane_id, tool_name, operation, tool_version, policy_id, correlation_id, \
         request_sha256, created_at, started_at, ended_at, deadline, reason, error_code, \
         error_message, error_retryable, inputs, outputs, response_sha256"
    };
}

statements! {
    /// Those that are not inserted have lost their key to an earlier run.
    RUN_INSERT_ALL = "INSERT INTO runs",
        into(id: UUID, organization_id: TEXT, kind: TEXT, status: TEXT, root_id: UUID, parent_id: UUID,
            case_id: TEXT, session_id: UUID, actor_class: TEXT, actor_id: TEXT, role_id: TEXT,
            lane_id: TEXT, tool_name: TEXT, operation: TEXT, tool_version: TEXT, policy_id: TEXT,
            correlation_id: TEXT, request_sha256: TEXT, created_at: TIMESTAMPTZ,
            started_at: TIMESTAMPTZ, ended_at: TIMESTAMPTZ, deadline: TIMESTAMPTZ, reason: TEXT,
            error_code: TEXT, error_message: TEXT, error_retryable: BOOLEAN, inputs: JSONB,
            outputs: JSONB, response_sha256: TEXT, idempotency_scope: TEXT, idempotency_key: TEXT)
        "ON CONFLICT DO NOTHING", pg: " RETURNING id";
    /// A run that was created in advance and has not started.
    RUN_TAKE = "DELETE FROM runs WHERE id = $1 AND status = 'created'
        RETURNING id, created_at, idempotency_scope, idempotency_key";
    /// INVARIANT: only what has not ended ends.
    ///
    /// The ids are given twice: PostgreSQL cannot estimate the table of arguments, and with the array every plan begins at
    /// the primary key. So too below.
    RUN_END_ALL = "UPDATE runs SET status = given.status, ended_at = given.ended_at, reason = given.reason,
        error_code = given.error_code, error_message = given.error_message,
        error_retryable = given.error_retryable, outputs = given.outputs,
        response_sha256 = given.response_sha256 FROM ",
        rows(id: UUID, status: TEXT, ended_at: TIMESTAMPTZ, reason: TEXT, error_code: TEXT,
            error_message: TEXT, error_retryable: BOOLEAN, outputs: JSONB, response_sha256: TEXT)
        "WHERE runs.id = given.id AND runs.id = ANY (ARRAY (SELECT (one->>'id')::UUID
        FROM jsonb_array_elements($1::jsonb) AS one)) AND runs.status IN ('created', 'running')
        RETURNING runs.id",
        sqlite: "UPDATE runs SET status = :status, ended_at = :ended_at, reason = :reason,
        error_code = :error_code, error_message = :error_message, error_retryable = :error_retryable,
        outputs = :outputs, response_sha256 = :response_sha256
        WHERE id = :id AND status IN ('created', 'running')";
    RUN_STANDING_LIST = "SELECT runs.id, runs.organization_id, runs.kind, runs.status, runs.root_id,
        runs.parent_id, runs.case_id, runs.session_id, runs.actor_class, runs.actor_id, runs.operation,
        runs.policy_id, root.status AS root_status FROM ",
        rows(id: UUID) "JOIN runs ON runs.id = given.id AND runs.id = ANY (ARRAY (SELECT (one->>'id')::UUID
        FROM jsonb_array_elements($1::jsonb) AS one)) JOIN runs root ON root.id = runs.root_id",
        sqlite: "SELECT runs.id, runs.organization_id, runs.kind, runs.status, runs.root_id,
        runs.parent_id, runs.case_id, runs.session_id, runs.actor_class, runs.actor_id, runs.operation,
        runs.policy_id, root.status AS root_status FROM runs JOIN runs root ON root.id = runs.root_id
        WHERE runs.id = :id";
    RUN_FETCH_BY_KEY = concat!("SELECT ", columns!(), " FROM runs
        WHERE organization_id = $1 AND idempotency_scope = $2 AND idempotency_key = $3");
    RUN_FETCH = concat!("SELECT ", columns!(), " FROM runs WHERE organization_id = $1 AND id = $2");
    RUN_CHILD_LIST = concat!("SELECT ", columns!(), " FROM runs WHERE organization_id = $1
        AND parent_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4");
    RUN_OVERDUE_LIST = concat!("SELECT ", columns!(), " FROM runs WHERE status = 'running'
        AND deadline < $1 ORDER BY deadline LIMIT $2");
}

/// What a run that was created in advance keeps when it is inserted again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunTaken {
    pub created_at: Timestamp,
    pub key: Option<(String, String)>,
}

pub async fn run_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: RunId,
) -> Result<Option<Run>> {
    let row = conn
        .fetch_optional("runs", &RUN_FETCH, values![organization_id, id])
        .await?;
    row.map(|row| run(&row)).transpose()
}

/// The runs below a run, newest first.
pub async fn run_child_page(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    parent_id: RunId,
    page: PageRequest<RunId>,
) -> Result<Page<Run, RunId>> {
    let last = RunId::from_uuid(uuid::Uuid::max());
    let before = page.before.unwrap_or(last);
    let values = values![organization_id, parent_id, before, page.fetch_limit()];
    let rows = conn.fetch_all("runs", &RUN_CHILD_LIST, values).await?;
    let runs = rows.iter().map(run).collect::<Result<_>>()?;
    Ok(page.page(runs, |run: &Run| run.id))
}

/// Calls of any organization that should have ended before `moment`, longest overdue first.
pub async fn run_overdue_list(conn: &mut Conn, moment: Timestamp, limit: u32) -> Result<Vec<Run>> {
    let values = values![moment, i64::from(limit)];
    let rows = conn.fetch_all("runs", &RUN_OVERDUE_LIST, values).await?;
    rows.iter().map(run).collect()
}

/// Those of the given runs that exist, in no order.
pub async fn run_standing_list(conn: &mut Conn, ids: &[RunId]) -> Result<Vec<RunStanding>> {
    let given = Rows(ids.iter().map(|id| values![*id]).collect());
    let rows = conn
        .fetch_all("runs", &RUN_STANDING_LIST, values![given])
        .await?;
    rows.iter().map(run_standing).collect()
}

/// The run that holds a key.
pub async fn run_fetch_by_key(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    scope: &str,
    key: &str,
) -> Result<Option<Run>> {
    let values = values![organization_id, scope, key];
    let row = conn
        .fetch_optional("runs", &RUN_FETCH_BY_KEY, values)
        .await?;
    row.map(|row| run(&row)).transpose()
}

/// Inserts runs and returns those it inserted: a run whose key is claimed is left out.
pub async fn run_insert_all(tx: &mut Tx, runs: &[NewRun]) -> Result<Vec<RunId>> {
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let given = Rows(runs.iter().map(inserted).collect());
    let ids = runs.iter().map(|new| new.run.id);
    tx.execute_each("runs", &RUN_INSERT_ALL, given, ids).await
}

/// Removes a run that was created in advance, so that the same transaction can insert it in its new state. `None` if it
/// does not exist or has started.
pub async fn run_take(tx: &mut Tx, id: RunId) -> Result<Option<RunTaken>> {
    let row = tx.fetch_optional("runs", &RUN_TAKE, values![id]).await?;
    let taken = |row: &Row| {
        let scope = row.text_opt("idempotency_scope")?;
        Ok(RunTaken {
            created_at: row.time("created_at")?,
            key: scope.zip(row.text_opt("idempotency_key")?),
        })
    };
    row.as_ref().map(taken).transpose()
}

/// Ends runs and returns those it ended: a run that had ended already is left as it is.
pub async fn run_end_all(tx: &mut Tx, ends: &[RunEnd]) -> Result<Vec<RunId>> {
    if ends.is_empty() {
        return Ok(Vec::new());
    }
    let given = Rows(ends.iter().map(ended).collect());
    let ids = ends.iter().map(|end| end.id);
    tx.execute_each("runs", &RUN_END_ALL, given, ids).await
}
