//! What a new session starts from: at most one of three members of the request.

use domain::{
    Invalid, id::parse_field, limits::CONFIGURATION_REPOS_MAX, session::ConfigurationChoice,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::CreateSessionRequest;
use crate::ids::parse_ids;

/// The platform finds or creates the configuration for a set of repositories.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ManagedConfiguration {
    /// The repositories; all of the organization if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 20)]
    pub repo_ids: Option<Vec<String>>,
}

/// The platform finds or creates the configuration for a folder on a user's machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CliConfiguration {
    /// Identifies the folder without revealing its path.
    pub local_path_hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 100, example = "web-shop")]
    pub display_name: Option<String>,
}

impl CreateSessionRequest {
    /// The one choice of the request; two are an error.
    pub fn configuration_choice(&self) -> Result<ConfigurationChoice, Invalid> {
        let members = (
            &self.configuration_id,
            &self.managed_configuration,
            &self.cli_configuration,
        );
        match members {
            (None, None, None) => Ok(ConfigurationChoice::Scratch),
            (Some(id), None, None) => {
                parse_field("configurationId", id).map(ConfigurationChoice::Existing)
            }
            (None, Some(managed), None) => {
                let field = "managedConfiguration.repoIds";
                let parse = |ids: &Vec<String>| parse_ids(field, ids, CONFIGURATION_REPOS_MAX);
                let repo_ids = managed.repo_ids.as_ref().map(parse).transpose()?;
                Ok(ConfigurationChoice::Managed { repo_ids })
            }
            (None, None, Some(cli)) => Ok(ConfigurationChoice::Cli {
                local_path_hash: cli.local_path_hash.clone(),
                display_name: cli.display_name.clone(),
            }),
            _ => Err(Invalid::new(
                "configurationId",
                "only one of configurationId, managedConfiguration and cliConfiguration may be given",
            )),
        }
    }
}
