//! What the owner of a session records of its sandbox and agent.
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
    session::session_fetch,
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
    /// When the sandbox ends by itself, if it does.
    pub expires_at: Option<Timestamp>,
}

/// How far the prompt that a session was made with is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstPrompt {
    /// It was not sent yet.
    Due,
    /// It is in the session's log; whether the agent has it is not known.
    Recorded,
    Delivered,
}

statements! {
    SESSION_RUNTIME_FETCH = "SELECT sandbox_id, sandbox_provider, coding_agent_session_id, sandbox_expires_at
        FROM sessions
        WHERE organization_id = $1 AND id = $2";
    SESSION_RUNTIME_SET = "UPDATE sessions SET sandbox_id = $4, sandbox_provider = $5,
        coding_agent_session_id = $6, updated_at = $7, sandbox_expires_at = $8
        WHERE organization_id = $1 AND id = $2 AND owner_epoch = $3";
    SESSION_FIRST_PROMPT = "SELECT initial_prompt_sent_at,
        EXISTS (SELECT 1 FROM session_events e WHERE e.session_id = s.id AND e.kind = 'message') AS is_recorded
        FROM sessions s WHERE s.organization_id = $1 AND s.id = $2";
    SESSION_FIRST_PROMPT_DELIVERED = "UPDATE sessions SET initial_prompt_sent_at = $4
        WHERE organization_id = $1 AND id = $2 AND owner_epoch = $3 AND initial_prompt_sent_at IS NULL";
    /// Leaves `updated_at`: no client sees a difference.
    SESSION_RELEASED = "UPDATE sessions SET sandbox_id = NULL, sandbox_expires_at = NULL
        WHERE organization_id = $1 AND id = $2 AND status = 'stopped'";
    /// Never the number of a sandbox that the session was to move to.
    SESSION_INCARNATE = "UPDATE sessions SET incarnation =
        CASE WHEN successor_incarnation > incarnation THEN successor_incarnation ELSE incarnation END + 1,
        successor_epoch = NULL, updated_at = $4
        WHERE organization_id = $1 AND id = $2 AND owner_epoch = $3";
}

pub async fn session_runtime_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: SessionId,
) -> Result<Option<SessionRuntime>> {
    let values = values![organization_id, id];
    let row = conn.fetch_optional("sessions", &SESSION_RUNTIME_FETCH, values);
    let Some(row) = row.await? else {
        return Ok(None);
    };
    Ok(Some(SessionRuntime {
        sandbox: row.text_opt("sandbox_id")?,
        provider: row.text_opt("sandbox_provider")?,
        agent_session_id: row.text_opt("coding_agent_session_id")?,
        expires_at: row.time_opt("sandbox_expires_at")?,
    }))
}

/// `Delivered` for a session that does not exist: nothing is left to do.
pub async fn session_first_prompt(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: SessionId,
) -> Result<FirstPrompt> {
    let values = values![organization_id, id];
    let row = conn.fetch_optional("sessions", &SESSION_FIRST_PROMPT, values);
    let Some(row) = row.await? else {
        return Ok(FirstPrompt::Delivered);
    };
    Ok(match row.time_opt("initial_prompt_sent_at")? {
        Some(_) => FirstPrompt::Delivered,
        None if row.bool("is_recorded")? => FirstPrompt::Recorded,
        None => FirstPrompt::Due,
    })
}

/// Records that the agent has the first prompt. Does nothing if the session has another owner.
pub async fn session_first_prompt_mark_delivered(
    tx: &mut Tx,
    session: &Session,
    now: Timestamp,
) -> Result<()> {
    let (organization_id, epoch) = (&session.organization_id, session.owner_epoch);
    let values = values![organization_id, session.id, epoch, now];
    tx.execute(&SESSION_FIRST_PROMPT_DELIVERED, values).await?;
    Ok(())
}

/// `false` if the session has another owner.
pub async fn session_runtime_set(
    tx: &mut Tx,
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
        runtime.expires_at,
    ];
    Ok(tx.execute(&SESSION_RUNTIME_SET, values).await? == 1)
}

/// Begins another boot, which invalidates the tokens of the previous one. `None` if the session has another owner.
pub async fn session_incarnate(
    tx: &mut Tx,
    session: &Session,
    now: Timestamp,
) -> Result<Option<Session>> {
    let (organization_id, id) = (&session.organization_id, session.id);
    let values = values![organization_id, id, session.owner_epoch, now];
    if tx.execute(&SESSION_INCARNATE, values).await? == 0 {
        return Ok(None);
    }
    session_fetch(tx, organization_id, id).await
}

/// Records that the sandbox of a stopped session was removed.
pub async fn session_clear_sandbox(tx: &mut Tx, session: &Session) -> Result<()> {
    let values = values![&session.organization_id, session.id];
    tx.execute(&SESSION_RELEASED, values).await?;
    Ok(())
}
