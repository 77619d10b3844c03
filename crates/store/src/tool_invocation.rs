//! Tools that an agent calls from its sandbox, as rows beside their runs.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, RunId, SessionId},
    page::{Page, PageRequest},
};
use serde_json::Value;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

/// A call that begins.
#[derive(Debug, Clone, PartialEq)]
pub struct NewToolInvocation {
    pub id: RunId,
    pub organization_id: OrganizationId,
    pub session_id: SessionId,
    pub tool_call_id: String,
    pub tool_name: String,
    pub params: Value,
    pub created_at: Timestamp,
}

/// A recorded call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolInvocation {
    pub id: RunId,
    pub tool_call_id: String,
    pub tool_name: String,
    pub params: Value,
    pub state: ToolInvocationState,
    pub created_at: Timestamp,
}

/// The state of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolInvocationState {
    Executing,
    Completed { result: Value, at: Timestamp },
    Failed { error: String, at: Timestamp },
}

/// The end of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolInvocationEnd {
    pub id: RunId,
    /// The result for the agent, or why the call failed.
    pub outcome: std::result::Result<Value, String>,
    pub at: Timestamp,
}

statements! {
    TOOL_INVOCATION_INSERT = "INSERT INTO session_tool_invocations
        (id, organization_id, session_id, tool_call_id, tool_name, params, status, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, 'executing', $7)";
    TOOL_INVOCATION_END = "UPDATE session_tool_invocations
        SET status = $2, result = $3, error = $4, completed_at = $5
        WHERE id = $1 AND status = 'executing'";
    /// Serialises transactions that count: the next one sees what this one adds.
    TOOL_INVOCATION_LOCK = "SELECT id FROM sessions WHERE organization_id = $1 AND id = $2",
        pg: " FOR NO KEY UPDATE";
    TOOL_INVOCATION_COUNT = "SELECT COUNT(*) AS n FROM session_tool_invocations
        WHERE session_id = $1 AND tool_name = $2 AND created_at > $3";
    TOOL_INVOCATION_LIST = "SELECT id, tool_call_id, tool_name, params, status, result, error, created_at,
        completed_at FROM session_tool_invocations
        WHERE organization_id = $1 AND session_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4";
}

/// Those of a session, newest first.
pub async fn tool_invocation_page(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    page: PageRequest<RunId>,
) -> Result<Page<ToolInvocation, RunId>> {
    let before = page.before.unwrap_or(RunId::from_uuid(uuid::Uuid::max()));
    let values = values![organization_id, session_id, before, page.fetch_limit()];
    let rows = conn
        .fetch_all("session_tool_invocations", &TOOL_INVOCATION_LIST, values)
        .await?;
    let found = rows.iter().map(tool_invocation).collect::<Result<_>>()?;
    Ok(page.page(found, |found: &ToolInvocation| found.id))
}

pub async fn tool_invocation_insert(tx: &mut Tx, new: &NewToolInvocation) -> Result<()> {
    let values = values![
        new.id,
        &new.organization_id,
        new.session_id,
        &new.tool_call_id,
        &new.tool_name,
        new.params.clone(),
        new.created_at,
    ];
    tx.execute(&TOOL_INVOCATION_INSERT, values).await?;
    Ok(())
}

/// Ends a call that has not ended. Does nothing for a run that is no call of a sandbox.
pub async fn tool_invocation_end(tx: &mut Tx, end: &ToolInvocationEnd) -> Result<()> {
    let (status, result, error) = match &end.outcome {
        Ok(result) => ("completed", Some(result.clone()), None),
        Err(error) => ("failed", None, Some(error)),
    };
    let values = values![end.id, status, result, error, end.at];
    tx.execute(&TOOL_INVOCATION_END, values).await?;
    Ok(())
}

/// Counts how often a session has called a tool since then. Another transaction that counts waits for the end of this
/// one, so that two do not both make the last call.
pub async fn tool_invocation_count(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    session_id: SessionId,
    tool_name: &str,
    since: Timestamp,
) -> Result<i64> {
    let session = values![organization_id, session_id];
    tx.fetch_optional("sessions", &TOOL_INVOCATION_LOCK, session)
        .await?;
    let values = values![session_id, tool_name, since];
    tx.count("session_tool_invocations", &TOOL_INVOCATION_COUNT, values)
        .await
}

fn tool_invocation(row: &Row) -> Result<ToolInvocation> {
    let ended = || row.time("completed_at");
    let state = match row.text("status")?.as_str() {
        "completed" => ToolInvocationState::Completed {
            result: row.json("result")?,
            at: ended()?,
        },
        "failed" => ToolInvocationState::Failed {
            error: row.text("error")?,
            at: ended()?,
        },
        _ => ToolInvocationState::Executing,
    };
    Ok(ToolInvocation {
        id: row.id("id")?,
        tool_call_id: row.text("tool_call_id")?,
        tool_name: row.text("tool_name")?,
        params: row.json("params")?,
        state,
        created_at: row.time("created_at")?,
    })
}
