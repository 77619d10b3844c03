//! A turn as a message of the API: blocks with ids, label and counted tokens.

use serde_json::{Value, json};

use super::{
    LABEL,
    program::{Block, Turn},
};

/// A message to send.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    pub(super) id: String,
    pub(super) model: String,
    pub(super) blocks: Vec<AnswerBlock>,
    pub(super) input_tokens: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum AnswerBlock {
    Thinking(String),
    Text(String),
    ToolUse {
        id: String,
        name: String,
        input: Value,
    },
}

impl Answer {
    /// `id` is unique in this process and begins the ids of its calls too.
    pub(super) fn new(turn: Turn, id: &str, model: String, input_tokens: usize) -> Self {
        let mut blocks: Vec<AnswerBlock> = Vec::new();
        let mut calls = 0;
        for block in turn.blocks {
            match block {
                Block::Think(text) => blocks.push(AnswerBlock::Thinking(text)),
                Block::Say(text) => match blocks.last_mut() {
                    Some(AnswerBlock::Text(before)) => {
                        before.push('\n');
                        before.push_str(&text);
                    }
                    _ => blocks.push(AnswerBlock::Text(text)),
                },
                Block::Call(call) => {
                    blocks.push(AnswerBlock::ToolUse {
                        id: format!("toolu_{id}_{calls}"),
                        name: call.tool,
                        input: Value::Object(call.input),
                    });
                    calls += 1;
                }
            }
        }
        label(&mut blocks);
        Self {
            id: format!("msg_{id}"),
            model,
            blocks,
            input_tokens,
        }
    }

    pub(super) fn stop_reason(&self) -> &'static str {
        let calls = |block: &AnswerBlock| matches!(block, AnswerBlock::ToolUse { .. });
        if self.blocks.iter().any(calls) {
            "tool_use"
        } else {
            "end_turn"
        }
    }

    /// Four bytes make a token, as a rule of thumb has it.
    pub(super) fn output_tokens(&self) -> usize {
        let bytes: usize = self.blocks.iter().map(AnswerBlock::bytes).sum();
        bytes.div_ceil(4).max(1)
    }

    /// The whole message, for clients without streaming.
    pub(super) fn whole(&self) -> Value {
        let blocks: Vec<Value> = self.blocks.iter().map(AnswerBlock::whole).collect();
        json!({
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": blocks,
            "stop_reason": self.stop_reason(),
            "stop_sequence": null,
            "usage": {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens()},
        })
    }
}

impl AnswerBlock {
    fn bytes(&self) -> usize {
        match self {
            Self::Thinking(text) | Self::Text(text) => text.len(),
            Self::ToolUse { input, .. } => input.to_string().len(),
        }
    }

    fn whole(&self) -> Value {
        match self {
            Self::Thinking(text) => json!({
                "type": "thinking", "thinking": text, "signature": super::stream::SIGNATURE,
            }),
            Self::Text(text) => json!({"type": "text", "text": text}),
            Self::ToolUse { id, name, input } => {
                json!({"type": "tool_use", "id": id, "name": name, "input": input})
            }
        }
    }
}

/// INVARIANT: every response is marked as scripted, in its first text. One that only calls tools names
/// them.
fn label(blocks: &mut Vec<AnswerBlock>) {
    let text = blocks.iter_mut().find_map(|block| match block {
        AnswerBlock::Text(text) => Some(text),
        _ => None,
    });
    if let Some(text) = text {
        text.insert_str(0, LABEL);
        return;
    }
    let names: Vec<&str> = blocks
        .iter()
        .filter_map(|block| match block {
            AnswerBlock::ToolUse { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let text = match names.as_slice() {
        [] => format!("{LABEL}Done."),
        names => format!("{LABEL}Calling {}.", names.join(", ")),
    };
    let at = blocks
        .iter()
        .position(|block| !matches!(block, AnswerBlock::Thinking(_)))
        .unwrap_or(blocks.len());
    blocks.insert(at, AnswerBlock::Text(text));
}
