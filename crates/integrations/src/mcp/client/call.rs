//! One call of one tool, sent once. An error says when the server has ended its session; the caller decides whether to
//! send the call again in a new one.

use domain::action::Risk;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult};
use serde_json::{Map, Value};

use super::{
    connection::McpConnection,
    error::{RequestError, TransportError},
};
use crate::{
    failure::{Failure, FailureKind, Retry},
    mcp::content::read_result,
    output::ActionOutput,
};

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The server did not take the request: its session is gone.
    SessionGone,
    Failed(Failure),
}

pub(crate) async fn call(
    connection: &McpConnection,
    tool: &str,
    arguments: Map<String, Value>,
    risk: Risk,
) -> Result<ActionOutput, CallError> {
    let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    let answer = connection.peer().call_tool_once(params).await;
    let failed = |failure| Err(CallError::Failed(failure));
    match answer.map_err(RequestError::of_request) {
        Ok(CallToolResponse::Complete(result)) => {
            completed(connection, result).map_err(CallError::Failed)
        }
        // A question to a user, and the gateway has none to ask. It sends nothing back and does not keep the content.
        Ok(CallToolResponse::InputRequired(_)) => failed(Failure::new(
            FailureKind::Invalid,
            Retry::after_sending(risk, Retry::Never),
            "the tool requests more input while it runs, which the gateway does not give",
        )),
        Ok(_) => failed(Failure::new(
            FailureKind::MalformedReply,
            Retry::after_sending(risk, Retry::Never),
            "the tool continues in the background, which the gateway does not follow",
        )),
        Err(RequestError::Transport(TransportError::SessionGone)) => Err(CallError::SessionGone),
        Err(RequestError::Transport(error)) => failed(error.failure(risk)),
        Err(RequestError::Refused { code, message }) => {
            let said = ActionOutput::text(connection.credential.scrubber.text(message));
            let message = format!("the server rejected the call (error {code})");
            failed(Failure::never(FailureKind::Invalid, message).with_output(said))
        }
        Err(RequestError::NoAnswer) => failed(connection.last_error().failure(risk)),
    }
}

fn completed(connection: &McpConnection, result: CallToolResult) -> Result<ActionOutput, Failure> {
    let is_error = result.is_error == Some(true);
    let output = read_result(result, &connection.credential.scrubber);
    if is_error {
        let failure = Failure::never(FailureKind::Tool, "the tool reports a failure");
        return Err(failure.with_output(output));
    }
    Ok(output)
}
