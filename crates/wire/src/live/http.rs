//! The same over HTTP: requests and answers that are no frames.

use chrono::{DateTime, Utc};
use domain::Invalid;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Prompt;
use crate::session::SessionStatus;

/// Something for the agent to do.
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
    /// The same as a frame, checked as one.
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

/// Where a session's agent runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SandboxView {
    pub session_id: Uuid,
    pub status: SessionStatus,
    /// `null` before the first boot, as what follows.
    pub sandbox_id: Option<String>,
    /// Who made the sandbox.
    pub provider: Option<String>,
    /// How well it is closed in.
    pub tier: Option<String>,
    /// What it does not protect against.
    pub unprotected: Vec<String>,
    /// When it will end by itself, if it does.
    pub expires_at: Option<DateTime<Utc>>,
}

/// What is to be looked at.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewTicketRequest {
    /// The port that the session exposed.
    pub port: u16,
}

/// Where it can be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewTicketView {
    /// An address of this gateway. Whoever has it may look; it is to be treated as a password.
    #[schema(example = "/proliferate/0192f0c1-2345-7abc-8def-0123456789ab/look/v1.1.../")]
    pub url: String,
    pub expires_at: DateTime<Utc>,
}

/// It is on record.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptAccepted {
    pub ok: bool,
    /// Its id in the conversation.
    pub message_id: String,
}

/// From where on.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// The place of the last event seen; without one the conversation so far comes first.
    pub after: Option<u64>,
}
