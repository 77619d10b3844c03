//! The facts that the decision on a batch of calls needs: one statement for each kind of fact, for all calls of the
//! batch. A statement returns the rows for which the fact holds; a missing row means that it does not.

use domain::{
    id::{ArtifactId, OrganizationId, SessionId},
    policy::CaseId,
    sharing::SessionViewer,
};

use crate::{
    conn::Conn,
    error::Result,
    row::Row,
    statement::statements,
    value::{Rows, Value, values},
};

statements! {
    FACT_CASE_MEMBER = "SELECT given.row_number FROM ",
        rows(organization_id: TEXT, case_id: TEXT, member: TEXT)
        "JOIN case_members m ON m.organization_id = given.organization_id
        AND m.case_id = given.case_id AND m.member = given.member";
    FACT_CLIENT_SESSION = "SELECT given.row_number FROM ",
        rows(organization_id: TEXT, case_id: TEXT, id: TEXT)
        "JOIN case_client_sessions s ON s.organization_id = given.organization_id
        AND s.id = given.id AND s.case_id = given.case_id";
    FACT_SESSION = "SELECT given.row_number FROM ",
        rows(organization_id: TEXT, id: UUID, user_id: TEXT)
        "JOIN sessions s ON s.organization_id = given.organization_id AND s.id = given.id
        AND (s.visibility = 'organization' OR s.created_by = given.user_id OR given.user_id IS NULL
            OR (s.visibility = 'people' AND EXISTS (SELECT 1 FROM session_people p
                WHERE p.session_id = s.id AND p.user_id = given.user_id)))";
    FACT_ARTIFACT = "SELECT given.row_number, a.case_id, a.session_id, a.kind, a.media_type, a.sha256,
        a.byte_size FROM ",
        rows(organization_id: TEXT, id: UUID)
        "JOIN artifacts a ON a.organization_id = given.organization_id AND a.id = given.id";
}

/// What an input of a call is.
#[derive(Debug, Clone)]
pub struct InputFact {
    pub case_id: Option<String>,
    pub session_id: Option<SessionId>,
    pub kind: String,
    pub media_type: String,
    pub sha256: String,
    pub byte_size: i64,
}

/// For each of (organization, case, member): whether the member is one.
pub async fn fact_case_members(
    conn: &mut Conn,
    asked: &[(&OrganizationId, &CaseId, String)],
) -> Result<Vec<bool>> {
    let row = |(organization_id, case_id, member): &(&OrganizationId, &CaseId, String)| {
        values![*organization_id, case_id.as_str(), member]
    };
    let rows = asked.iter().map(row).collect();
    holds(conn, "case_members", &FACT_CASE_MEMBER, rows).await
}

/// For each of (organization, case, meeting): whether the meeting is of that case.
pub async fn fact_client_sessions(
    conn: &mut Conn,
    asked: &[(&OrganizationId, &CaseId, &str)],
) -> Result<Vec<bool>> {
    let row = |(organization_id, case_id, id): &(&OrganizationId, &CaseId, &str)| {
        values![*organization_id, case_id.as_str(), *id]
    };
    let rows = asked.iter().map(row).collect();
    holds(conn, "case_client_sessions", &FACT_CLIENT_SESSION, rows).await
}

/// For each of (organization, session, viewer): whether the session is the organization's, and the viewer sees it.
pub async fn fact_sessions(
    conn: &mut Conn,
    asked: &[(&OrganizationId, SessionId, SessionViewer<'_>)],
) -> Result<Vec<bool>> {
    let row = |(organization_id, id, viewer): &(&OrganizationId, SessionId, SessionViewer<'_>)| {
        values![*organization_id, *id, viewer.member()]
    };
    let rows = asked.iter().map(row).collect();
    holds(conn, "sessions", &FACT_SESSION, rows).await
}

/// For each of (organization, artifact): what it is, if it is there.
pub async fn fact_artifacts(
    conn: &mut Conn,
    asked: &[(&OrganizationId, ArtifactId)],
) -> Result<Vec<Option<InputFact>>> {
    let mut found = vec![None; asked.len()];
    if asked.is_empty() {
        return Ok(found);
    }
    let row =
        |(organization_id, id): &(&OrganizationId, ArtifactId)| values![*organization_id, *id];
    let given = Rows(asked.iter().map(row).collect());
    let rows = conn
        .fetch_all("artifacts", &FACT_ARTIFACT, values![given])
        .await?;
    for row in &rows {
        if let Some(place) = found.get_mut(row_number(row)?) {
            *place = Some(InputFact {
                case_id: row.text_opt("case_id")?,
                session_id: row.id_opt("session_id")?,
                kind: row.text("kind")?,
                media_type: row.text("media_type")?,
                sha256: row.text("sha256")?,
                byte_size: row.int("byte_size")?,
            });
        }
    }
    Ok(found)
}

/// Which of the given rows the statement returns.
async fn holds(
    conn: &mut Conn,
    table: &'static str,
    statement: &'static crate::statement::Statement,
    rows: Vec<Vec<Value>>,
) -> Result<Vec<bool>> {
    let mut holds = vec![false; rows.len()];
    if rows.is_empty() {
        return Ok(holds);
    }
    let given = Rows(rows);
    for row in &conn.fetch_all(table, statement, values![given]).await? {
        if let Some(place) = holds.get_mut(row_number(row)?) {
            *place = true;
        }
    }
    Ok(holds)
}

pub(crate) fn row_number(row: &Row) -> Result<usize> {
    usize::try_from(row.int("row_number")?)
        .map_err(|_| row.inconsistent("row_number", "is not a number of a row"))
}
