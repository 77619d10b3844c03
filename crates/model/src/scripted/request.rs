//! The parts of a request that the model uses. Unknown members are ignored.

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
pub(super) struct MessagesRequest {
    pub(super) model: String,
    pub(super) max_tokens: u64,
    pub(super) messages: Vec<Message>,
    #[serde(default)]
    pub(super) stream: bool,
    #[serde(default)]
    pub(super) tools: Vec<Tool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Tool {
    pub(super) name: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Role {
    User,
    Assistant,
    /// Some models take it between turns.
    System,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Blocks(Vec<ContentBlock>),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ContentBlock {
    Text {
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
    },
    ToolResult {
        tool_use_id: String,
        #[serde(default)]
        content: Option<Value>,
        #[serde(default)]
        is_error: bool,
    },
    /// Pictures, thoughts, documents.
    #[serde(other)]
    Other,
}

impl Message {
    pub(super) fn blocks(&self) -> Vec<ContentBlock> {
        match &self.content {
            Content::Text(text) => vec![ContentBlock::Text { text: text.clone() }],
            Content::Blocks(blocks) => blocks.clone(),
        }
    }
}
