//! The state of a conversation: the current prompt, and the calls made since. Agents merge user turns into
//! one message, so the last text counts, not the last message.

use std::collections::HashMap;

use serde_json::Value;

use super::request::{ContentBlock, MessagesRequest, Role};

/// A call that was made, with its result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Done {
    pub(super) tool: String,
    pub(super) text: String,
    pub(super) is_error: bool,
}

impl Done {
    /// The result if it is JSON, else null.
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Conversation {
    pub(super) prompt: String,
    /// Blocks before the prompt: which of the conversation's prompts this is.
    pub(super) blocks_before: usize,
    pub(super) done: Vec<Done>,
}

impl Conversation {
    pub(super) fn of(request: &MessagesRequest) -> Self {
        let blocks: Vec<(Role, ContentBlock)> = request
            .messages
            .iter()
            .flat_map(|message| {
                message
                    .blocks()
                    .into_iter()
                    .map(|block| (message.role, block))
            })
            .collect();
        let prompt = blocks.iter().rposition(|(role, block)| {
            *role == Role::User
                && matches!(block, ContentBlock::Text { text } if is_a_persons(text))
        });
        let Some(at) = prompt else {
            return Self::default();
        };
        let ContentBlock::Text { text } = &blocks[at].1 else {
            return Self::default();
        };
        Self {
            prompt: text.clone(),
            blocks_before: at,
            done: calls(&blocks[at + 1..]),
        }
    }
}

/// Agents add texts of their own beside a user's. A message sent while the agent was busy is wrapped like
/// one of these and is a user's all the same.
fn is_a_persons(text: &str) -> bool {
    let text = text.trim_start();
    let is_wrapped = text.contains("The user sent the following message:");
    is_wrapped || !(text.starts_with("<system-reminder>") || text.starts_with("Called the "))
}

fn calls(blocks: &[(Role, ContentBlock)]) -> Vec<Done> {
    let results: HashMap<&str, (String, bool)> = blocks
        .iter()
        .filter_map(|(_, block)| match block {
            ContentBlock::ToolResult {
                tool_use_id,
                content,
                is_error,
            } => Some((tool_use_id.as_str(), (text_of(content.as_ref()), *is_error))),
            _ => None,
        })
        .collect();
    let made = blocks.iter().filter_map(|(_, block)| match block {
        ContentBlock::ToolUse { id, name } => Some((id, name)),
        _ => None,
    });
    made.map(|(id, name)| {
        let (text, is_error) = results.get(id.as_str()).cloned().unwrap_or_default();
        Done {
            tool: name.clone(),
            text,
            is_error,
        }
    })
    .collect()
}

fn text_of(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let texts: Vec<&str> = blocks
                .iter()
                .filter_map(|block| block["text"].as_str())
                .collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(messages: &Value) -> Conversation {
        let request = json!({"model": "m", "max_tokens": 1, "messages": messages});
        Conversation::of(&serde_json::from_value(request).unwrap())
    }

    #[test]
    fn the_last_text_of_a_person_counts_and_only_calls_after_it() {
        let found = of(&json!([
            {"role": "user", "content": "CALL a"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "a", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "1", "content": "interrupted", "is_error": true},
                {"type": "text", "text": "CALL b"},
                {"type": "text", "text": "<system-reminder>be brief</system-reminder>"},
            ]},
        ]));
        assert_eq!(found.prompt, "CALL b");
        assert_eq!((found.blocks_before, found.done.len()), (3, 0));
    }

    #[test]
    fn calls_come_with_their_results_whatever_form_these_have() {
        let found = of(&json!([
            {"role": "user", "content": [{"type": "text", "text": "go"}, {"type": "image"}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "x"},
                {"type": "tool_use", "id": "1", "name": "a", "input": {}},
                {"type": "tool_use", "id": "2", "name": "b", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "2", "content": [{"type": "text", "text": "{\"n\":1}"}]},
                {"type": "tool_result", "tool_use_id": "1", "content": "no", "is_error": true},
            ]},
        ]));
        let done = |tool: &str, text: &str, is_error| Done {
            tool: tool.into(),
            text: text.into(),
            is_error,
        };
        assert_eq!(
            found.done,
            [done("a", "no", true), done("b", "{\"n\":1}", false)]
        );
        assert_eq!(found.done[1].json()["n"], 1);
    }

    #[test]
    fn a_message_sent_to_a_busy_agent_is_a_persons() {
        let wrapped = "<system-reminder>\nThe user sent the following message:\nSAY hi\n\n\
                       Please address this message and continue with your tasks.\n</system-reminder>";
        let found = of(&json!([{"role": "user", "content": wrapped}]));
        assert!(found.prompt.contains("SAY hi"));
    }
}
