//! One call of one tool, sent once. Whether to begin again with a new session is decided by the caller,
//! who is told when the server has said that the old one is gone.

use domain::action::Risk;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult};
use serde_json::{Map, Value};

use super::{
    error::{RequestError, TransportError},
    link::Link,
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
    link: &Link,
    tool: &str,
    arguments: Map<String, Value>,
    risk: Risk,
) -> Result<ActionOutput, CallError> {
    let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    let answer = link.peer().call_tool_once(params).await;
    let failed = |failure| Err(CallError::Failed(failure));
    match answer.map_err(RequestError::of_request) {
        Ok(CallToolResponse::Complete(result)) => {
            completed(link, result).map_err(CallError::Failed)
        }
        // A question to a person, and none is there. Nothing is sent back, and its content is not kept.
        Ok(CallToolResponse::InputRequired(_)) => failed(Failure::new(
            FailureKind::Invalid,
            Retry::after_sending(risk, Retry::Never),
            "the tool asks for more input while it runs, which is not answered here",
        )),
        Ok(_) => failed(Failure::new(
            FailureKind::MalformedReply,
            Retry::after_sending(risk, Retry::Never),
            "the tool goes on in the background, which is not followed here",
        )),
        Err(RequestError::Transport(TransportError::SessionGone)) => Err(CallError::SessionGone),
        Err(RequestError::Transport(trouble)) => failed(trouble.failure(risk)),
        Err(RequestError::Said { code, message }) => {
            let said = ActionOutput::text(link.credential.scrub.text(message));
            let message = format!("the server does not take the call (error {code})");
            failed(Failure::never(FailureKind::Invalid, message).with_output(said))
        }
        Err(RequestError::Lost) => failed(link.last_trouble().failure(risk)),
    }
}

fn completed(link: &Link, result: CallToolResult) -> Result<ActionOutput, Failure> {
    let is_error = result.is_error == Some(true);
    let output = read_result(result, &link.credential.scrub);
    if is_error {
        let failure = Failure::never(FailureKind::Tool, "the tool says that it failed");
        return Err(failure.with_output(output));
    }
    Ok(output)
}
