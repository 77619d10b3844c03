//! The protocol of a live session: the messages in both directions, one JSON object in a frame, named by
//! `type`. Closed in both directions; docs/reference has it as a JSON schema and as TypeScript.

mod client;
mod git;
mod http;
mod init;
mod message;
mod migration;
mod schema;
mod server;
#[cfg(test)]
mod tests;
mod tool;
mod typescript;

pub use client::{
    Auth, AutoStartMode, Cancel, ClientMessage, GetGitStatus, GitCommit, GitCreateBranch,
    GitCreatePr, GitPush, Prompt, RunAutoStart, SaveSnapshot,
};
pub use git::{
    GitAction, GitCode, GitCommitView, GitDiff, GitDiffQuery, GitResult, GitState, GitStatusQuery,
};
pub use http::{
    EventsQuery, PreviewTicketRequest, PreviewTicketView, PromptAccepted, PromptRequest,
    SandboxView,
};
pub use init::{BootStage, BootStep, ConnectedClient, EnvRequest, Init, LiveConfig};
pub use message::{
    LiveMessage, MessagePart, MessageRole, MessageSource, ToolCallStatus, ToolCallView,
};
pub use migration::{MigrationReason, MigrationState, MigrationUpdate};
pub use schema::json_schema;
pub use server::{
    AutoStartEntry, AutoStartOutput, Frame, Gap, LiveError, LiveErrorCode, LiveStatus,
    MessageCancelled, MessageRef, Presence, PreviewUrl, ServerMessage, SnapshotResult,
    SnapshotTarget, StatusUpdate, TextPart, TextRef, TitleUpdate, Token,
};
pub use tool::{ToolEnd, ToolMetadata, ToolMetadataBody, ToolStart, ToolSummary, ToolSummaryState};
pub use typescript::typescript;
