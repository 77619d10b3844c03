//! Secrets. Values are accepted and never returned: no response here has a member that could hold
//! one.

mod import;
mod scope;
#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    id::SecretId,
    page::PageRequest,
    secret::{Secret, SecretScope as DomainScope},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    page::page_request,
    patch::{Patch, not_null},
    secret_text::SecretText,
};

pub use import::{
    CheckSecretsRequest, ImportSecretsRequest, ImportSecretsResponse, OnExisting, SecretCheck,
};
pub use scope::{SecretScope, SecretScopeKind};

/// A secret without its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretView {
    pub id: Uuid,
    pub scope: SecretScope,
    pub key: String,
    pub description: Option<String>,
    pub created_by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Stores a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateSecretRequest {
    /// Name of the environment variable: letters, digits and `_`. Names that the platform sets
    /// itself are refused.
    #[schema(min_length = 1, max_length = 200, example = "DATABASE_URL")]
    pub key: String,
    /// At most 64 KiB. Never returned.
    pub value: SecretText,
    /// The whole organization if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<SecretScope>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 10_000)]
    pub description: Option<String>,
}

impl CreateSecretRequest {
    pub fn scope(&self) -> Result<DomainScope, Invalid> {
        scope::or_organization(self.scope.clone())
    }
}

/// Changes a secret. Key and scope stay: the value is sealed to them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateSecretRequest {
    /// At most 64 KiB. Never returned.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub value: Option<SecretText>,
    /// `null` removes it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<String>, max_length = 10_000)]
    pub description: Patch<String>,
}

/// Which secrets to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListSecretsQuery {
    /// Only secrets of this scope; all scopes if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(inline)]
    pub scope_kind: Option<SecretScopeKind>,
    /// Id of the repository, configuration or session; required with any kind but `organization`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_id: Option<String>,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many entries at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
}

impl ListSecretsQuery {
    /// `None` asks for every scope.
    pub fn scope(&self) -> Result<Option<DomainScope>, Invalid> {
        match (self.scope_kind, self.scope_id.as_deref()) {
            (None, None) => Ok(None),
            (None, Some(_)) => Err(Invalid::new("scopeKind", "is required with `scopeId`")),
            (Some(kind), id) => scope::to_domain(kind, "scopeId", id).map(Some),
        }
    }

    pub fn page_request(&self) -> Result<PageRequest<SecretId>, Invalid> {
        page_request(self.cursor.as_deref(), self.limit)
    }
}

impl From<Secret> for SecretView {
    fn from(secret: Secret) -> Self {
        Self {
            id: secret.id.uuid(),
            scope: secret.scope.into(),
            key: secret.key,
            description: secret.description,
            created_by: secret.created_by.map(|id| id.to_string()),
            created_at: secret.created_at.datetime(),
            updated_at: secret.updated_at.datetime(),
        }
    }
}
