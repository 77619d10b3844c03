//! Env files of a configuration: which keys go where, never their values.

use domain::configuration::{EnvFile as DomainFile, EnvFileKey as DomainKey};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::service_command::convert_all;

/// A file of environment variables that is written into the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnvFile {
    /// Folder of the repository, below the workspace.
    #[serde(default = "workspace_root")]
    #[schema(min_length = 1, max_length = 500, default = ".")]
    pub workspace_path: String,
    /// Path of the file, below that folder.
    #[schema(min_length = 1, max_length = 500, example = "apps/web/.env")]
    pub path: String,
    #[serde(default)]
    pub format: EnvFileFormat,
    #[serde(default)]
    pub mode: EnvFileMode,
    #[schema(min_items = 1, max_items = 50)]
    pub keys: Vec<EnvFileKey>,
}

/// How the file is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum EnvFileFormat {
    /// `KEY=value` lines.
    #[default]
    Dotenv,
}

/// How its values are treated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum EnvFileMode {
    /// Removed before a snapshot and written again after it.
    #[default]
    Secret,
}

/// One key of an env file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnvFileKey {
    #[schema(min_length = 1, max_length = 200, example = "DATABASE_URL")]
    pub key: String,
    /// Whether the file may not be written without it.
    pub required: bool,
}

fn workspace_root() -> String {
    ".".to_owned()
}

impl From<DomainFile> for EnvFile {
    fn from(file: DomainFile) -> Self {
        Self {
            workspace_path: file.workspace_path,
            path: file.path,
            format: EnvFileFormat::Dotenv,
            mode: EnvFileMode::Secret,
            keys: convert_all(file.keys),
        }
    }
}

impl From<EnvFile> for DomainFile {
    fn from(file: EnvFile) -> Self {
        // The only format and the only mode; adding a second one breaks this line at compile time.
        let (EnvFileFormat::Dotenv, EnvFileMode::Secret) = (file.format, file.mode);
        Self {
            workspace_path: file.workspace_path,
            path: file.path,
            keys: convert_all(file.keys),
        }
    }
}

impl From<DomainKey> for EnvFileKey {
    fn from(DomainKey { key, required }: DomainKey) -> Self {
        Self { key, required }
    }
}

impl From<EnvFileKey> for DomainKey {
    fn from(EnvFileKey { key, required }: EnvFileKey) -> Self {
        Self { key, required }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_left_out_has_its_default() {
        let keys = json!([{"key": "A", "required": true}]);
        let file: EnvFile = serde_json::from_value(json!({"path": ".env", "keys": keys})).unwrap();
        let back = serde_json::to_value(EnvFile::from(DomainFile::from(file))).unwrap();
        assert_eq!(
            back,
            json!({"workspacePath": ".", "path": ".env", "format": "dotenv", "mode": "secret", "keys": keys})
        );
    }

    #[test]
    fn other_formats_modes_and_members_are_refused() {
        for (member, value) in [("format", "json"), ("mode", "plain"), ("value", "x")] {
            let mut file = json!({"path": ".env", "keys": []});
            file[member] = json!(value);
            assert!(serde_json::from_value::<EnvFile>(file).is_err(), "{member}");
        }
    }
}
