//! How much: the quotas of a session, counted in the transaction that decides. The capacity of this process
//! (`running.rs`) is reserved before, and the rate of a session's actions is limited by their entry.

use std::collections::HashMap;

use domain::{
    clock::Timestamp,
    id::SessionId,
    limits::CALLBACK_QUOTA_WINDOW,
    policy::Operation,
    run::{RunError, RunErrorCode},
};
use store::Tx;

use super::call::MediatedCall;
use crate::error::{Error, Result};

/// The reason of a call that is denied because its session has made too many.
pub const QUOTA_EXCEEDED: &str = "quota_exceeded";
/// The reason of a call that its target does not accept.
const NOT_TAKEN: &str = "not_taken";

/// What the calls of this batch add to their sessions: no table counts it yet.
#[derive(Debug, Default)]
pub(super) struct BatchCounts {
    /// Actions that are held for approval.
    pub(super) held: HashMap<SessionId, u32>,
    session_tools: HashMap<(SessionId, Operation), u32>,
}

/// Checks the quota of a call of a sandbox that its lane allows. Returns the reason and the error of a denial.
pub(super) async fn check_session_quota(
    tx: &mut Tx,
    call: &MediatedCall,
    now: Timestamp,
    counts: &mut BatchCounts,
) -> Result<Option<(&'static str, RunError)>> {
    let Some(tool) = call.kind.session_tool() else {
        return Ok(None);
    };
    let session_id = call.session_id.ok_or(Error::NotFound("session"))?;
    let denied = |reason, message: &str| {
        let error = RunError::new(RunErrorCode::PolicyDenied, message, false);
        Ok(Some((reason, error)))
    };
    if let Some(why) = tool.rejection {
        return denied(NOT_TAKEN, why);
    }
    let (organization_id, operation) = (&call.caller.organization_id, &call.request.operation);
    let since = now.minus(CALLBACK_QUOTA_WINDOW);
    let stored =
        store::tool_invocation_count(tx, organization_id, session_id, operation.as_str(), since)
            .await?;
    let stored = u32::try_from(stored).unwrap_or(u32::MAX);
    let in_batch = (session_id, operation.clone());
    let in_batch = counts.session_tools.entry(in_batch).or_default();
    if stored.saturating_add(*in_batch) < tool.quota {
        *in_batch += 1;
        return Ok(None);
    }
    let message = format!(
        "{operation} may be called {} times an hour in a session; go on without it for now",
        tool.quota
    );
    denied(QUOTA_EXCEEDED, &message)
}
