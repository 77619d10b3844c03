//! The move of a session to a fresh sandbox, as those who watch it are told.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How far the move of a session to a fresh sandbox is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MigrationUpdate {
    pub state: MigrationState,
    pub reason: MigrationReason,
    /// Milliseconds since 1970: when the sandbox that the session is in now ends by itself, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expires_at: Option<i64>,
    /// How long prompts had to wait. Absent while they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub gap_ms: Option<u64>,
    /// Prompts that waited, and are given to the agent now in their order.
    #[serde(default)]
    pub queued: u32,
    /// What did not come along, in sentences for people. Empty if everything did.
    #[serde(default)]
    pub lost: Vec<String>,
    /// Why it came to nothing, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
    /// Milliseconds since 1970: when it is tried again, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub retry_at: Option<i64>,
}

/// In their order; the last three are ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MigrationState {
    /// Prompts wait from here on.
    Started,
    /// The session goes on in the fresh sandbox.
    Completed,
    /// The session goes on in the sandbox that it had.
    Failed,
    /// There is no sandbox that it could go on in; the next prompt brings one up.
    Stranded,
}

/// Why a session moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MigrationReason {
    /// Its sandbox ends soon.
    Expiry,
    /// Somebody asked for it.
    Asked,
}
