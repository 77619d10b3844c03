//! JSON columns that have a shape: domain values on one side, stored JSON on the other. Written with
//! the same names as on the wire, so that an operator reads one vocabulary; read strictly.

use domain::{
    configuration::{EnvFile, EnvFileKey, ServiceCommand},
    id::InvalidId,
    model::{AgentConfig, AgentType, Model},
    session::IntegrationWarning,
};
use serde_json::{Value, json};

/// Why a stored JSON value is not what it should be.
pub(crate) type Parsed<T> = Result<T, String>;

pub(crate) fn service_commands_to(commands: &[ServiceCommand]) -> Value {
    commands
        .iter()
        .map(|c| {
            json!({
                "name": c.name,
                "command": c.command,
                "cwd": c.cwd,
                "workspacePath": c.workspace_path,
            })
        })
        .collect()
}

pub(crate) fn service_commands_from(json: &Value) -> Parsed<Vec<ServiceCommand>> {
    array(json)?
        .iter()
        .map(|item| {
            Ok(ServiceCommand {
                name: text(item, "name")?,
                command: text(item, "command")?,
                cwd: text_opt(item, "cwd"),
                workspace_path: text_opt(item, "workspacePath"),
            })
        })
        .collect()
}

pub(crate) fn env_files_to(files: &[EnvFile]) -> Value {
    files
        .iter()
        .map(|file| {
            let keys: Value = file
                .keys
                .iter()
                .map(|key| json!({ "key": key.key, "required": key.required }))
                .collect();
            json!({ "workspacePath": file.workspace_path, "path": file.path, "keys": keys })
        })
        .collect()
}

pub(crate) fn env_files_from(json: &Value) -> Parsed<Vec<EnvFile>> {
    let key_from = |item: &Value| {
        let required = item["required"].as_bool().ok_or("required is missing")?;
        Ok(EnvFileKey {
            key: text(item, "key")?,
            required,
        })
    };
    array(json)?
        .iter()
        .map(|item| {
            Ok(EnvFile {
                workspace_path: text(item, "workspacePath")?,
                path: text(item, "path")?,
                keys: array(&item["keys"])?
                    .iter()
                    .map(key_from)
                    .collect::<Parsed<_>>()?,
            })
        })
        .collect()
}

pub(crate) fn agent_config_to(config: &AgentConfig) -> Value {
    json!({
        "agentType": config.agent_type.as_str(),
        "modelId": config.model.spec().canonical,
        "tools": config.tools,
    })
}

pub(crate) fn agent_config_from(json: &Value) -> Parsed<AgentConfig> {
    let agent_type = text(json, "agentType")?;
    let model = text(json, "modelId")?;
    let tools = match &json["tools"] {
        Value::Null => None,
        tools => Some(texts_from(tools)?),
    };
    Ok(AgentConfig {
        agent_type: agent_type.parse::<AgentType>().map_err(|e| e.to_string())?,
        model: Model::resolve("modelId", &model).map_err(|e| e.to_string())?,
        tools,
    })
}

pub(crate) fn integration_warnings_to(warnings: &[IntegrationWarning]) -> Value {
    warnings
        .iter()
        .map(|w| json!({ "integrationId": w.integration_id.to_string(), "message": w.message }))
        .collect()
}

pub(crate) fn integration_warnings_from(json: &Value) -> Parsed<Vec<IntegrationWarning>> {
    array(json)?
        .iter()
        .map(|item| {
            let id = text(item, "integrationId")?;
            Ok(IntegrationWarning {
                integration_id: id.parse().map_err(|e: InvalidId| e.to_string())?,
                message: text(item, "message")?,
            })
        })
        .collect()
}

pub(crate) fn texts_from(json: &Value) -> Parsed<Vec<String>> {
    array(json)?
        .iter()
        .map(|item| {
            item.as_str()
                .map(str::to_owned)
                .ok_or_else(|| "not a text".to_owned())
        })
        .collect()
}

pub(crate) fn array(json: &Value) -> Parsed<&Vec<Value>> {
    json.as_array().ok_or_else(|| "not an array".to_owned())
}

pub(crate) fn text(item: &Value, name: &str) -> Parsed<String> {
    text_opt(item, name).ok_or_else(|| format!("{name} is missing"))
}

pub(crate) fn text_opt(item: &Value, name: &str) -> Option<String> {
    item[name].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let commands = vec![ServiceCommand {
            name: "web".into(),
            command: "npm start".into(),
            cwd: Some("apps/web".into()),
            workspace_path: None,
        }];
        assert_eq!(
            service_commands_from(&service_commands_to(&commands)),
            Ok(commands)
        );
        let files = vec![EnvFile {
            workspace_path: ".".into(),
            path: ".env".into(),
            keys: vec![EnvFileKey {
                key: "A".into(),
                required: true,
            }],
        }];
        assert_eq!(env_files_from(&env_files_to(&files)), Ok(files));
        let config = AgentConfig {
            tools: Some(vec!["verify".into()]),
            ..AgentConfig::default()
        };
        assert_eq!(agent_config_from(&agent_config_to(&config)), Ok(config));
    }

    #[test]
    fn anything_else_is_an_error_not_an_empty_list() {
        assert!(service_commands_from(&json!({})).is_err());
        assert!(service_commands_from(&json!([{ "name": "x" }])).is_err());
        assert!(
            env_files_from(&json!([{ "path": "x", "workspacePath": ".", "keys": [1] }])).is_err()
        );
        assert!(agent_config_from(&json!({ "agentType": "opencode", "modelId": "x" })).is_err());
    }
}
