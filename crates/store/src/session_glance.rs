//! What a list of sessions shows of each besides the session itself, read for the whole page at once.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    limits::FORM_EVENTS_LOOKED_AT_MAX,
};

use crate::{
    conn::Conn,
    error::Result,
    statement::statements,
    value::{Rows, values},
};

statements! {
    SESSION_WAITING = "SELECT given.id, COUNT(*) AS n FROM ", rows(id: UUID)
        "JOIN action_invocations i ON i.organization_id = $2 AND i.session_id = given.id
        AND i.status = 'pending' AND i.expires_at > $3 GROUP BY given.id";
    SESSION_COST = "SELECT given.id, CAST(SUM(u.cost_micro_usd) AS BIGINT) AS n FROM ", rows(id: UUID)
        "JOIN session_model_usage u ON u.organization_id = $2 AND u.session_id = given.id GROUP BY given.id";
    /// Forms that were shown since the last message of a user, in sessions that take an answer. A tool call that succeeds
    /// shows a form. Each subquery reads a range of the primary key at the end of one log; a join would read the whole
    /// table.
    SESSION_FORMS = "SELECT given.id, (SELECT COUNT(*) FROM session_events e
        WHERE e.session_id = given.id AND e.organization_id = $2
        AND e.seq > (SELECT MAX(l.seq) FROM session_events l WHERE l.session_id = given.id) - $3
        AND e.seq > COALESCE((SELECT MAX(m.seq) FROM session_events m WHERE m.session_id = given.id
            AND m.seq > (SELECT MAX(l.seq) FROM session_events l WHERE l.session_id = given.id) - $3
            AND m.kind = 'message' AND m.payload LIKE '%\"role\":\"user\"%'), 0)
        AND e.kind = 'tool_end' AND e.payload LIKE '%\"tool\":\"request_env_variables\"%'
        AND e.payload NOT LIKE '%\"status\":\"error\"%') AS n FROM ", rows(id: UUID)
        "JOIN sessions s ON s.organization_id = $2 AND s.id = given.id AND s.status <> 'stopped'";
}

/// A session at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionGlance {
    /// Actions that wait for a person.
    pub waiting: i64,
    /// Forms that were not filled in.
    pub forms: i64,
    pub cost_micro_usd: i64,
}

/// Of each of the sessions, in their order.
pub async fn session_glances(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    ids: &[SessionId],
    now: Timestamp,
) -> Result<Vec<SessionGlance>> {
    let mut glances = vec![SessionGlance::default(); ids.len()];
    if ids.is_empty() {
        return Ok(glances);
    }
    let given = || Rows(ids.iter().map(|id| values![*id]).collect());
    let place = |id: SessionId| ids.iter().position(|other| *other == id);
    let waiting = values![given(), organization_id, now];
    let rows = conn.fetch_all("sessions", &SESSION_WAITING, waiting);
    for row in rows.await? {
        if let Some(at) = place(row.id("id")?) {
            glances[at].waiting = row.int("n")?;
        }
    }
    let cost = values![given(), organization_id];
    let rows = conn.fetch_all("sessions", &SESSION_COST, cost);
    for row in rows.await? {
        if let Some(at) = place(row.id("id")?) {
            glances[at].cost_micro_usd = row.int("n")?;
        }
    }
    let forms = values![given(), organization_id, FORM_EVENTS_LOOKED_AT_MAX];
    let rows = conn.fetch_all("sessions", &SESSION_FORMS, forms);
    for row in rows.await? {
        if let Some(at) = place(row.id("id")?) {
            glances[at].forms = row.int("n")?;
        }
    }
    Ok(glances)
}
