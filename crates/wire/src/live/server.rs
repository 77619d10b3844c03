//! The messages to a client: `{type, payload}`, and `seq` for events of the log.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    BootStep, ConnectedClient, GitResult, GitState, Init, LiveMessage, MigrationUpdate, ToolEnd,
    ToolMetadata, ToolStart,
};
use crate::notice::{ActionApprovalRequest, ActionApprovalResult, ActionCompleted};

/// A frame for a client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Frame {
    /// The event's position in the session's log. Resume after the last one seen. Absent on messages for
    /// one client only, such as `init` and `pong`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seq: Option<u64>,
    #[serde(flatten)]
    pub message: ServerMessage,
}

/// The message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The current state of the session; the first message of all.
    Init(Box<Init>),
    /// A message starts, or a whole one of a user.
    Message(Box<LiveMessage>),
    /// More of the agent's text.
    Token(Token),
    /// The whole text of a part; it replaces what was streamed.
    TextPartComplete(TextPart),
    /// The text of a part so far, for a client that could not keep up or reconnects in the middle of it. It
    /// replaces what was streamed.
    TextSnapshot(TextPart),
    /// The streamed text of this part is void: the model is called again.
    TextVoid(TextRef),
    /// More of the agent's reasoning.
    Thinking(Token),
    /// The whole reasoning of a part.
    ThinkingComplete(TextPart),
    MessageComplete(MessageRef),
    MessageCancelled(MessageCancelled),
    ToolStart(ToolStart),
    ToolMetadata(ToolMetadata),
    ToolEnd(ToolEnd),
    Status(StatusUpdate),
    Error(LiveError),
    PreviewUrl(PreviewUrl),
    TitleUpdate(TitleUpdate),
    SnapshotResult(SnapshotResult),
    AutoStartOutput(AutoStartOutput),
    GitStatus(GitState),
    GitResult(GitResult),
    ActionApprovalRequest(ActionApprovalRequest),
    ActionApprovalResult(ActionApprovalResult),
    ActionCompleted(ActionCompleted),
    /// The progress of the sandbox's boot.
    BootStep(BootStep),
    /// The session migrates to a fresh sandbox, or has.
    Migration(MigrationUpdate),
    /// The connected clients; of very many, the first.
    Presence(Presence),
    /// Events that are no longer kept; ask for the messages.
    Gap(Gap),
    SessionPaused,
    SessionResumed,
    Pong,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    pub message_id: String,
    pub part_id: String,
    pub token: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextPart {
    pub message_id: String,
    pub part_id: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextRef {
    pub message_id: String,
    pub part_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageRef {
    pub message_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageCancelled {
    /// Absent if none had started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub message_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusUpdate {
    pub status: LiveStatus,
    /// The agent has finished all of its prompts, and is idle.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_idle: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub message: Option<String>,
}

/// The status of a session as users see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LiveStatus {
    Creating,
    Resuming,
    Running,
    Migrating,
    Paused,
    Stopped,
    Error,
}

/// An error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveError {
    pub message: String,
    pub code: LiveErrorCode,
    /// Whether the same request may succeed later.
    pub retryable: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LiveErrorCode {
    /// An invalid frame.
    InvalidFrame,
    /// The client may only read.
    Forbidden,
    /// The session cannot accept it now.
    Refused,
    /// The model did not respond.
    Model,
    /// The agent failed.
    Agent,
    /// The agent or one of its tools was silent for too long and was ended.
    Silent,
    /// The sandbox is unavailable.
    Sandbox,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewUrl {
    pub url: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TitleUpdate {
    pub title: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotResult {
    pub success: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub snapshot_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
    pub target: SnapshotTarget,
}

/// What a snapshot was saved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotTarget {
    Configuration,
    Session,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutoStartOutput {
    pub run_id: Uuid,
    pub entries: Vec<AutoStartEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutoStartEntry {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub workspace_path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub cwd: Option<String>,
    pub output: String,
    /// Null while it runs.
    pub exit_code: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub log_file: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    pub clients: Vec<ConnectedClient>,
}

/// Both ends are missing events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    pub from: u64,
    pub to: u64,
}

impl ServerMessage {
    /// The name on the wire.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Init(_) => "init",
            Self::Message(_) => "message",
            Self::Token(_) => "token",
            Self::TextPartComplete(_) => "text_part_complete",
            Self::TextSnapshot(_) => "text_snapshot",
            Self::TextVoid(_) => "text_void",
            Self::Thinking(_) => "thinking",
            Self::ThinkingComplete(_) => "thinking_complete",
            Self::MessageComplete(_) => "message_complete",
            Self::MessageCancelled(_) => "message_cancelled",
            Self::ToolStart(_) => "tool_start",
            Self::ToolMetadata(_) => "tool_metadata",
            Self::ToolEnd(_) => "tool_end",
            Self::Status(_) => "status",
            Self::Error(_) => "error",
            Self::PreviewUrl(_) => "preview_url",
            Self::TitleUpdate(_) => "title_update",
            Self::SnapshotResult(_) => "snapshot_result",
            Self::AutoStartOutput(_) => "auto_start_output",
            Self::GitStatus(_) => "git_status",
            Self::GitResult(_) => "git_result",
            Self::ActionApprovalRequest(_) => "action_approval_request",
            Self::ActionApprovalResult(_) => "action_approval_result",
            Self::ActionCompleted(_) => "action_completed",
            Self::BootStep(_) => "boot_step",
            Self::Migration(_) => "migration",
            Self::Presence(_) => "presence",
            Self::Gap(_) => "gap",
            Self::SessionPaused => "session_paused",
            Self::SessionResumed => "session_resumed",
            Self::Pong => "pong",
        }
    }

    /// Serializes the payload. Returns `None` for a message without one: its kind is the whole message.
    pub fn payload_json(&self) -> serde_json::Result<Option<String>> {
        let payload = match self {
            Self::Init(payload) => serde_json::to_string(payload),
            Self::Message(payload) => serde_json::to_string(payload),
            Self::Token(payload) | Self::Thinking(payload) => serde_json::to_string(payload),
            Self::TextPartComplete(payload)
            | Self::TextSnapshot(payload)
            | Self::ThinkingComplete(payload) => serde_json::to_string(payload),
            Self::TextVoid(payload) => serde_json::to_string(payload),
            Self::MessageComplete(payload) => serde_json::to_string(payload),
            Self::MessageCancelled(payload) => serde_json::to_string(payload),
            Self::ToolStart(payload) => serde_json::to_string(payload),
            Self::ToolMetadata(payload) => serde_json::to_string(payload),
            Self::ToolEnd(payload) => serde_json::to_string(payload),
            Self::Status(payload) => serde_json::to_string(payload),
            Self::Error(payload) => serde_json::to_string(payload),
            Self::PreviewUrl(payload) => serde_json::to_string(payload),
            Self::TitleUpdate(payload) => serde_json::to_string(payload),
            Self::SnapshotResult(payload) => serde_json::to_string(payload),
            Self::AutoStartOutput(payload) => serde_json::to_string(payload),
            Self::GitStatus(payload) => serde_json::to_string(payload),
            Self::GitResult(payload) => serde_json::to_string(payload),
            Self::ActionApprovalRequest(payload) => serde_json::to_string(payload),
            Self::ActionApprovalResult(payload) => serde_json::to_string(payload),
            Self::ActionCompleted(payload) => serde_json::to_string(payload),
            Self::BootStep(payload) => serde_json::to_string(payload),
            Self::Migration(payload) => serde_json::to_string(payload),
            Self::Presence(payload) => serde_json::to_string(payload),
            Self::Gap(payload) => serde_json::to_string(payload),
            Self::SessionPaused | Self::SessionResumed | Self::Pong => return Ok(None),
        };
        payload.map(Some)
    }

    /// Whether it is in the session's log. Other messages are for one client, or about the current
    /// state only.
    pub fn is_logged(&self) -> bool {
        !matches!(
            self,
            Self::Init(_)
                | Self::TextSnapshot(_)
                | Self::GitStatus(_)
                | Self::GitResult(_)
                | Self::AutoStartOutput(_)
                | Self::Presence(_)
                | Self::Gap(_)
                | Self::Pong
        )
    }
}
