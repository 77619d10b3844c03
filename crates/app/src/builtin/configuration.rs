//! `save_service_commands` and `save_env_files`: what an agent that prepares a configuration found out, kept
//! for the sessions that start from it. Names of variables are kept, never values.

use agent::tool::{Args, validate};
use domain::configuration::{Configuration, EnvFile};
use serde_json::{Value, json};
use store::ConfigurationPatch;
use tools::{Failure, PermittedCall, Produced};

use super::parameters::{database, invalid};
use crate::context::App;

pub(super) async fn save(app: &App, call: &PermittedCall) -> Result<Produced, Failure> {
    let args = Value::Object(call.parameters.clone());
    let args = validate(call.spec.operation.as_str(), &args);
    let args = args.map_err(|wrong| invalid(wrong.to_string()))?;
    let mut tx = app.db.write().await.map_err(database)?;
    let organization_id = &call.scope.organization_id;
    let session_id = call.scope.session_id.ok_or_else(no_configuration)?;
    let session = store::session_fetch(&mut tx, organization_id, session_id).await;
    let session = session.map_err(database)?.ok_or_else(no_configuration)?;
    let id = session.configuration_id.ok_or_else(no_configuration)?;
    let found = store::configuration_fetch(&mut tx, organization_id, id).await;
    let mut configuration: Configuration = found.map_err(database)?.ok_or_else(no_configuration)?;
    let (text, count) = match args {
        Args::SaveServiceCommands { commands } => {
            let count = commands.len();
            configuration.service_commands = commands;
            (
                format!("Saved {count} service commands."),
                ("commandCount", count),
            )
        }
        Args::SaveEnvFiles { files } => {
            let count = files.len();
            let before = &configuration.env_files;
            EnvFile::refuse_startup_variables(&files, before, false)
                .map_err(|wrong| invalid(wrong.to_string()))?;
            configuration.env_files = files;
            (format!("Saved {count} env files."), ("fileCount", count))
        }
        _ => return Err(invalid("the tool keeps something else")),
    };
    configuration.updated_at = app.now();
    let patch = ConfigurationPatch {
        configuration: &configuration,
        repos: None,
    };
    if !store::configuration_update(&mut tx, patch)
        .await
        .map_err(database)?
    {
        return Err(no_configuration());
    }
    tx.commit().await.map_err(database)?;
    let mut data = json!({"configurationId": id.to_string()});
    data[count.0] = count.1.into();
    Produced::answer(&text, Some(&data))
}

fn no_configuration() -> Failure {
    invalid("this session has no configuration to keep it in")
}
