//! Which members of its organization see a session: its visibility, and the members who are named for it.
//!
//! INVARIANT: every list that shows something of sessions has [`seen_session`] in its statement, with the viewer's id or
//! NULL for a viewer who sees all. It leaves out what [`domain::sharing::may`] does not let the viewer see; a test of
//! `app` compares the two.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId, UserId},
    sharing::{NamedMember, NamedRight, Visibility},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

/// Whether the member (an argument of the statement; NULL sees all) sees the session that two columns name. True where
/// there is no session.
macro_rules! seen_session {
    ($organization:literal, $session:literal, $member:literal) => {
        concat!(
            "(NOT EXISTS (SELECT 1 FROM sessions v WHERE v.organization_id = ",
            $organization,
            " AND v.id = ",
            $session,
            " AND v.visibility <> 'organization' AND v.created_by IS DISTINCT FROM ",
            $member,
            " AND NOT (v.visibility = 'people' AND EXISTS (SELECT 1 FROM session_people p
            WHERE p.organization_id = v.organization_id AND p.session_id = v.id AND p.user_id = ",
            $member,
            "))) OR ",
            $member,
            " IS NULL)"
        )
    };
}

pub(crate) use seen_session;

const TABLE: &str = "session_people";

statements! {
    SESSION_PERSON_FETCH = "SELECT user_id, may FROM session_people
        WHERE organization_id = $1 AND session_id = $2 AND user_id = $3";
    SESSION_PERSON_LIST = "SELECT user_id, may FROM session_people
        WHERE organization_id = $1 AND session_id = $2 ORDER BY user_id";
    SESSION_PERSON_INSERT = "INSERT INTO session_people (organization_id, session_id, user_id, may, created_at)
        VALUES ($1, $2, $3, $4, $5)";
    SESSION_PERSON_REMOVE_ALL = "DELETE FROM session_people WHERE organization_id = $1 AND session_id = $2";
    SESSION_SET_VISIBILITY = "UPDATE sessions SET visibility = $3, updated_at = $4
        WHERE organization_id = $1 AND id = $2";
    SESSION_VISIBILITY_FETCH = "SELECT visibility FROM sessions WHERE organization_id = $1 AND id = $2";
}

/// Returns what the member is named for, if they are.
pub async fn session_person_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    user_id: &UserId,
) -> Result<Option<NamedRight>> {
    let values = values![organization_id, session_id, user_id];
    let row = conn.fetch_optional(TABLE, &SESSION_PERSON_FETCH, values);
    row.await?.map(|row| row.parsed("may")).transpose()
}

pub async fn session_person_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Vec<NamedMember>> {
    let values = values![organization_id, session_id];
    let rows = conn.fetch_all(TABLE, &SESSION_PERSON_LIST, values).await?;
    let named = |row: &Row| {
        Ok(NamedMember {
            user_id: row.parsed("user_id")?,
            right: row.parsed("may")?,
        })
    };
    rows.iter().map(named).collect()
}

/// The member must be one of the organization: the table refuses another user.
pub async fn session_person_insert(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
    named: &NamedMember,
    now: Timestamp,
) -> Result<()> {
    let values = values![
        organization_id,
        session_id,
        &named.user_id,
        named.right.as_str(),
        now,
    ];
    tx.execute(&SESSION_PERSON_INSERT, values).await?;
    Ok(())
}

pub async fn session_person_remove_all(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<()> {
    let values = values![organization_id, session_id];
    tx.execute(&SESSION_PERSON_REMOVE_ALL, values).await?;
    Ok(())
}

/// `false` if there is no such session.
pub async fn session_set_visibility(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: SessionId,
    visibility: Visibility,
    now: Timestamp,
) -> Result<bool> {
    let values = values![organization_id, id, visibility.as_str(), now];
    Ok(tx.execute(&SESSION_SET_VISIBILITY, values).await? == 1)
}

pub async fn session_visibility_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: SessionId,
) -> Result<Option<Visibility>> {
    let values = values![organization_id, id];
    let row = conn.fetch_optional("sessions", &SESSION_VISIBILITY_FETCH, values);
    row.await?.map(|row| row.parsed("visibility")).transpose()
}
