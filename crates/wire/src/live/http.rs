//! The same over HTTP: requests and answers that are no frames.

use domain::{Invalid, invalid::bounded_text, limits::PROMPT_LENGTH_MAX};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

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
    pub fn validate(&self) -> Result<(), Invalid> {
        bounded_text("content", &self.content, 1, PROMPT_LENGTH_MAX)
    }
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
