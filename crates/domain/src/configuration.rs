//! A configuration: the repositories, commands, env files and snapshot a session starts from.

use crate::{
    clock::Timestamp,
    id::{ConfigurationId, OrganizationId, RepoId, UserId},
    invalid::{Invalid, bounded_count, bounded_text, relative_path},
    limits::{
        ENV_FILE_KEYS_MAX, ENV_FILES_MAX, NAME_LENGTH_MAX, PATH_LENGTH_MAX, SECRET_KEY_LENGTH_MAX,
        SERVICE_COMMAND_LENGTH_MAX, SERVICE_COMMANDS_MAX,
    },
    startup_variable,
};

crate::text_enum! {
    /// The progress of a configuration.
    ConfigurationStatus {
        Pending = "pending",
        Building = "building",
        Default = "default",
        Ready = "ready",
        Failed = "failed",
    }
}

crate::text_enum! {
    /// How it was created: by a user, by the platform for a set of repositories, or by a terminal
    /// for a folder.
    ConfigurationType {
        Manual = "manual",
        Managed = "managed",
        Cli = "cli",
    }
}

/// A configuration's record.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    pub id: ConfigurationId,
    pub organization_id: OrganizationId,
    pub name: String,
    pub notes: Option<String>,
    pub configuration_type: ConfigurationType,
    pub status: ConfigurationStatus,
    pub error: Option<String>,
    pub snapshot_id: Option<String>,
    pub service_commands: Vec<ServiceCommand>,
    pub env_files: Vec<EnvFile>,
    /// What each of its sessions may spend on its model; `None` uses the organization's budget.
    pub budget_micro_usd: Option<i64>,
    /// MCP servers; the connectors define their shape.
    pub connectors: Vec<serde_json::Value>,
    /// The user a `cli` configuration belongs to, and the folder it stands for.
    pub user_id: Option<UserId>,
    pub local_path_hash: Option<String>,
    /// The repositories of a `managed` configuration as one text, so that the database can refuse
    /// a second one for the same set.
    pub managed_key: Option<String>,
    pub repos: Vec<ConfigurationRepo>,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A repository of a configuration and its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigurationRepo {
    pub repo_id: RepoId,
    pub workspace_path: String,
}

/// A command that starts a service in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceCommand {
    pub name: String,
    pub command: String,
    pub cwd: Option<String>,
    pub workspace_path: Option<String>,
}

impl ServiceCommand {
    pub fn validate_all(commands: &[Self]) -> Result<(), Invalid> {
        bounded_count("serviceCommands", commands.len(), SERVICE_COMMANDS_MAX)?;
        for (index, command) in commands.iter().enumerate() {
            command
                .validate()
                .map_err(|e| e.within(&format!("serviceCommands[{index}]")))?;
        }
        Ok(())
    }

    fn validate(&self) -> Result<(), Invalid> {
        bounded_text("name", &self.name, 1, NAME_LENGTH_MAX)?;
        bounded_text("command", &self.command, 1, SERVICE_COMMAND_LENGTH_MAX)?;
        for (field, path) in [("cwd", &self.cwd), ("workspacePath", &self.workspace_path)] {
            if let Some(path) = path {
                relative_path(field, path, PATH_LENGTH_MAX)?;
            }
        }
        Ok(())
    }
}

/// A file of environment variables: which keys it holds, never their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvFile {
    pub workspace_path: String,
    pub path: String,
    pub keys: Vec<EnvFileKey>,
}

/// One key of an env file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvFileKey {
    pub key: String,
    pub required: bool,
}

impl EnvFile {
    pub fn validate_all(files: &[Self]) -> Result<(), Invalid> {
        bounded_count("envFiles", files.len(), ENV_FILES_MAX)?;
        for (index, file) in files.iter().enumerate() {
            file.validate()
                .map_err(|e| e.within(&format!("envFiles[{index}]")))?;
        }
        Ok(())
    }

    /// Refuses keys that change how programs start, unless their author is an admin or the files had them before.
    pub fn refuse_startup_variables(
        files: &[Self],
        before: &[Self],
        is_admin: bool,
    ) -> Result<(), Invalid> {
        let had = |key: &str| {
            let mut keys = before.iter().flat_map(|file| &file.keys);
            keys.any(|one| one.key == key)
        };
        for (index, file) in files.iter().enumerate() {
            for (place, key) in file.keys.iter().enumerate() {
                let field = format!("envFiles[{index}].keys[{place}].key");
                startup_variable::refuse(&field, &key.key, is_admin || had(&key.key))?;
            }
        }
        Ok(())
    }

    fn validate(&self) -> Result<(), Invalid> {
        relative_path("workspacePath", &self.workspace_path, PATH_LENGTH_MAX)?;
        relative_path("path", &self.path, PATH_LENGTH_MAX)?;
        if self.keys.is_empty() {
            return Err(Invalid::new("keys", "must not be empty"));
        }
        bounded_count("keys", self.keys.len(), ENV_FILE_KEYS_MAX)?;
        for (index, key) in self.keys.iter().enumerate() {
            bounded_text(
                &format!("keys[{index}].key"),
                &key.key,
                1,
                SECRET_KEY_LENGTH_MAX,
            )?;
        }
        Ok(())
    }
}

/// The canonical text of a set of repositories, in any given order.
pub fn managed_key(repo_ids: &[RepoId]) -> String {
    let mut ids: Vec<_> = repo_ids.iter().map(ToString::to_string).collect();
    ids.sort();
    ids.dedup();
    ids.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(name: &str, command: &str, cwd: Option<&str>) -> ServiceCommand {
        ServiceCommand {
            name: name.into(),
            command: command.into(),
            cwd: cwd.map(Into::into),
            workspace_path: None,
        }
    }

    #[test]
    fn service_commands_name_the_field_that_is_wrong() {
        let good = command("web", "npm start", Some("apps/web"));
        assert!(ServiceCommand::validate_all(std::slice::from_ref(&good)).is_ok());
        let cases = [
            (command("", "x", None), "serviceCommands[1].name"),
            (command("x", "", None), "serviceCommands[1].command"),
            (command("x", "y", Some("../..")), "serviceCommands[1].cwd"),
        ];
        for (bad, field) in cases {
            let error = ServiceCommand::validate_all(&[good.clone(), bad]).unwrap_err();
            assert_eq!(error.field, field);
        }
        assert!(ServiceCommand::validate_all(&vec![good; 11]).is_err());
    }

    #[test]
    fn env_files_hold_at_least_one_key_below_the_workspace() {
        let file = |path: &str, keys: usize| EnvFile {
            workspace_path: ".".into(),
            path: path.into(),
            keys: (0..keys)
                .map(|n| EnvFileKey {
                    key: format!("KEY_{n}"),
                    required: true,
                })
                .collect(),
        };
        assert!(EnvFile::validate_all(&[file(".env", 50)]).is_ok());
        assert_eq!(
            EnvFile::validate_all(&[file("/x", 1)]).unwrap_err().field,
            "envFiles[0].path"
        );
        assert!(EnvFile::validate_all(&[file(".env", 0)]).is_err());
        assert!(EnvFile::validate_all(&[file(".env", 51)]).is_err());
    }
}
