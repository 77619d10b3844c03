//! The same over HTTP: requests and responses that are not frames.

use chrono::{DateTime, Utc};
use domain::Invalid;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Prompt;
use crate::session::SessionStatus;

/// A task for the agent.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromptRequest {
    /// What to do.
    #[schema(max_length = 200_000)]
    pub content: String,
    /// Pictures as data URIs.
    #[serde(default)]
    #[schema(max_items = 10)]
    pub images: Vec<String>,
}

impl PromptRequest {
    /// Converts it to a frame, with the same checks.
    pub fn prompt(self, idempotency_key: Option<String>) -> Result<Prompt, Invalid> {
        let prompt = Prompt {
            content: self.content,
            images: self.images,
            idempotency_key,
            user_id: None,
        };
        prompt.check()?;
        Ok(prompt)
    }
}

/// The sandbox of a session's agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SandboxView {
    pub session_id: Uuid,
    pub status: SessionStatus,
    /// `null` before the first boot, as are the following members.
    pub sandbox_id: Option<String>,
    /// The provider of the sandbox.
    pub provider: Option<String>,
    /// Its isolation tier.
    pub tier: Option<String>,
    /// What the tier does not protect against.
    pub unprotected: Vec<String>,
    /// When it expires, if it does.
    pub expires_at: Option<DateTime<Utc>>,
}

/// What to preview.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewTicketRequest {
    /// The port that the session exposed.
    pub port: u16,
}

/// Where to open the preview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewTicketView {
    /// A URL of this gateway. It gives access without a further credential; treat it like a
    /// password.
    #[schema(example = "/proliferate/0192f0c1-2345-7abc-8def-0123456789ab/look/v1.1.../")]
    pub url: String,
    pub expires_at: DateTime<Utc>,
}

/// The prompt is recorded.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptAccepted {
    pub ok: bool,
    /// Its id in the conversation.
    pub message_id: String,
}

/// The start of the stream.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// The position of the last event seen; without one the conversation so far is sent first.
    pub after: Option<u64>,
}
