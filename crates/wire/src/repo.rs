//! Code repositories.

use chrono::{DateTime, Utc};
use domain::repo::{Repo, RepoDraft};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    patch::{Patch, not_null},
    service_command::{ServiceCommand, convert_all},
};

wire_enum! {
    /// Where the code comes from.
    RepoSource = domain::repo::RepoSource {
        Github = "github",
        Git = "git",
        Local = "local",
    }
}

wire_enum! {
    /// What agents may push: nothing, any branch but the default one, or anything the credential allows.
    RepoPush = domain::repo::RepoPush {
        Never = "never",
        Branches = "branches",
        Any = "any",
    }
}

/// A repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepoView {
    pub id: Uuid,
    pub organization_id: String,
    pub name: String,
    pub url: Option<String>,
    pub default_branch: String,
    pub source: RepoSource,
    pub push: RepoPush,
    pub service_commands: Vec<ServiceCommand>,
    /// No connection gives access to it any more.
    pub is_orphaned: bool,
    pub created_by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Adds a repository.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateRepoRequest {
    #[schema(min_length = 1, max_length = 200, example = "acme/web")]
    pub name: String,
    /// Where git clones it from, without credentials. Required unless `source` is `local`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 2000, example = "https://github.com/acme/web.git")]
    pub url: Option<String>,
    /// `main` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200, default = "main")]
    pub default_branch: Option<String>,
    /// `git` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<RepoSource>,
    /// `never` if absent; other values require an administrator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push: Option<RepoPush>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 10)]
    pub service_commands: Vec<ServiceCommand>,
}

/// Changes a repository. A given list replaces the whole list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateRepoRequest {
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_length = 1, max_length = 200)]
    pub name: Option<String>,
    /// `null` removes it, which only a `local` repository allows.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<String>, max_length = 2000)]
    pub url: Patch<String>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_length = 1, max_length = 200)]
    pub default_branch: Option<String>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub source: Option<RepoSource>,
    /// Only an administrator may change it.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub push: Option<RepoPush>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_items = 10)]
    pub service_commands: Option<Vec<ServiceCommand>>,
}

impl From<CreateRepoRequest> for RepoDraft {
    fn from(request: CreateRepoRequest) -> Self {
        Self {
            name: request.name,
            url: request.url,
            default_branch: request.default_branch.unwrap_or_else(|| "main".to_owned()),
            source: request.source.unwrap_or(RepoSource::Git).into(),
            push: request.push.unwrap_or(RepoPush::Never).into(),
            service_commands: convert_all(request.service_commands),
        }
    }
}

impl UpdateRepoRequest {
    /// The repository after the change; not yet validated.
    pub fn apply_to(self, current: RepoDraft) -> RepoDraft {
        RepoDraft {
            name: self.name.unwrap_or(current.name),
            url: self.url.apply_to(current.url),
            default_branch: self.default_branch.unwrap_or(current.default_branch),
            source: self.source.map_or(current.source, Into::into),
            push: self.push.map_or(current.push, Into::into),
            service_commands: self
                .service_commands
                .map_or(current.service_commands, convert_all),
        }
    }
}

impl From<Repo> for RepoView {
    fn from(repo: Repo) -> Self {
        Self {
            id: repo.id.uuid(),
            organization_id: repo.organization_id.to_string(),
            name: repo.name,
            url: repo.url,
            default_branch: repo.default_branch,
            source: repo.source.into(),
            push: repo.push.into(),
            service_commands: convert_all(repo.service_commands),
            is_orphaned: repo.is_orphaned,
            created_by: repo.created_by.map(|id| id.to_string()),
            created_at: repo.created_at.datetime(),
            updated_at: repo.updated_at.datetime(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_left_out_has_its_default() {
        let body = json!({"name": "acme/web", "url": "https://example.com/acme/web.git"});
        let request: CreateRepoRequest = serde_json::from_value(body.clone()).unwrap();
        assert_eq!(serde_json::to_value(&request).unwrap(), body);
        let draft = RepoDraft::from(request);
        assert_eq!(draft.default_branch, "main");
        assert_eq!(draft.source, domain::repo::RepoSource::Git);
        assert!(draft.validate().is_ok());
    }

    #[test]
    fn a_change_touches_only_what_it_names() {
        let request: CreateRepoRequest =
            serde_json::from_value(json!({"name": "a", "url": "https://example.com/a"})).unwrap();
        let draft = RepoDraft::from(request);
        let change = |body| serde_json::from_value::<UpdateRepoRequest>(body);
        assert_eq!(change(json!({})).unwrap().apply_to(draft.clone()), draft);
        let changed = change(json!({"url": null, "source": "local"}))
            .unwrap()
            .apply_to(draft);
        assert_eq!((changed.url, changed.name.as_str()), (None, "a"));
        assert!(change(json!({"name": null})).is_err());
        assert!(change(json!({"branch": "x"})).is_err());
    }
}
