//! Invocations. Written many at once, like the runs they are.
//!
//! INVARIANT: a stored invocation moves by one conditional update from exactly the state that was read. A caller whose
//! update changed no row did not move it, and does nothing further.

use domain::{
    action::{Invocation, InvocationStatus},
    clock::Timestamp,
    id::{GrantId, InvocationId, OrganizationId, RunId, SessionId},
    organization_limits::{LimitSettings, OrganizationLimits},
    page::{Page, PageRequest},
    sharing::SessionViewer,
};

use super::invocation_row::{
    InvocationMove, InvocationRecord, NewInvocation, invocation, moved, record, written,
};
use crate::{
    conn::{Conn, Tx},
    error::Result,
    session_people::seen_session,
    statement::statements,
    value::{Rows, values},
};

macro_rules! columns {
    () => {
        "id, organization_id, session_id, run_id, integration_id, integration, action, risk_level, \
         params, call_sha256, tool_sha256, policy_id, created_at, status, expires_at, returned, \
         approved_by, approved_at, approval_grant_id, claimed_at, authority, grant_id, completed_at, \
         result_sha256, result_artifact_id, error_code, error, error_retryable, effect, refusal, \
         reason, result, suspended_grant_id, suspended_because"
    };
}

macro_rules! inbox {
    () => {
        "SELECT i.id, i.organization_id, i.session_id, i.run_id, i.integration_id, i.integration, \
         i.action, i.risk_level, i.params, i.call_sha256, i.tool_sha256, i.policy_id, i.created_at, \
         i.status, i.expires_at, i.returned, i.approved_by, i.approved_at, i.approval_grant_id, \
         i.claimed_at, i.authority, i.grant_id, i.completed_at, i.result_sha256, \
         i.result_artifact_id, i.error_code, i.error, i.error_retryable, i.effect, i.refusal, \
         i.reason, i.result, i.suspended_grant_id, i.suspended_because, s.title AS session_title FROM action_invocations i \
         JOIN sessions s ON s.organization_id = i.organization_id AND s.id = i.session_id"
    };
}

