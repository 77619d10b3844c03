//! What a list of sessions shows of each besides the session itself: looked up for the whole page at once.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
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
    /// Of sessions that can be answered, what was told of forms since somebody last said something. Read from the
    /// end of the log: as many events as there are since then.
    SESSION_FORM_EVENTS = "SELECT given.id, e.kind, e.payload FROM ", rows(id: UUID)
        "JOIN sessions s ON s.organization_id = $2 AND s.id = given.id AND s.status <> 'stopped'
        JOIN session_events e ON e.session_id = given.id AND e.kind IN ('tool_start', 'tool_end')
        AND e.payload LIKE '%\"tool\":\"request_env_variables\"%'
        AND e.seq > COALESCE((SELECT m.seq FROM session_events m WHERE m.session_id = given.id
            AND m.kind = 'message' AND m.payload LIKE '%\"role\":\"user\"%' ORDER BY m.seq DESC LIMIT 1), 0)
        ORDER BY e.seq";
}

/// Something that was told of a form for people: that an agent asks with it, or that it asks nobody after all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormEvent {
    pub session_id: SessionId,
    pub kind: String,
    /// JSON, as it was told.
    pub payload: String,
}

/// A session at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionGlance {
    /// Actions that wait for a person.
    pub waiting: i64,
    pub cost_micro_usd: i64,
}

impl Conn {
    /// Of each of the sessions, in their order.
    pub async fn session_glances(
        &mut self,
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
        let rows = self.fetch_all("sessions", &SESSION_WAITING, waiting);
        for row in rows.await? {
            if let Some(at) = place(row.id("id")?) {
                glances[at].waiting = row.int("n")?;
            }
        }
        let cost = values![given(), organization_id];
        let rows = self.fetch_all("sessions", &SESSION_COST, cost);
        for row in rows.await? {
            if let Some(at) = place(row.id("id")?) {
                glances[at].cost_micro_usd = row.int("n")?;
            }
        }
        Ok(glances)
    }

    /// What was told of forms that nobody has answered, of all of the sessions; those of one in their order.
    pub async fn session_form_events(
        &mut self,
        organization_id: &OrganizationId,
        ids: &[SessionId],
    ) -> Result<Vec<FormEvent>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let given = Rows(ids.iter().map(|id| values![*id]).collect());
        let values = values![given, organization_id];
        let rows = self.fetch_all("session_events", &SESSION_FORM_EVENTS, values);
        let event = |row: &crate::row::Row| {
            Ok(FormEvent {
                session_id: row.id("id")?,
                kind: row.text("kind")?,
                payload: row.text("payload")?,
            })
        };
        rows.await?.iter().map(event).collect()
    }
}
