//! Runs the `proliferate` command in a sandbox during a boot and around a snapshot: env files, the daemon, services. If the
//! command was not built none of this happens, and a session that needs it gets a note.

use std::net::Ipv4Addr;

use agent::env;
use bytes::Bytes;
use domain::{
    configuration::{EnvFile, ServiceCommand},
    limits::{DAEMON_PORT, ENV_FILES_TIMEOUT, PREVIEW_PORT, SERVICES_START_TIMEOUT},
};
use sandbox::{ExecRequest, Exit, Handle, ProcessSpec, Provider, SnapshotRequest};
use serde::Serialize;

use super::{
    boot::{Boot, Machine},
    error::BootStepError,
    timeline::Step,
};

/// Absolute: another program of this name may be on the path.
const HELPER: &str = "/home/user/.local/bin/proliferate";
const DAEMON: &str = "daemon";
/// The exit code of a command that lacks a value.
const MISSING: Exit = Exit::Code(8);

fn helper(words: &[&str]) -> ExecRequest {
    let mut request = ExecRequest::new([HELPER].iter().chain(words).copied());
    request.timeout = ENV_FILES_TIMEOUT;
    request
}

/// Serializes a spec for standard input, which has no limit on the number of names.
fn spec<W: From<D> + Serialize, D: Clone>(of: &[D]) -> Option<Bytes> {
    let wire: Vec<W> = of.iter().cloned().map(W::from).collect();
    serde_json::to_vec(&wire).ok().map(Bytes::from)
}

/// Returns the commands to run around a snapshot: secrets are taken out of the env files, and put back. Returns `None` if
/// there are such files and no command that could do it.
pub fn snapshot_request(machine: &Machine, env_files: &[EnvFile]) -> Option<SnapshotRequest> {
    if env_files.is_empty() {
        return Some(SnapshotRequest::default());
    }
    machine.helper.as_ref()?;
    let mut before = helper(&["env", "scrub", "--hold", "--spec", "-"]);
    before.stdin = spec::<wire::configuration::EnvFile, _>(env_files);
    Some(SnapshotRequest {
        before: Some(before),
        after: Some(helper(&["env", "restore"])),
    })
}

/// Puts secrets back into the env files that a process took out which died then. Changes nothing if none are held.
pub async fn restore_env_files(machine: &Machine, handle: &Handle) {
    if machine.helper.is_none() {
        return;
    }
    let restored = machine.provider.exec(handle, helper(&["env", "restore"]));
    match restored.await {
        Ok(result) if result.is_success() => {}
        Ok(result) => tracing::warn!(exit = ?result.exit, "env files were not put back"),
        Err(error) => tracing::warn!(%error, "env files were not put back"),
    }
}

impl Boot<'_> {
    /// Writes the env files. A missing value is only noted: the agent can request it.
    pub(super) async fn write_env_files(
        &mut self,
        handle: &Handle,
        files: &[EnvFile],
    ) -> Result<(), BootStepError> {
        if files.is_empty() {
            return Ok(());
        }
        if self.machine.helper.is_none() {
            let note =
                "The env files of the configuration were not written: the sandbox has no helper.";
            self.notes.push(note.to_owned());
            return Ok(());
        }
        let mut apply = helper(&["env", "apply", "--spec", "-"]);
        apply.stdin = spec::<wire::configuration::EnvFile, _>(files);
        let applied = self.machine.provider.exec(handle, apply).await;
        let applied = applied.map_err(BootStepError::of(Step::Files))?;
        if applied.is_success() {
            return Ok(());
        }
        self.notes.push(if applied.exit == MISSING {
            let names = missing(&applied.stdout.bytes).join(", ");
            format!("The env files of the configuration were not written: there is no value for {names}.")
        } else {
            tracing::warn!(exit = ?applied.exit, said = applied.stderr.text(), "env files");
            "The env files of the configuration could not be written.".to_owned()
        });
        Ok(())
    }

    /// Starts the daemon, which is restarted if it dies. Returns its URL inside the sandbox.
    pub(super) async fn start_daemon(
        &self,
        handle: &Handle,
    ) -> Result<Option<String>, BootStepError> {
        if self.machine.helper.is_none() {
            return Ok(None);
        }
        let provider: &dyn Provider = self.machine.provider.as_ref();
        let step = BootStepError::of(Step::Agent);
        let own = provider.endpoint(handle, DAEMON_PORT).await;
        let own = own.map_err(&step)?.listen;
        let preview = provider.endpoint(handle, PREVIEW_PORT).await;
        let preview = preview.map_err(&step)?.listen.to_string();
        let listen = own.to_string();
        let words = [HELPER, "daemon", "--supervise", "--listen", &listen];
        let words = words.into_iter().chain(["--preview-listen", &preview]);
        provider
            .start(handle, ProcessSpec::new(DAEMON, words))
            .await
            .map_err(&step)?;
        let host = if own.ip().is_unspecified() {
            Ipv4Addr::LOCALHOST.into()
        } else {
            own.ip()
        };
        Ok(Some(format!("http://{host}:{}", own.port())))
    }

    /// Starts the services. One that does not start is noted; the boot continues.
    pub(super) async fn start_services(
        &self,
        handle: &Handle,
        daemon: Option<&str>,
        services: &[ServiceCommand],
    ) -> Option<String> {
        if services.is_empty() {
            return None;
        }
        let Some(daemon) = daemon else {
            let note =
                "The services of the configuration were not started: the sandbox has no helper.";
            return Some(note.to_owned());
        };
        let mut start = helper(&["services", "start", "--spec", "-"]);
        start.timeout = SERVICES_START_TIMEOUT;
        start.stdin = spec::<wire::service_command::ServiceCommand, _>(services);
        if start.env.set(env::DAEMON_URL, daemon).is_err() {
            return Some("The services of the configuration could not be started.".to_owned());
        }
        match self.machine.provider.exec(handle, start).await {
            Ok(started) if started.is_success() => None,
            Ok(started) => {
                tracing::warn!(exit = ?started.exit, said = started.stderr.text(), "services");
                Some("The services of the configuration could not all be started.".to_owned())
            }
            Err(error) => {
                tracing::warn!(%error, "services");
                Some("The services of the configuration could not be started.".to_owned())
            }
        }
    }
}

/// Returns the names that a command reports as missing.
fn missing(stdout: &[u8]) -> Vec<String> {
    let said: Option<serde_json::Value> = serde_json::from_slice(stdout).ok();
    let names = said.and_then(|said| said["missing"].as_array().cloned());
    let names = names.into_iter().flatten();
    names
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect()
}
