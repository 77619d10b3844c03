//! The result of an action as the result of a tool. Failures that a model can react to are results with
//! `isError`, as the protocol defines it for errors of tools; only the others are errors of the protocol.

use domain::action::{DeniedBy, Effect, InvocationState};
use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock},
};
use serde_json::{Value, json};
use store::InvocationRecord;

use super::tools::wait_tool_name;
use crate::error::Failure;

/// The result of an invocation in its current state. `result` is the whole response of the external
/// service.
pub(super) fn outcome(record: &InvocationRecord, result: Option<Value>) -> CallToolResult {
    let invocation = &record.invocation;
    match &invocation.state {
        InvocationState::Completed { .. } => done(result.unwrap_or(Value::Null)),
        InvocationState::Failed { error, effect, .. } => {
            let mut text = error.message.clone();
            if *effect == Effect::Unknown {
                text.push_str(" It is not known whether it took effect; check before you retry.");
            }
            let mut content = vec![ContentBlock::text(text)];
            content.extend(result.map(|result| ContentBlock::text(result.to_string())));
            CallToolResult::error(content)
        }
        InvocationState::Denied { by, reason, .. } => {
            let by = match by {
                DeniedBy::Person(_) => "an admin denied this call".to_owned(),
                DeniedBy::Platform(why) => format!("the platform denied this call ({why})"),
            };
            refused(match reason {
                Some(reason) => format!("{by}: {reason}"),
                None => by,
            })
        }
        InvocationState::Expired { .. } => refused("this call was not approved in time"),
        InvocationState::Pending { .. }
        | InvocationState::Approved { .. }
        | InvocationState::Executing { .. } => pending(record),
    }
}

fn done(result: Value) -> CallToolResult {
    let mut done = CallToolResult::success(vec![ContentBlock::text(result.to_string())]);
    // Older clients accept only an object.
    done.structured_content = Some(result).filter(Value::is_object);
    done
}

/// Not an error: the call continues without the caller.
fn pending(record: &InvocationRecord) -> CallToolResult {
    let invocation = &record.invocation;
    let (status, tool) = (invocation.state.status(), wait_tool_name());
    let what = match &invocation.state {
        InvocationState::Pending { .. } => "This call waits for an approval.",
        _ => "This call is under way.",
    };
    let message = format!(
        "{what} It was not lost: do not repeat it. Call {tool} with this invocationId to wait for its result."
    );
    CallToolResult::structured(json!({
        "status": status.as_str(),
        "invocationId": invocation.id.to_string(),
        "message": message,
        "resumeWith": {"tool": tool, "arguments": {"invocationId": invocation.id.to_string()}},
    }))
}

pub(super) fn refused(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// A failure before the call: one that the model can react to, or one that can only be retried.
pub(super) fn failed(error: app::Error) -> Result<CallToolResult, ErrorData> {
    let (error, _) = error.into_inner();
    if let app::Error::RateLimited {
        message,
        retry_after,
    } = &error
    {
        let seconds = retry_after.as_millis().div_ceil(1000).max(1);
        return Ok(refused(format!(
            "{message}; try again in {seconds} seconds"
        )));
    }
    if let app::Error::Invalid(fields) = &error {
        let fields: Vec<_> = fields.iter().map(ToString::to_string).collect();
        return Ok(refused(format!(
            "the arguments are refused: {}",
            fields.join("; ")
        )));
    }
    let failure = Failure::from(error);
    let detail = failure.problem.detail.clone();
    if failure.code.status() < 500 || failure.code.retryable() {
        return Ok(refused(detail));
    }
    let context = failure.context.as_deref().unwrap_or_default();
    tracing::error!(
        code = failure.code.as_str(),
        context,
        "a call over MCP failed"
    );
    Err(ErrorData::internal_error(detail, None))
}
