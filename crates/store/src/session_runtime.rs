//! What the owner of a session writes down of its sandbox and agent.
//!
//! INVARIANT: every write carries the owner's epoch. One of an older owner changes nothing.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    session::Session,
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    statement::statements,
    value::values,
};

/// Where a session's agent is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionRuntime {
    /// What its provider finds the sandbox by.
    pub sandbox: Option<String>,
    pub provider: Option<String>,
    /// The agent's own name of the session.
    pub agent_session_id: Option<String>,
}

statements! {
    SESSION_RUNTIME_FETCH = "SELECT sandbox_id, sandbox_provider, coding_agent_session_id FROM sessions
        WHERE organization_id = $1 AND id = $2";
    SESSION_RUNTIME_SET = "UPDATE sessions SET sandbox_id = $4, sandbox_provider = $5,
        coding_agent_session_id = $6, updated_at = $7
        WHERE organization_id = $1 AND id = $2 AND owner_epoch = $3";
    SESSION_INCARNATE = "UPDATE sessions SET incarnation = incarnation + 1, updated_at = $4
        WHERE organization_id = $1 AND id = $2 AND owner_epoch = $3";
}

impl Conn {
    pub async fn session_runtime_fetch(
        &mut self,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> Result<Option<SessionRuntime>> {
        let values = values![organization_id, id];
        let row = self.fetch_optional("sessions", &SESSION_RUNTIME_FETCH, values);
        let Some(row) = row.await? else {
            return Ok(None);
        };
        Ok(Some(SessionRuntime {
            sandbox: row.text_opt("sandbox_id")?,
            provider: row.text_opt("sandbox_provider")?,
            agent_session_id: row.text_opt("coding_agent_session_id")?,
        }))
    }
}

impl Tx {
    /// `false` if the session has another owner.
    pub async fn session_runtime_set(
        &mut self,
        session: &Session,
        runtime: &SessionRuntime,
        now: Timestamp,
    ) -> Result<bool> {
        let values = values![
            &session.organization_id,
            session.id,
            session.owner_epoch,
            runtime.sandbox.as_ref(),
            runtime.provider.as_ref(),
            runtime.agent_session_id.as_ref(),
            now,
        ];
        Ok(self.execute(&SESSION_RUNTIME_SET, values).await? == 1)
    }

    /// Begins another boot: tokens of the one before are dead. `None` if the session has another owner.
    pub async fn session_incarnate(
        &mut self,
        session: &Session,
        now: Timestamp,
    ) -> Result<Option<Session>> {
        let (organization_id, id) = (&session.organization_id, session.id);
        let values = values![organization_id, id, session.owner_epoch, now];
        if self.execute(&SESSION_INCARNATE, values).await? == 0 {
            return Ok(None);
        }
        self.session_fetch(organization_id, id).await
    }
}
