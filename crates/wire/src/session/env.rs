//! Values that an agent requested from users. They are accepted and never returned.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{env_vars::EnvVars, secret_text::SecretText};

/// What a user filled in: 1 to 50 values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubmitEnvRequest {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 50)]
    pub secrets: Vec<SubmittedSecret>,
    /// Put into the sandbox and stored nowhere else.
    #[serde(default, skip_serializing_if = "EnvVars::is_empty")]
    pub env_vars: EnvVars,
    /// Stores secrets for every session of the configuration, instead of this session alone.
    #[serde(default)]
    pub save_to_configuration: bool,
}

/// A value that is also stored, encrypted, for the next sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubmittedSecret {
    /// Name of the environment variable: letters, digits and `_`. Names the platform sets itself are refused.
    #[schema(min_length = 1, max_length = 200, example = "STRIPE_KEY")]
    pub key: String,
    /// At most 64 KiB. Never returned.
    pub value: SecretText,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 10_000)]
    pub description: Option<String>,
    /// `true` if absent; with `false` it is put into the sandbox and stored nowhere else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persist: Option<bool>,
}

/// The values are in the sandbox, and the agent gets their names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubmitEnvResponse {
    pub submitted: bool,
    /// In the order of the names.
    pub results: Vec<SubmittedKey>,
    /// The id of the message to the agent, in the conversation.
    pub message_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedKey {
    pub key: String,
    pub persisted: bool,
    /// Whether its value replaced a stored one.
    pub already_existed: bool,
}
