//! Cases, their members, and their meetings.

use domain::{
    case::{Case, CaseCursor, CaseMember, ClientSession},
    clock::Timestamp,
    id::OrganizationId,
    page::{Page, PageRequest},
    policy::{CaseId, ClientSessionId},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

statements! {
    CASE_INSERT = "INSERT INTO cases (organization_id, id, title, created_at) VALUES ($1, $2, $3, $4)";
    CASE_FETCH = "SELECT organization_id, id, title, created_at FROM cases
        WHERE organization_id = $1 AND id = $2";
    CASE_FETCH_FOR = "SELECT c.organization_id, c.id, c.title, c.created_at FROM cases c
        JOIN case_members m ON m.organization_id = c.organization_id AND m.case_id = c.id
        WHERE c.organization_id = $1 AND c.id = $2 AND m.member = $3";
    CASE_LIST_FOR = "SELECT c.organization_id, c.id, c.title, c.created_at FROM case_members m
        JOIN cases c ON c.organization_id = m.organization_id AND c.id = m.case_id
        WHERE m.organization_id = $1 AND m.member = $2
        AND (c.created_at < $3 OR (c.created_at = $3 AND c.id < $4) OR $3 IS NULL)
        ORDER BY c.created_at DESC, c.id DESC LIMIT $5";
    /// Serialises transactions that count what the case has; inserts that do not count are not blocked.
    CASE_LOCK = "SELECT id FROM cases WHERE organization_id = $1 AND id = $2", pg: " FOR NO KEY UPDATE";
    CASE_MEMBER_INSERT = "INSERT INTO case_members (organization_id, case_id, member, created_at)
        VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    CASE_MEMBER_DELETE = "DELETE FROM case_members
        WHERE organization_id = $1 AND case_id = $2 AND member = $3";
    CASE_MEMBER_LIST = "SELECT member FROM case_members WHERE organization_id = $1 AND case_id = $2
        ORDER BY created_at, member";
    CASE_MEMBER_COUNT = "SELECT COUNT(*) AS n FROM case_members
        WHERE organization_id = $1 AND case_id = $2";
    CASE_CLIENT_SESSION_INSERT = "INSERT INTO case_client_sessions
        (organization_id, case_id, id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    CASE_CLIENT_SESSION_LIST = "SELECT id FROM case_client_sessions
        WHERE organization_id = $1 AND case_id = $2 ORDER BY created_at, id";
    CASE_CLIENT_SESSION_COUNT = "SELECT COUNT(*) AS n FROM case_client_sessions
        WHERE organization_id = $1 AND case_id = $2";
}

/// Returns the case for any caller. [`case_fetch_for`] returns what a caller may see.
pub async fn case_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: &CaseId,
) -> Result<Option<Case>> {
    let values = values![organization_id, id.as_str()];
    let row = conn.fetch_optional("cases", &CASE_FETCH, values).await?;
    row.map(|row| case(&row)).transpose()
}

/// The case, if this is one of its members.
pub async fn case_fetch_for(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: &CaseId,
    member: &CaseMember,
) -> Result<Option<Case>> {
    let values = values![organization_id, id.as_str(), member.to_string()];
    let row = conn
        .fetch_optional("cases", &CASE_FETCH_FOR, values)
        .await?;
    row.map(|row| case(&row)).transpose()
}

/// The cases this is a member of, newest first.
pub async fn case_list_for(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    member: &CaseMember,
    page: PageRequest<CaseCursor>,
) -> Result<Page<Case, CaseCursor>> {
    let before = page.before.as_ref();
    let values = values![
        organization_id,
        member.to_string(),
        before.map(|cursor| cursor.created_at),
        before.map(|cursor| cursor.id.as_str()),
        page.fetch_limit(),
    ];
    let rows = conn.fetch_all("cases", &CASE_LIST_FOR, values).await?;
    let cases = rows.iter().map(case).collect::<Result<_>>()?;
    Ok(page.page(cases, Case::cursor))
}

pub async fn case_member_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: &CaseId,
) -> Result<Vec<CaseMember>> {
    let values = values![organization_id, id.as_str()];
    let rows = conn
        .fetch_all("case_members", &CASE_MEMBER_LIST, values)
        .await?;
    rows.iter().map(|row| row.parsed("member")).collect()
}

pub async fn case_client_session_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: &CaseId,
) -> Result<Vec<ClientSessionId>> {
    let values = values![organization_id, id.as_str()];
    let rows = conn
        .fetch_all("case_client_sessions", &CASE_CLIENT_SESSION_LIST, values)
        .await?;
    rows.iter().map(|row| row.parsed("id")).collect()
}

/// `Error::Conflict` if the organization has a case of that id.
pub async fn case_insert(tx: &mut Tx, case: &Case) -> Result<()> {
    let values = values![
        &case.organization_id,
        case.id.as_str(),
        case.title.as_ref(),
        case.created_at,
    ];
    tx.execute(&CASE_INSERT, values).await?;
    Ok(())
}

/// Locks the case against other transactions that count what it has. `false` if it does not exist.
pub async fn case_lock(tx: &mut Tx, organization_id: &OrganizationId, id: &CaseId) -> Result<bool> {
    let values = values![organization_id, id.as_str()];
    let row = tx.fetch_optional("cases", &CASE_LOCK, values).await?;
    Ok(row.is_some())
}

/// Returns whether the member is new.
pub async fn case_member_insert(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: &CaseId,
    member: &CaseMember,
    now: Timestamp,
) -> Result<bool> {
    let values = values![organization_id, id.as_str(), member.to_string(), now];
    Ok(tx.execute(&CASE_MEMBER_INSERT, values).await? == 1)
}

/// Returns whether the member existed.
pub async fn case_member_delete(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: &CaseId,
    member: &CaseMember,
) -> Result<bool> {
    let values = values![organization_id, id.as_str(), member.to_string()];
    Ok(tx.execute(&CASE_MEMBER_DELETE, values).await? == 1)
}

pub async fn case_member_count(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: &CaseId,
) -> Result<i64> {
    let values = values![organization_id, id.as_str()];
    tx.count("case_members", &CASE_MEMBER_COUNT, values).await
}

/// Returns whether the meeting is new.
pub async fn case_client_session_insert(tx: &mut Tx, meeting: &ClientSession) -> Result<bool> {
    let values = values![
        &meeting.organization_id,
        meeting.case_id.as_str(),
        meeting.id.as_str(),
        meeting.created_at,
    ];
    Ok(tx.execute(&CASE_CLIENT_SESSION_INSERT, values).await? == 1)
}

pub async fn case_client_session_count(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: &CaseId,
) -> Result<i64> {
    let values = values![organization_id, id.as_str()];
    tx.count("case_client_sessions", &CASE_CLIENT_SESSION_COUNT, values)
        .await
}

fn case(row: &Row) -> Result<Case> {
    Ok(Case {
        id: row.parsed("id")?,
        organization_id: row.parsed("organization_id")?,
        title: row.text_opt("title")?,
        created_at: row.time("created_at")?,
    })
}
