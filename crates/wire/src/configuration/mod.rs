//! Configurations: what a session starts from.

mod env_file;

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    configuration::{Configuration, ConfigurationRepo as DomainRepo},
    id::RepoId,
    limits::CONFIGURATION_REPOS_MAX,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    connector::ConnectorConfig,
    ids::parse_ids,
    patch::{Patch, not_null},
    service_command::{ServiceCommand, convert_all},
};

pub use env_file::{EnvFile, EnvFileFormat, EnvFileKey, EnvFileMode};

wire_enum! {
    /// The progress of a configuration.
    ConfigurationStatus = domain::configuration::ConfigurationStatus {
        Pending = "pending",
        Building = "building",
        Default = "default",
        Ready = "ready",
        Failed = "failed",
    }
}

wire_enum! {
    /// How it was created: by a user, by the platform for a set of repositories, or by a terminal
    /// for a folder.
    ConfigurationType = domain::configuration::ConfigurationType {
        Manual = "manual",
        Managed = "managed",
        Cli = "cli",
    }
}

/// A configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigurationView {
    pub id: Uuid,
    pub organization_id: String,
    pub name: String,
    pub notes: Option<String>,
    #[serde(rename = "type")]
    pub configuration_type: ConfigurationType,
    pub status: ConfigurationStatus,
    /// Why it failed, if it did.
    pub error: Option<String>,
    /// The snapshot its sessions boot from.
    pub snapshot_id: Option<String>,
    pub repos: Vec<ConfigurationRepo>,
    pub service_commands: Vec<ServiceCommand>,
    pub env_files: Vec<EnvFile>,
    /// What each of its sessions may spend on its model, unless the session has a budget of its own; `null` uses the
    /// organization's budget.
    #[schema(required, example = 5_000_000)]
    pub budget_micro_usd: Option<i64>,
    /// MCP servers.
    #[schema(value_type = Vec<ConnectorConfig>)]
    pub connectors: Vec<Value>,
    /// The user a `cli` configuration belongs to.
    pub user_id: Option<String>,
    /// The folder a `cli` configuration stands for.
    pub local_path_hash: Option<String>,
    pub created_by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// A repository of a configuration and its folder below the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigurationRepo {
    pub repo_id: Uuid,
    #[schema(example = ".")]
    pub workspace_path: String,
}

/// Creates a configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateConfigurationRequest {
    #[schema(min_length = 1, max_length = 100, example = "Web shop")]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 10_000)]
    pub notes: Option<String>,
    /// Repositories to clone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub repo_ids: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 10)]
    pub service_commands: Vec<ServiceCommand>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 10)]
    pub env_files: Vec<EnvFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot_id: Option<String>,
    /// What each of its sessions may spend on its model, in millionths of a dollar. For admins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, example = 5_000_000)]
    pub budget_micro_usd: Option<i64>,
    /// MCP servers. For admins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub connectors: Vec<ConnectorConfig>,
}

impl CreateConfigurationRequest {
    pub fn repo_ids(&self) -> Result<Vec<RepoId>, Invalid> {
        parse_ids("repoIds", &self.repo_ids, CONFIGURATION_REPOS_MAX)
    }
}

/// Changes a configuration. A given list replaces the whole list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateConfigurationRequest {
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// `null` removes them.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<String>, max_length = 10_000)]
    pub notes: Patch<String>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_items = 20)]
    pub repo_ids: Option<Vec<String>>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_items = 10)]
    pub service_commands: Option<Vec<ServiceCommand>>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_items = 10)]
    pub env_files: Option<Vec<EnvFile>>,
    /// `null` lets its sessions start without a snapshot again.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<String>)]
    pub snapshot_id: Patch<String>,
    /// What each of its sessions may spend on its model, in millionths of a dollar; `null` uses the organization's
    /// budget. For admins.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<i64>, minimum = 0)]
    pub budget_micro_usd: Patch<i64>,
    /// MCP servers. For admins.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_items = 20)]
    pub connectors: Option<Vec<ConnectorConfig>>,
}

impl UpdateConfigurationRequest {
    pub fn repo_ids(&self) -> Result<Option<Vec<RepoId>>, Invalid> {
        let parse = |ids: &Vec<String>| parse_ids("repoIds", ids, CONFIGURATION_REPOS_MAX);
        self.repo_ids.as_ref().map(parse).transpose()
    }
}

impl From<Configuration> for ConfigurationView {
    fn from(configuration: Configuration) -> Self {
        Self {
            id: configuration.id.uuid(),
            organization_id: configuration.organization_id.to_string(),
            name: configuration.name,
            notes: configuration.notes,
            configuration_type: configuration.configuration_type.into(),
            status: configuration.status.into(),
            error: configuration.error,
            snapshot_id: configuration.snapshot_id,
            repos: convert_all(configuration.repos),
            service_commands: convert_all(configuration.service_commands),
            env_files: convert_all(configuration.env_files),
            budget_micro_usd: configuration.budget_micro_usd,
            connectors: configuration.connectors,
            user_id: configuration.user_id.map(|id| id.to_string()),
            local_path_hash: configuration.local_path_hash,
            created_by: configuration.created_by.map(|id| id.to_string()),
            created_at: configuration.created_at.datetime(),
            updated_at: configuration.updated_at.datetime(),
        }
    }
}

impl From<DomainRepo> for ConfigurationRepo {
    fn from(repo: DomainRepo) -> Self {
        Self {
            repo_id: repo.repo_id.uuid(),
            workspace_path: repo.workspace_path,
        }
    }
}

/// The snapshots of a configuration, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotsResponse {
    pub items: Vec<SnapshotView>,
}

/// A saved sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotView {
    /// The provider's name for it.
    pub id: String,
    pub provider: String,
    /// The session whose sandbox it was.
    pub session_id: Uuid,
    /// The snapshot it is based on.
    pub parent_id: Option<String>,
    pub byte_size: u64,
    /// How many layers a sandbox based on it has: its own, and those of its ancestors.
    pub depth: u32,
    pub created_at: DateTime<Utc>,
    /// Whether sessions of the configuration start from it.
    pub is_default: bool,
}

#[cfg(test)]
mod tests;
