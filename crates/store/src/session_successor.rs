//! The sandbox that a session is about to move to.
//!
//! INVARIANT: its number is no other sandbox's of the session, whatever becomes of it; its token is good only while the
//! owner that makes it is the session's owner. The session is in one sandbox or in the other, by one statement.

use domain::{
    caller::Incarnation,
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    session::Session,
};

use crate::{
    SessionRuntime,
    conn::{Conn, Tx},
    error::Result,
    statement::statements,
    value::values,
};

statements! {
    SESSION_SUCCESSOR_BEGIN = "UPDATE sessions SET successor_incarnation =
        CASE WHEN successor_incarnation > incarnation THEN successor_incarnation ELSE incarnation END + 1,
        successor_epoch = owner_epoch, successor_sandbox = NULL
        WHERE organization_id = $1 AND id = $2 AND owner_epoch = $3 AND status = 'running'
        RETURNING successor_incarnation";
    SESSION_SUCCESSOR_MADE = "UPDATE sessions SET successor_sandbox = $5
        WHERE organization_id = $1 AND id = $2 AND owner_epoch = $3 AND successor_incarnation = $4
        AND successor_epoch = $3";
    SESSION_SUCCESSOR_END = "UPDATE sessions SET successor_epoch = NULL, successor_sandbox = NULL
        WHERE organization_id = $1 AND id = $2 AND owner_epoch = $3";
    SESSION_SUCCESSOR_SANDBOX = "SELECT successor_sandbox FROM sessions WHERE organization_id = $1 AND id = $2";
    /// Without an organization: for a token that names its session and nothing else.
    SESSION_SUCCESSOR_COMING = "SELECT successor_incarnation FROM sessions
        WHERE id = $1 AND successor_epoch = owner_epoch AND status = 'running'";
    SESSION_CUT_OVER = "UPDATE sessions SET incarnation = successor_incarnation, sandbox_id = $6,
        sandbox_provider = $7, coding_agent_session_id = $8, sandbox_expires_at = $9, successor_epoch = NULL,
        successor_sandbox = NULL, updated_at = $10
        WHERE organization_id = $1 AND id = $2 AND owner_epoch = $3 AND successor_incarnation = $4
        AND successor_epoch = $3 AND sandbox_id = $5 AND status = 'running'";
}

impl Conn {
    /// A sandbox that somebody began to move to, and that is on no other record.
    pub async fn session_successor_sandbox(
        &mut self,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> Result<Option<String>> {
        let values = values![organization_id, id];
        let row = self.fetch_optional("sessions", &SESSION_SUCCESSOR_SANDBOX, values);
        match row.await? {
            Some(row) => row.text_opt("successor_sandbox"),
            None => Ok(None),
        }
    }

    /// The number of the sandbox that the session's owner is making for it, if it does.
    pub async fn session_successor_fetch(&mut self, id: SessionId) -> Result<Option<Incarnation>> {
        let row = self.fetch_optional("sessions", &SESSION_SUCCESSOR_COMING, values![id]);
        match row.await? {
            Some(row) => Ok(row.int_opt("successor_incarnation")?.map(Incarnation)),
            None => Ok(None),
        }
    }
}

impl Tx {
    /// Gives the sandbox a number that the session is about to move to. `None` if the session has another owner, or
    /// does not run.
    pub async fn session_successor_begin(
        &mut self,
        session: &Session,
    ) -> Result<Option<Incarnation>> {
        let values = values![&session.organization_id, session.id, session.owner_epoch];
        let row = self.fetch_optional("sessions", &SESSION_SUCCESSOR_BEGIN, values);
        let Some(row) = row.await? else {
            return Ok(None);
        };
        Ok(Some(Incarnation(row.int("successor_incarnation")?)))
    }

    /// Puts down that it is made, so that whoever owns the session next can remove it. `false` if that is not its maker.
    pub async fn session_successor_made(
        &mut self,
        session: &Session,
        incarnation: Incarnation,
        sandbox: &str,
    ) -> Result<bool> {
        let (organization_id, epoch) = (&session.organization_id, session.owner_epoch);
        let values = values![organization_id, session.id, epoch, incarnation, sandbox];
        Ok(self.execute(&SESSION_SUCCESSOR_MADE, values).await? == 1)
    }

    /// There is none any more. Its number stays taken.
    pub async fn session_successor_end(&mut self, session: &Session) -> Result<()> {
        let values = values![&session.organization_id, session.id, session.owner_epoch];
        self.execute(&SESSION_SUCCESSOR_END, values).await?;
        Ok(())
    }

    /// The session is in the new sandbox from here on, and tokens of the old one are dead. `false` if it has another
    /// owner, is not in `old` any more, or does not run.
    pub async fn session_cut_over(
        &mut self,
        session: &Session,
        incarnation: Incarnation,
        old: &str,
        new: &SessionRuntime,
        now: Timestamp,
    ) -> Result<bool> {
        let values = values![
            &session.organization_id,
            session.id,
            session.owner_epoch,
            incarnation,
            old,
            new.sandbox.as_ref(),
            new.provider.as_ref(),
            new.agent_session_id.as_ref(),
            new.expires_at,
            now,
        ];
        Ok(self.execute(&SESSION_CUT_OVER, values).await? == 1)
    }
}
