//! The sandbox that a session is about to move to.
//!
//! INVARIANT: no other sandbox of the session has its number, also if it is given up; its token is valid only while the
//! instance that creates it owns the session. One statement moves the session from one sandbox to the other.

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

/// Returns the sandbox of a move that was begun; no other row names it.
pub async fn session_successor_sandbox(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: SessionId,
) -> Result<Option<String>> {
    let values = values![organization_id, id];
    let row = conn.fetch_optional("sessions", &SESSION_SUCCESSOR_SANDBOX, values);
    match row.await? {
        Some(row) => row.text_opt("successor_sandbox"),
        None => Ok(None),
    }
}

/// Returns the number of the sandbox that the session's owner is creating for a move, if any.
pub async fn session_successor_fetch(
    conn: &mut Conn,
    id: SessionId,
) -> Result<Option<Incarnation>> {
    let row = conn.fetch_optional("sessions", &SESSION_SUCCESSOR_COMING, values![id]);
    match row.await? {
        Some(row) => Ok(row.int_opt("successor_incarnation")?.map(Incarnation)),
        None => Ok(None),
    }
}

/// Gives the sandbox a number that the session is about to move to. `None` if the session has another owner, or
/// does not run.
pub async fn session_successor_begin(
    tx: &mut Tx,
    session: &Session,
) -> Result<Option<Incarnation>> {
    let values = values![&session.organization_id, session.id, session.owner_epoch];
    let row = tx.fetch_optional("sessions", &SESSION_SUCCESSOR_BEGIN, values);
    let Some(row) = row.await? else {
        return Ok(None);
    };
    Ok(Some(Incarnation(row.int("successor_incarnation")?)))
}

/// Records the created sandbox, so that the session's next owner can remove it. `false` if this owner did not begin it.
pub async fn session_successor_set_sandbox(
    tx: &mut Tx,
    session: &Session,
    incarnation: Incarnation,
    sandbox: &str,
) -> Result<bool> {
    let (organization_id, epoch) = (&session.organization_id, session.owner_epoch);
    let values = values![organization_id, session.id, epoch, incarnation, sandbox];
    Ok(tx.execute(&SESSION_SUCCESSOR_MADE, values).await? == 1)
}

/// Ends the move. The sandbox's number stays used.
pub async fn session_successor_end(tx: &mut Tx, session: &Session) -> Result<()> {
    let values = values![&session.organization_id, session.id, session.owner_epoch];
    tx.execute(&SESSION_SUCCESSOR_END, values).await?;
    Ok(())
}

/// Moves the session to the new sandbox and invalidates the tokens of the old one. `false` if the session has another
/// owner, is no longer in `old`, or does not run.
pub async fn session_cut_over(
    tx: &mut Tx,
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
    Ok(tx.execute(&SESSION_CUT_OVER, values).await? == 1)
}
