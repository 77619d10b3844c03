//! Requests that Anthropic's API refuses, as far as an agent or a proxy can send them: a request that
//! passes here and fails there would make every test with this model worthless.

use std::collections::BTreeSet;

use super::{
    error::ApiError,
    request::{ContentBlock, MessagesRequest, Role},
};

pub(super) fn check(request: &MessagesRequest) -> Result<(), ApiError> {
    if request.max_tokens == 0 {
        let reason = "max_tokens: Input should be greater than or equal to 1";
        return Err(ApiError::invalid(reason));
    }
    check_tools(request)?;
    let Some(first) = request.messages.first() else {
        let reason = "messages: at least one message is required";
        return Err(ApiError::invalid(reason));
    };
    if first.role != Role::User {
        let reason = "messages: first message must use the \"user\" role";
        return Err(ApiError::invalid(reason));
    }
    check_texts(request)?;
    check_results(request)
}

fn check_tools(request: &MessagesRequest) -> Result<(), ApiError> {
    let mut names = BTreeSet::new();
    for (index, tool) in request.tools.iter().enumerate() {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if !(1..=128).contains(&tool.name.len()) || !tool.name.chars().all(is_name) {
            let reason = format!(
                "tools.{index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
            );
            return Err(ApiError::invalid(reason));
        }
        if !names.insert(&tool.name) {
            return Err(ApiError::invalid("tools: Tool names must be unique."));
        }
    }
    Ok(())
}

fn check_texts(request: &MessagesRequest) -> Result<(), ApiError> {
    for (index, message) in request.messages.iter().enumerate() {
        let is_last = index + 1 == request.messages.len();
        let blocks = message.blocks();
        if blocks.is_empty() && !(is_last && message.role == Role::Assistant) {
            let reason = format!("messages.{index}: all messages must have non-empty content");
            return Err(ApiError::invalid(reason));
        }
        let is_empty =
            |block: &ContentBlock| matches!(block, ContentBlock::Text { text } if text.is_empty());
        if blocks.iter().any(is_empty) {
            let reason = "messages: text content blocks must be non-empty";
            return Err(ApiError::invalid(reason));
        }
    }
    Ok(())
}

/// Each call has its result in the next message, and there are no results without calls.
fn check_results(request: &MessagesRequest) -> Result<(), ApiError> {
    let mut called: Vec<String> = Vec::new();
    for (index, message) in request.messages.iter().enumerate() {
        let mut missing: BTreeSet<String> = called.drain(..).collect();
        let known = missing.clone();
        for (place, block) in message.blocks().into_iter().enumerate() {
            match block {
                ContentBlock::ToolUse { id, .. } => called.push(id),
                ContentBlock::ToolResult { tool_use_id, .. } => {
                    if !known.contains(&tool_use_id) {
                        let reason = format!(
                            "messages.{index}.content.{place}: unexpected `tool_use_id` found in \
                             `tool_result` blocks: {tool_use_id}. Each `tool_result` block must have \
                             a corresponding `tool_use` block in the previous message."
                        );
                        return Err(ApiError::invalid(reason));
                    }
                    missing.remove(&tool_use_id);
                }
                ContentBlock::Text { .. } | ContentBlock::Other => {}
            }
        }
        unanswered(index, &missing)?;
    }
    unanswered(request.messages.len(), &called.into_iter().collect())
}

fn unanswered(next: usize, missing: &BTreeSet<String>) -> Result<(), ApiError> {
    if missing.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = missing.iter().map(String::as_str).collect();
    Err(ApiError::invalid(format!(
        "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. \
         Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
        next - 1,
        ids.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn checked(tools: &Value, messages: &Value) -> Result<(), ApiError> {
        let request = json!({"model": "m", "max_tokens": 1, "messages": messages, "tools": tools});
        check(&serde_json::from_value(request).unwrap())
    }

    #[test]
    fn what_the_real_api_refuses_is_refused() {
        let hello = json!([{"role": "user", "content": "hello"}]);
        let call = json!({"type": "tool_use", "id": "t1", "name": "a", "input": {}});
        let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": "x"});
        let table = [
            (json!([{"name": "a"}]), hello.clone(), ""),
            (
                json!([{"name": "a.b"}]),
                hello.clone(),
                "tools.0.custom.name",
            ),
            (
                json!([{"name": "a"}, {"name": "a"}]),
                hello.clone(),
                "must be unique",
            ),
            (json!([]), json!([]), "at least one"),
            (
                json!([]),
                json!([{"role": "assistant", "content": "x"}]),
                "first message",
            ),
            (
                json!([]),
                json!([{"role": "user", "content": ""}]),
                "non-empty",
            ),
            (
                json!([]),
                json!([{"role": "user", "content": []}]),
                "non-empty",
            ),
            (
                json!([]),
                json!([hello[0], {"role": "assistant", "content": [call]}]),
                "messages.1: `tool_use` ids",
            ),
            (
                json!([]),
                json!([hello[0], {"role": "assistant", "content": [call]}, hello[0]]),
                "messages.1: `tool_use` ids",
            ),
            (
                json!([]),
                json!([hello[0], {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]),
                "",
            ),
            (
                json!([]),
                json!([{"role": "user", "content": [result]}]),
                "unexpected `tool_use_id`",
            ),
        ];
        for (tools, messages, expected) in table {
            match checked(&tools, &messages) {
                Ok(()) => assert!(expected.is_empty(), "{messages} should fail: {expected}"),
                Err(error) => {
                    assert!(!expected.is_empty(), "{messages}: {error:?}");
                    assert!(error.message.contains(expected), "{error:?}");
                }
            }
        }
    }
}
