//! The agent's JSON shapes, as far as they are used. Unknown members and kinds are ignored: a newer agent may send more.

use domain::limits::{
    AGENT_ID_BYTES_MAX, AGENT_TEXT_BYTES_MAX, AGENT_TITLE_LENGTH_MAX, ERROR_MESSAGE_LENGTH_MAX,
    LIVE_TOOL_RESULT_BYTES_MAX,
};
use serde::Deserialize;
use serde_json::{Value, json};

pub use super::calls::{ToolInput, ToolProgress, ToolStep};
use super::error::ExceededLimit;

/// Longer than the limit that is applied later, so that the cut is detected there.
const CUT_MARGIN: usize = 8;

/// Texts that are cut by characters keep as many bytes.
const BYTES_OF_CHARACTER: usize = 4;

/// Checks ids and names, which are kept as long as what they name.
pub(super) fn check_ids<'a>(ids: impl IntoIterator<Item = &'a str>) -> Result<(), ExceededLimit> {
    let is_long = ids.into_iter().any(|id| id.len() > AGENT_ID_BYTES_MAX);
    if is_long {
        return Err(ExceededLimit::Id(AGENT_ID_BYTES_MAX));
    }
    Ok(())
}

/// Truncates text that is cut before it is shown anyway.
fn cut(text: &mut String, max: usize) {
    if text.len() > max + CUT_MARGIN {
        text.truncate(text.floor_char_boundary(max + CUT_MARGIN));
        text.shrink_to_fit();
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct MessageInfo {
    pub id: String,
    #[serde(rename = "sessionID")]
    pub session_id: String,
    pub role: Role,
    /// The id of the prompt that it answers.
    #[serde(rename = "parentID", default)]
    pub parent: Option<String>,
    pub time: MessageTime,
    #[serde(default)]
    pub error: Option<AgentFault>,
    /// Why the model stopped: `stop`, or `tool-calls` if it continues.
    #[serde(default)]
    pub finish: Option<String>,
}

impl MessageInfo {
    pub(super) fn check_ids(&self) -> Result<(), ExceededLimit> {
        let parent = self.parent.as_deref().unwrap_or_default();
        check_ids([self.id.as_str(), &self.session_id, parent])
    }

    /// Drops what is not used of its error.
    pub(super) fn cut(&mut self) {
        let Some(fault) = &mut self.error else {
            return;
        };
        let mut message = fault.message().to_owned();
        cut(&mut message, BYTES_OF_CHARACTER * ERROR_MESSAGE_LENGTH_MAX);
        fault.data = json!({"message": message, "isRetryable": fault.is_retryable()});
        cut(&mut fault.name, AGENT_ID_BYTES_MAX);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Assistant,
}

/// Milliseconds since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
pub struct MessageTime {
    #[serde(default)]
    pub created: f64,
    #[serde(default)]
    pub completed: Option<f64>,
}

/// An error of the agent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AgentFault {
    pub name: String,
    #[serde(default)]
    pub data: Value,
}

impl AgentFault {
    pub fn is_abort(&self) -> bool {
        self.name == "MessageAbortedError" || self.name == "AbortError"
    }

    /// Whether the model failed, and not the agent.
    pub fn is_of_the_model(&self) -> bool {
        matches!(
            self.name.as_str(),
            "APIError" | "ProviderAuthError" | "MessageOutputLengthError" | "ContextOverflowError"
        )
    }

    pub fn is_retryable(&self) -> bool {
        self.data["isRetryable"].as_bool().unwrap_or(false)
    }

    pub fn message(&self) -> &str {
        self.data["message"].as_str().unwrap_or(&self.name)
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Part {
    pub id: String,
    #[serde(rename = "messageID")]
    pub message_id: String,
    #[serde(rename = "sessionID")]
    pub session_id: String,
    #[serde(flatten)]
    pub kind: PartKind,
}

impl Part {
    pub(super) fn check_ids(&self) -> Result<(), ExceededLimit> {
        check_ids([self.id.as_str(), &self.message_id, &self.session_id])?;
        match &self.kind {
            PartKind::Tool { call_id, tool, .. } => check_ids([call_id.as_str(), tool]),
            _ => Ok(()),
        }
    }

    fn bytes(&self) -> usize {
        let text = match &self.kind {
            PartKind::Text { text, .. } | PartKind::Reasoning { text, .. } => text.len(),
            PartKind::Tool { state, .. } => {
                let kept = match state {
                    ToolState::Completed {
                        output, metadata, ..
                    } => output.len() + metadata.memory(),
                    ToolState::Running { metadata, .. } => metadata.memory(),
                    ToolState::Error { error, .. } => error.len(),
                    ToolState::Pending { .. } => 0,
                };
                kept + state.input().memory()
            }
            PartKind::Other => 0,
        };
        size_of::<Self>() + text
    }

    /// Truncates texts of which clients are shown the beginning.
    pub(super) fn cut(&mut self) {
        match &mut self.kind {
            PartKind::Text { text, .. } | PartKind::Reasoning { text, .. } => {
                cut(text, AGENT_TEXT_BYTES_MAX);
            }
            PartKind::Tool { state, .. } => {
                match state {
                    ToolState::Completed { output: text, .. }
                    | ToolState::Error { error: text, .. } => {
                        cut(text, LIVE_TOOL_RESULT_BYTES_MAX);
                    }
                    ToolState::Pending { .. } | ToolState::Running { .. } => {}
                }
                if let ToolState::Running { title, .. } | ToolState::Completed { title, .. } = state
                    && let Some(title) = title
                {
                    cut(title, BYTES_OF_CHARACTER * AGENT_TITLE_LENGTH_MAX);
                }
            }
            PartKind::Other => {}
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum PartKind {
    Text {
        text: String,
        /// Written by the agent for the model.
        #[serde(default)]
        synthetic: bool,
        #[serde(default)]
        ignored: bool,
        #[serde(default)]
        time: Option<TimeSpan>,
    },
    Reasoning {
        text: String,
        #[serde(default)]
        time: Option<TimeSpan>,
    },
    Tool {
        #[serde(rename = "callID")]
        call_id: String,
        tool: String,
        state: ToolState,
    },
    /// Steps, snapshots, patches, files.
    #[serde(other)]
    Other,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
pub struct TimeSpan {
    #[serde(default)]
    pub start: f64,
    #[serde(default)]
    pub end: Option<f64>,
}

impl TimeSpan {
    pub fn millis(self) -> u64 {
        let length = self.end.unwrap_or(self.start) - self.start;
        // Saturates; a negative length is none.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped by the cast"
        )]
        let millis = length.max(0.0) as u64;
        millis
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum ToolState {
    Pending {
        #[serde(default)]
        input: ToolInput,
    },
    Running {
        #[serde(default)]
        input: ToolInput,
        #[serde(default)]
        title: Option<String>,
        #[serde(default)]
        metadata: ToolProgress,
    },
    Completed {
        #[serde(default)]
        input: ToolInput,
        #[serde(default)]
        output: String,
        #[serde(default)]
        title: Option<String>,
        #[serde(default)]
        metadata: ToolProgress,
        #[serde(default)]
        time: TimeSpan,
    },
    Error {
        #[serde(default)]
        input: ToolInput,
        #[serde(default)]
        error: String,
        #[serde(default)]
        time: TimeSpan,
    },
}

impl ToolState {
    pub fn input(&self) -> &ToolInput {
        match self {
            Self::Pending { input }
            | Self::Running { input, .. }
            | Self::Completed { input, .. }
            | Self::Error { input, .. } => input,
        }
    }
}

/// A message with its parts, as the agent stores them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct StoredMessage {
    pub info: MessageInfo,
    #[serde(default)]
    pub parts: Vec<Part>,
}

impl StoredMessage {
    pub(super) fn check_ids(&self) -> Result<(), ExceededLimit> {
        self.info.check_ids()?;
        self.parts.iter().try_for_each(Part::check_ids)
    }

    pub(super) fn cut(&mut self) {
        self.info.cut();
        self.parts.iter_mut().for_each(Part::cut);
    }

    /// Returns the approximate memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.parts.iter().map(Part::bytes).sum::<usize>()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SessionInfo {
    pub id: String,
    #[serde(default)]
    pub title: String,
}

/// The status of a session. One that the agent does not list is idle.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SessionStatus {
    #[default]
    Idle,
    Busy,
    Retry {
        #[serde(default)]
        attempt: u32,
        #[serde(default)]
        message: String,
    },
    #[serde(other)]
    Other,
}

/// A permission request of the agent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Permission {
    pub id: String,
    #[serde(rename = "sessionID")]
    pub session_id: String,
    pub permission: String,
    #[serde(default)]
    pub patterns: Vec<String>,
}
