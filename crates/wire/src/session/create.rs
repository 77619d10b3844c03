//! The request that creates a session and its response.

use domain::{
    Invalid,
    id::{IntegrationId, OrganizationId},
    limits::SESSION_INTEGRATIONS_MAX,
    model::{AgentConfig, AgentType as DomainAgentType, Model},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    CliConfiguration, ClientType, ManagedConfiguration, Provisioning, SessionStatus, SessionType,
};
use crate::{
    env_vars::EnvVars,
    ids::{parse_ids, parse_optional},
    model::AgentType,
    secret_text::SecretText,
    sharing::{NamedMemberRequest, Visibility},
};

/// Creates a session. Everything is optional: an empty object makes a scratch session.
///
/// At most one of `configurationId`, `managedConfiguration` and `cliConfiguration` may be given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"title": "Fix the login page", "initialPrompt": "The login page is blank."}))]
pub struct CreateSessionRequest {
    /// The caller's organization; it can be left out, and any other is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<String>,
    /// `coding` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_type: Option<SessionType>,
    /// `web` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_type: Option<ClientType>,
    /// Arbitrary data of the client, at most 16 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub client_metadata: Option<Map<String, Value>>,
    /// `deferred` if absent. `sandboxMode` is another name for this member.
    #[serde(alias = "sandboxMode", skip_serializing_if = "Option::is_none")]
    pub provisioning: Option<Provisioning>,
    /// An existing configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "uuid")]
    pub configuration_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub managed_configuration: Option<ManagedConfiguration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cli_configuration: Option<CliConfiguration>,
    /// Boots from this snapshot instead of the configuration's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot_id: Option<String>,
    /// Sent to the agent as soon as it is ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200_000)]
    pub initial_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_config: Option<AgentConfigRequest>,
    /// Short for `agentConfig.modelId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "claude-opus-4.6")]
    pub model_id: Option<String>,
    /// Replaces the instructions of the session's type.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200_000)]
    pub system_prompt: Option<String>,
    /// Connections the session may use. One whose token does not work is left out with a warning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 50)]
    pub integration_ids: Vec<String>,
    /// Environment of this session only, at most 100 variables.
    #[serde(default, skip_serializing_if = "EnvVars::is_empty")]
    pub env_vars: EnvVars,
    /// Opens the sandbox for SSH, which creates it at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ssh_options: Option<SshOptions>,
    /// Which members see it; `organization` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// Members who are named for it: to steer it, or to see one for `people`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 50)]
    pub people: Vec<NamedMemberRequest>,
}

/// The configuration of the agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgentConfigRequest {
    /// `opencode` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<AgentType>,
    /// Any spelling of a known model; `GET /v1/models` lists them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "claude-opus-4.6")]
    pub model_id: Option<String>,
    /// Narrows the tools of the session's type.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 50)]
    pub tools: Option<Vec<String>>,
}

/// Access to the sandbox by SSH.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SshOptions {
    #[schema(max_items = 10, example = json!(["ssh-ed25519 AAAAC3Nz... ann@laptop"]))]
    pub public_keys: Vec<String>,
    /// The folder on the caller's machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub local_path: Option<String>,
    /// For git inside the sandbox. Never returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git_token: Option<SecretText>,
    /// Added to the `envVars` of the session.
    #[serde(default, skip_serializing_if = "EnvVars::is_empty")]
    pub env_vars: EnvVars,
}

impl CreateSessionRequest {
    pub fn organization_id(&self) -> Result<Option<OrganizationId>, Invalid> {
        parse_optional("organizationId", self.organization_id.as_deref())
    }

    pub fn integration_ids(&self) -> Result<Vec<IntegrationId>, Invalid> {
        parse_ids(
            "integrationIds",
            &self.integration_ids,
            SESSION_INTEGRATIONS_MAX,
        )
    }

    /// The agent's configuration, with a known model and bounded tools.
    pub fn agent_config(&self) -> Result<AgentConfig, Invalid> {
        let given = self.agent_config.clone().unwrap_or_default();
        let resolve = |field: &str, id: &Option<String>| {
            id.as_deref()
                .map(|id| Model::resolve(field, id))
                .transpose()
        };
        let short = resolve("modelId", &self.model_id)?;
        let long = resolve("agentConfig.modelId", &given.model_id)?;
        if let (Some(short), Some(long)) = (short, long)
            && short != long
        {
            return Err(Invalid::new("modelId", "contradicts agentConfig.modelId"));
        }
        let agent_type = given
            .agent_type
            .map_or(DomainAgentType::OpenCode, Into::into);
        AgentConfig::new(
            agent_type,
            long.or(short).unwrap_or(Model::DEFAULT),
            given.tools,
        )
    }
}

/// The session that was created, or that an earlier identical request had created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateSessionResponse {
    pub session_id: Uuid,
    /// Absent for a scratch session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub configuration_id: Option<Uuid>,
    pub status: SessionStatus,
    /// Where clients of this session connect to.
    #[schema(example = "http://127.0.0.1:7717")]
    pub gateway_url: String,
    /// Whether it boots from a snapshot.
    pub has_snapshot: bool,
    /// Whether the configuration was created for this session.
    pub is_new_configuration: bool,
    /// Whether a request with the same `Idempotency-Key` had created it before.
    pub already_existed: bool,
    /// Connections that were requested and left out.
    #[serde(default)]
    pub integration_warnings: Vec<IntegrationWarning>,
    /// Why the sandbox could not be created at once; the session exists all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub provisioning_error: Option<ProvisioningError>,
}

/// A connection that was left out because its token does not work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationWarning {
    pub integration_id: Uuid,
    pub message: String,
}

impl From<domain::session::IntegrationWarning> for IntegrationWarning {
    fn from(warning: domain::session::IntegrationWarning) -> Self {
        Self {
            integration_id: warning.integration_id.uuid(),
            message: warning.message,
        }
    }
}

/// Why a sandbox could not be created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProvisioningError {
    pub message: String,
    /// Whether a retry may help.
    pub retryable: bool,
}