statements! {
    INVOCATION_INSERT_ALL = "INSERT INTO action_invocations (id, organization_id, session_id, run_id,
        integration_id, integration, action, risk_level, params, sealed_params, created_at, suspended_grant_id,
        suspended_because, call_sha256, tool_sha256, policy_id, status, expires_at, returned, approved_by, approved_at, approval_grant_id,
        claimed_at, authority, grant_id, completed_at, result_sha256, result_artifact_id, error_code, error,
        error_retryable, effect, refusal, reason)
        SELECT id, organization_id, session_id, run_id, integration_id, integration, action, risk_level,
        params, sealed_params, created_at, suspended_grant_id, suspended_because, call_sha256, tool_sha256,
        policy_id, status, expires_at, returned,
        approved_by, approved_at, approval_grant_id, claimed_at, authority, grant_id, completed_at,
        result_sha256, result_artifact_id, error_code, error, error_retryable, effect, refusal, reason FROM ",
        rows(id: UUID, organization_id: TEXT, session_id: UUID, run_id: UUID, integration_id: UUID,
            integration: TEXT, action: TEXT, risk_level: TEXT, params: JSONB, sealed_params: TEXT,
            created_at: TIMESTAMPTZ, suspended_grant_id: UUID, suspended_because: TEXT, call_sha256: TEXT, tool_sha256: TEXT, policy_id: TEXT, status: TEXT,
            expires_at: TIMESTAMPTZ, returned: JSONB, approved_by: TEXT, approved_at: TIMESTAMPTZ,
            approval_grant_id: UUID, claimed_at: TIMESTAMPTZ, authority: TEXT, grant_id: UUID,
            completed_at: TIMESTAMPTZ, result_sha256: TEXT, result_artifact_id: UUID, error_code: TEXT,
            error: TEXT, error_retryable: BOOLEAN, effect: TEXT, refusal: TEXT, reason: TEXT);
    /// From exactly what was read: an invocation that was returned for a second approval is pending too, but not in the
    /// state that was read. One that has ended no longer needs its parameters. The ids are given twice, as in
    /// `RUN_END_ALL`.
    INVOCATION_MOVE_ALL = "UPDATE action_invocations SET status = given.status,
        expires_at = given.expires_at, returned = given.returned, approved_by = given.approved_by,
        approved_at = given.approved_at, approval_grant_id = given.approval_grant_id,
        claimed_at = given.claimed_at, authority = given.authority, grant_id = given.grant_id,
        completed_at = given.completed_at, result_sha256 = given.result_sha256,
        result_artifact_id = given.result_artifact_id, error_code = given.error_code, error = given.error,
        error_retryable = given.error_retryable, effect = given.effect, refusal = given.refusal,
        reason = given.reason, result = given.result, call_sha256 = given.call_sha256,
        tool_sha256 = given.tool_sha256, policy_id = given.policy_id,
        sealed_params = CASE WHEN given.status IN ('pending', 'approved', 'executing')
            THEN action_invocations.sealed_params ELSE NULL END
        FROM ",
        rows(id: UUID, from_status: TEXT, from_expires_at: TIMESTAMPTZ, from_call_sha256: TEXT,
            from_tool_sha256: TEXT, from_policy_id: TEXT, result: JSONB, call_sha256: TEXT,
            tool_sha256: TEXT, policy_id: TEXT, status: TEXT, expires_at: TIMESTAMPTZ, returned: JSONB,
            approved_by: TEXT, approved_at: TIMESTAMPTZ, approval_grant_id: UUID, claimed_at: TIMESTAMPTZ,
            authority: TEXT, grant_id: UUID, completed_at: TIMESTAMPTZ, result_sha256: TEXT,
            result_artifact_id: UUID, error_code: TEXT, error: TEXT, error_retryable: BOOLEAN, effect: TEXT,
            refusal: TEXT, reason: TEXT)
        "WHERE action_invocations.id = given.id AND action_invocations.status = given.from_status
        AND action_invocations.expires_at IS NOT DISTINCT FROM given.from_expires_at
        AND action_invocations.call_sha256 = given.from_call_sha256 AND action_invocations.tool_sha256 = given.from_tool_sha256
        AND action_invocations.policy_id = given.from_policy_id
        AND action_invocations.id = ANY (ARRAY (SELECT (one->>'id')::UUID
        FROM jsonb_array_elements($1::jsonb) AS one)) RETURNING action_invocations.id",
        sqlite: "UPDATE action_invocations SET status = :status, expires_at = :expires_at, returned = :returned,
        approved_by = :approved_by, approved_at = :approved_at, approval_grant_id = :approval_grant_id,
        claimed_at = :claimed_at, authority = :authority, grant_id = :grant_id, completed_at =
        :completed_at, result_sha256 = :result_sha256, result_artifact_id = :result_artifact_id,
        error_code = :error_code, error = :error, error_retryable = :error_retryable, effect = :effect,
        refusal = :refusal, reason = :reason, result = :result, call_sha256 = :call_sha256, tool_sha256 =
        :tool_sha256, policy_id = :policy_id, sealed_params = CASE :status WHEN 'pending' THEN sealed_params
        WHEN 'approved' THEN sealed_params WHEN 'executing' THEN sealed_params END WHERE id = :id AND status = :from_status AND
        expires_at IS :from_expires_at AND call_sha256 = :from_call_sha256 AND tool_sha256 =
        :from_tool_sha256 AND policy_id = :from_policy_id";
    INVOCATION_FETCH = concat!("SELECT ", columns!(), " FROM action_invocations
        WHERE organization_id = $1 AND id = $2");
    INVOCATION_FETCH_BY_RUN = concat!("SELECT ", columns!(), " FROM action_invocations WHERE run_id = $1");
    INVOCATION_SEALED = "SELECT id, sealed_params FROM action_invocations
        WHERE organization_id = $1 AND id = $2";
    INVOCATION_LIST_SESSION = concat!("SELECT ", columns!(), " FROM action_invocations
        WHERE organization_id = $1 AND session_id = $2 ORDER BY id DESC LIMIT $3 OFFSET $4");
    INVOCATION_LIST_SESSION_OF_STATUS = concat!("SELECT ", columns!(), " FROM action_invocations
        WHERE organization_id = $1 AND session_id = $2 AND status = $5 ORDER BY id DESC LIMIT $3 OFFSET $4");
    INVOCATION_LIST_GRANT = concat!("SELECT ", columns!(), " FROM action_invocations
        WHERE organization_id = $1 AND grant_id = $2 AND id < $3 AND ",
        seen_session!("action_invocations.organization_id", "action_invocations.session_id", "$5"),
        " ORDER BY id DESC LIMIT $4");
    /// The newest since a moment: what a grant would have met.
    INVOCATION_LIST_SINCE = concat!("SELECT ", columns!(), " FROM action_invocations
        WHERE organization_id = $1 AND created_at >= $2 ORDER BY id DESC LIMIT $3");
    INVOCATION_HOLD_STANDING = "SELECT COUNT(*) AS pending,
        (SELECT l.approval_seconds FROM organization_limits l
            WHERE l.organization_id = $1 AND l.level = 'operator') AS operator_seconds,
        (SELECT l.approval_seconds FROM organization_limits l
            WHERE l.organization_id = $1 AND l.level = 'organization') AS organization_seconds
        FROM action_invocations
        WHERE organization_id = $1 AND session_id = $2 AND status = 'pending' AND expires_at > $3";
    /// Serialises transactions that count pending invocations: the next one sees what this one adds.
    INVOCATION_COUNT_LOCK = "SELECT id FROM sessions WHERE organization_id = $1 AND id = $2",
        pg: " FOR NO KEY UPDATE";
    /// Those that wait for a person, oldest first.
    INVOCATION_PENDING_LIST = concat!("SELECT ", columns!(), " FROM action_invocations
        WHERE organization_id = $1 AND session_id = $2 AND status = 'pending' AND expires_at > $3
        ORDER BY id LIMIT $4");
    INVOCATION_OVERDUE_LIST = concat!("SELECT ", columns!(), " FROM action_invocations
        WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2");
    INVOCATION_INBOX = concat!(inbox!(), " WHERE i.organization_id = $1 AND ",
        seen_session!("i.organization_id", "i.session_id", "$4"), " ORDER BY i.id DESC LIMIT $2 OFFSET $3");
    INVOCATION_INBOX_OF_STATUS = concat!(inbox!(), " WHERE i.organization_id = $1 AND i.status = $5 AND ",
        seen_session!("i.organization_id", "i.session_id", "$4"), " ORDER BY i.id DESC LIMIT $2 OFFSET $3");
    INVOCATION_COUNT = concat!("SELECT COUNT(*) AS n FROM action_invocations i WHERE i.organization_id = $1 AND ",
        seen_session!("i.organization_id", "i.session_id", "$2"));
    INVOCATION_COUNT_OF_STATUS = concat!("SELECT COUNT(*) AS n FROM action_invocations i
        WHERE i.organization_id = $1 AND i.status = $3 AND ",
        seen_session!("i.organization_id", "i.session_id", "$2"));
}

/// An invocation as an organization's list has it.
#[derive(Debug, Clone, PartialEq)]
pub struct InboxItem {
    pub record: InvocationRecord,
    pub session_title: Option<String>,
}

pub async fn invocation_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: InvocationId,
) -> Result<Option<InvocationRecord>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("action_invocations", &INVOCATION_FETCH, values)
        .await?;
    row.map(|row| record(&row)).transpose()
}

pub async fn invocation_fetch_by_run(
    conn: &mut Conn,
    run_id: RunId,
) -> Result<Option<InvocationRecord>> {
    let row = conn
        .fetch_optional(
            "action_invocations",
            &INVOCATION_FETCH_BY_RUN,
            values![run_id],
        )
        .await?;
    row.map(|row| record(&row)).transpose()
}

/// Returns the parameters as they run. `None` once the invocation has ended.
pub async fn invocation_sealed_params(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: InvocationId,
) -> Result<Option<String>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("action_invocations", &INVOCATION_SEALED, values)
        .await?;
    row.map_or(Ok(None), |row| row.text_opt("sealed_params"))
}

/// Of a session, newest first, of one status if one is given.
pub async fn invocation_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    status: Option<InvocationStatus>,
    limit: u32,
    offset: u32,
) -> Result<Vec<InvocationRecord>> {
    let (limit, offset) = (i64::from(limit), i64::from(offset));
    let mut values = values![organization_id, session_id, limit, offset];
    let statement = match status {
        None => &INVOCATION_LIST_SESSION,
        Some(status) => {
            values.push(status.as_str().into());
            &INVOCATION_LIST_SESSION_OF_STATUS
        }
    };
    let rows = conn
        .fetch_all("action_invocations", statement, values)
        .await?;
    rows.iter().map(record).collect()
}

/// Those that ran under a grant, in sessions that the viewer sees, newest first.
pub async fn invocation_page_of_grant(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    viewer: SessionViewer<'_>,
    grant_id: GrantId,
    page: PageRequest<InvocationId>,
) -> Result<Page<InvocationRecord, InvocationId>> {
    let before = page.before.unwrap_or(last());
    let (limit, member) = (page.fetch_limit(), viewer.member());
    let values = values![organization_id, grant_id, before, limit, member];
    let rows = conn
        .fetch_all("action_invocations", &INVOCATION_LIST_GRANT, values)
        .await?;
    let records = rows.iter().map(record).collect::<Result<_>>()?;
    Ok(page.page(records, |record: &InvocationRecord| record.invocation.id))
}

/// The newest since a moment, oldest first.
pub async fn invocation_list_since(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    since: Timestamp,
    limit: u32,
) -> Result<Vec<InvocationRecord>> {
    let values = values![organization_id, since, i64::from(limit)];
    let rows = conn
        .fetch_all("action_invocations", &INVOCATION_LIST_SINCE, values)
        .await?;
    rows.iter().rev().map(record).collect()
}

/// Those of a session that wait for a person, oldest first.
pub async fn invocation_pending_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<InvocationRecord>> {
    let values = values![organization_id, session_id, now, i64::from(limit)];
    let rows = conn
        .fetch_all("action_invocations", &INVOCATION_PENDING_LIST, values)
        .await?;
    rows.iter().map(record).collect()
}

/// Returns invocations of any organization that were not decided or claimed in time, longest overdue first.
pub async fn invocation_overdue_list(
    conn: &mut Conn,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Invocation>> {
    let values = values![now, i64::from(limit)];
    let rows = conn
        .fetch_all("action_invocations", &INVOCATION_OVERDUE_LIST, values)
        .await?;
    rows.iter().map(invocation).collect()
}

/// Of the sessions of an organization that the viewer sees, newest first, of one status if one is given.
pub async fn invocation_inbox(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    viewer: SessionViewer<'_>,
    status: Option<InvocationStatus>,
    limit: u32,
    offset: u32,
) -> Result<Vec<InboxItem>> {
    let (limit, offset) = (i64::from(limit), i64::from(offset));
    let mut values = values![organization_id, limit, offset, viewer.member()];
    let statement = match status {
        None => &INVOCATION_INBOX,
        Some(status) => {
            values.push(status.as_str().into());
            &INVOCATION_INBOX_OF_STATUS
        }
    };
    let rows = conn
        .fetch_all("action_invocations", statement, values)
        .await?;
    let item = |row| {
        Ok(InboxItem {
            record: record(row)?,
            session_title: row.text_opt("session_title")?,
        })
    };
    rows.iter().map(item).collect()
}

pub async fn invocation_count(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    viewer: SessionViewer<'_>,
    status: Option<InvocationStatus>,
) -> Result<i64> {
    let mut values = values![organization_id, viewer.member()];
    let statement = match status {
        None => &INVOCATION_COUNT,
        Some(status) => {
            values.push(status.as_str().into());
            &INVOCATION_COUNT_OF_STATUS
        }
    };
    conn.count("action_invocations", statement, values).await
}

pub async fn invocation_insert_all(tx: &mut Tx, new: &[NewInvocation]) -> Result<()> {
    if new.is_empty() {
        return Ok(());
    }
    let rows = Rows(new.iter().map(written).collect());
    tx.execute(&INVOCATION_INSERT_ALL, values![rows]).await?;
    Ok(())
}

/// What decides whether one more invocation of a session may wait, and how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HoldStanding {
    pub pending: u32,
    /// Of the organization; only the times of approvals.
    pub limits: OrganizationLimits,
}

/// Counts the pending invocations of a session. Another transaction that counts waits for the end of this one, so that
/// two do not both add the last one.
pub async fn invocation_hold_standing(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
    now: Timestamp,
) -> Result<HoldStanding> {
    let session = values![organization_id, session_id];
    tx.fetch_optional("sessions", &INVOCATION_COUNT_LOCK, session)
        .await?;
    let values = values![organization_id, session_id, now];
    let row = tx
        .fetch_optional("action_invocations", &INVOCATION_HOLD_STANDING, values)
        .await?;
    let Some(row) = row else {
        return Ok(HoldStanding::default());
    };
    let level = |column| {
        Result::Ok(LimitSettings {
            approval_seconds: row.int_opt(column)?,
            ..LimitSettings::default()
        })
    };
    Ok(HoldStanding {
        pending: row.small("pending")?,
        limits: OrganizationLimits {
            operator: level("operator_seconds")?,
            organization: level("organization_seconds")?,
        },
    })
}

/// Moves invocations and returns those it moved: one that is no longer in the state that was read stays as it is.
pub async fn invocation_move_all(
    tx: &mut Tx,
    moves: &[InvocationMove],
) -> Result<Vec<InvocationId>> {
    if moves.is_empty() {
        return Ok(Vec::new());
    }
    let rows = Rows(moves.iter().map(moved).collect());
    let ids = moves.iter().map(|one| one.after.id);
    tx.execute_each("action_invocations", &INVOCATION_MOVE_ALL, rows, ids)
        .await
}

fn last() -> InvocationId {
    InvocationId::from_uuid(uuid::Uuid::max())
}
