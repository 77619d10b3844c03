//! Tries or starts the commands that start a session's services.

use app::{Error, access::Steering};
use domain::{
    configuration::ServiceCommand,
    limits::{
        AUTO_START_OUTPUT_BYTES_MAX, AUTO_START_TEST_WAIT, DAEMON_REQUEST_TIMEOUT,
        DAEMON_SHORT_ANSWER_BYTES_MAX,
    },
};
use futures::future::join_all;
use sandbox::{ExecRequest, Exit, Handle as Sandbox, HomePath};
use serde::Deserialize;
use serde_json::json;
use wire::live::{AutoStartEntry, AutoStartMode, AutoStartOutput, RunAutoStart};

use super::{
    access::{SandboxAccess, SandboxCallError},
    daemon::{Daemon, DaemonRequest},
};
use crate::{registry::SessionKey, runtime::Machine};

impl SandboxAccess {
    /// Tries the commands or starts them; those of the configuration unless others are given. Boots the sandbox if it is not
    /// running.
    pub async fn run_services(
        &self,
        steering: &Steering,
        request: RunAutoStart,
    ) -> Result<AutoStartOutput, SandboxCallError> {
        let key = steering.into();
        let commands = match request.commands {
            Some(commands) => commands.into_iter().map(Into::into).collect(),
            None => self.load_commands(&key).await?,
        };
        ServiceCommand::validate_all(&commands).map_err(Error::from)?;
        let reached = self.reach_booted(&key).await?;
        let entries = match request.mode {
            AutoStartMode::Test => {
                let machine = self.machine().await?;
                let tried = commands.iter();
                join_all(tried.map(|one| try_command(machine, &reached.sandbox, one))).await
            }
            AutoStartMode::Start => {
                let daemon = self.daemon(&reached).await?;
                let mut entries = Vec::with_capacity(commands.len());
                for command in &commands {
                    entries.push(start_service(&daemon, command).await);
                }
                entries
            }
        };
        Ok(AutoStartOutput {
            run_id: request.run_id,
            entries,
        })
    }

    async fn load_commands(&self, key: &SessionKey) -> Result<Vec<ServiceCommand>, Error> {
        let organization_id = &key.organization_id;
        let mut conn = self.registry.app().db.read().await?;
        let session = store::session_fetch(&mut conn, organization_id, key.id).await?;
        let session = session.ok_or(Error::NotFound("session"))?;
        let Some(id) = session.configuration_id else {
            return Ok(Vec::new());
        };
        let configuration = store::configuration_fetch(&mut conn, organization_id, id).await?;
        Ok(configuration.map_or_else(Vec::new, |one| one.service_commands))
    }
}

/// Runs a command for a bounded time, and returns its output so far.
async fn try_command(
    machine: &Machine,
    sandbox: &Sandbox,
    command: &ServiceCommand,
) -> AutoStartEntry {
    let Ok(cwd) = working_directory(command) else {
        return entry(command, "The folder cannot be used.".to_owned(), None, None);
    };
    let mut request = ExecRequest::new(["bash", "-c", command.command.as_str()]);
    request.cwd = cwd;
    request.timeout = AUTO_START_TEST_WAIT;
    request.output_bytes_max = AUTO_START_OUTPUT_BYTES_MAX;
    match machine.provider.exec(sandbox, request).await {
        Ok(ended) => {
            let output = format!("{}{}", ended.stdout.text(), ended.stderr.text());
            let code = match ended.exit {
                Exit::Code(code) => Some(code),
                Exit::TimedOut => None,
            };
            entry(command, output, code, None)
        }
        Err(error) => entry(command, error.to_string(), None, None),
    }
}

/// The part of the response about a started service that is read.
#[derive(Deserialize)]
struct StartedService {
    #[serde(default)]
    service: ServiceLog,
}

#[derive(Default, Deserialize)]
struct ServiceLog {
    #[serde(rename = "logFile", default)]
    log_file: Option<String>,
}

async fn start_service(daemon: &Daemon, command: &ServiceCommand) -> AutoStartEntry {
    let mut body = json!({"name": command.name, "command": command.command});
    for (name, value) in [
        ("cwd", &command.cwd),
        ("workspacePath", &command.workspace_path),
    ] {
        if let Some(value) = value {
            body[name] = json!(value);
        }
    }
    let request = DaemonRequest {
        path: "/api/services",
        query: &[],
        response_bytes_max: DAEMON_SHORT_ANSWER_BYTES_MAX,
    };
    let response: Result<StartedService, Error> =
        daemon.post(request, &body, DAEMON_REQUEST_TIMEOUT).await;
    match response {
        Ok(response) => entry(
            command,
            "Started.".to_owned(),
            None,
            response.service.log_file,
        ),
        Err(error) => entry(command, error.to_string(), Some(1), None),
    }
}

fn working_directory(command: &ServiceCommand) -> sandbox::Result<HomePath> {
    let mut path = HomePath::workspace();
    for part in [&command.workspace_path, &command.cwd]
        .into_iter()
        .flatten()
    {
        let part = part.trim_start_matches("./");
        if part != "." && !part.is_empty() {
            path = path.join(part)?;
        }
    }
    Ok(path)
}

fn entry(
    command: &ServiceCommand,
    output: String,
    exit_code: Option<i32>,
    log_file: Option<String>,
) -> AutoStartEntry {
    AutoStartEntry {
        name: command.name.clone(),
        workspace_path: command.workspace_path.clone(),
        cwd: command.cwd.clone(),
        output,
        exit_code,
        log_file,
    }
}
