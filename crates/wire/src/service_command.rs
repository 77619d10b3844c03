//! Service commands, which configurations and repositories both have.

use domain::configuration::ServiceCommand as Domain;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A command that starts a service in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServiceCommand {
    #[schema(min_length = 1, max_length = 100, example = "web")]
    pub name: String,
    #[schema(min_length = 1, max_length = 1000, example = "npm run dev")]
    pub command: String,
    /// Folder to run it in, below the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500, example = "apps/web")]
    pub cwd: Option<String>,
    /// Folder of the repository it belongs to, if the configuration has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub workspace_path: Option<String>,
}

impl From<Domain> for ServiceCommand {
    fn from(command: Domain) -> Self {
        Self {
            name: command.name,
            command: command.command,
            cwd: command.cwd,
            workspace_path: command.workspace_path,
        }
    }
}

impl From<ServiceCommand> for Domain {
    fn from(command: ServiceCommand) -> Self {
        Self {
            name: command.name,
            command: command.command,
            cwd: command.cwd,
            workspace_path: command.workspace_path,
        }
    }
}

/// Converts a list in either direction.
pub(crate) fn convert_all<A, B: From<A>>(list: Vec<A>) -> Vec<B> {
    list.into_iter().map(B::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_comes_back_as_it_went() {
        let text = r#"{"name":"web","command":"npm start","cwd":"apps/web"}"#;
        let command: ServiceCommand = serde_json::from_str(text).unwrap();
        let back = ServiceCommand::from(Domain::from(command));
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
        let unknown = r#"{"name":"web","command":"x","dir":"y"}"#;
        assert!(serde_json::from_str::<ServiceCommand>(unknown).is_err());
    }
}
