//! The migration of a session to a fresh sandbox, as its clients see it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The progress of a session's migration to a fresh sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MigrationUpdate {
    pub state: MigrationState,
    pub reason: MigrationReason,
    /// Milliseconds since 1970: when the session's current sandbox expires, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expires_at: Option<i64>,
    /// How long prompts had to wait. Absent while they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub gap_ms: Option<u64>,
    /// Prompts that waited, and are now sent to the agent in order.
    #[serde(default)]
    pub queued: u32,
    /// What was not migrated, in sentences for users. Empty if everything was.
    #[serde(default)]
    pub lost: Vec<String>,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
    /// Milliseconds since 1970: when it is tried again, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub retry_at: Option<i64>,
}

/// In order; the last three are final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MigrationState {
    /// Prompts wait from here on.
    Started,
    /// The session continues in the fresh sandbox.
    Completed,
    /// The session continues in its old sandbox.
    Failed,
    /// The session has no usable sandbox; the next prompt boots one.
    Stranded,
}

/// Why a session migrates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MigrationReason {
    /// Its sandbox expires soon.
    Expiry,
    /// A user asked for it.
    Asked,
}
