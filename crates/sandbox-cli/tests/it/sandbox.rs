//! A sandbox for a test: a workspace, a daemon with its state, and the commands that talk to it. Whatever it
//! started is gone when it is dropped, also when the test fails.

use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::program::{Program, TOKEN};

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A sandbox.
#[derive(Debug)]
pub(crate) struct Sandbox {
    directory: tempfile::TempDir,
    daemon: Option<Child>,
    pub(crate) url: String,
    pub(crate) preview: String,
}

impl Sandbox {
    /// With a daemon.
    pub(crate) fn start() -> Self {
        let mut sandbox = Self::bare();
        sandbox.start_daemon();
        sandbox
    }

    /// Without one.
    pub(crate) fn bare() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("workspace")).unwrap();
        Self {
            directory,
            daemon: None,
            url: "http://127.0.0.1:1".to_owned(),
            preview: String::new(),
        }
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.directory
            .path()
            .canonicalize()
            .unwrap()
            .join("workspace")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join("state")
    }

    /// A file outside of the workspace.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn values(&self) -> PathBuf {
        self.outside("env.json")
    }

    /// The daemon's command line, ready to be started.
    pub(crate) fn daemon_command(&self, listen: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_proliferate-sandbox"));
        command
            .args([
                "daemon",
                "--listen",
                listen,
                "--preview-listen",
                "127.0.0.1:0",
            ])
            .args(["--grace-ms", "600", "--pause-ms", "5", "--state-dir"])
            .arg(self.state())
            .args(more)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.directory.path())
            .env("WORKSPACE_DIR", self.workspace())
            .env("SANDBOX_MCP_AUTH_TOKEN", TOKEN)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        command
    }

    pub(crate) fn start_daemon(&mut self) {
        let mut daemon = self.daemon_command("127.0.0.1:0", &[]).spawn().unwrap();
        let ready = ready(&mut daemon);
        self.daemon = Some(daemon);
        self.url = format!("http://{}", ready["listening"].as_str().unwrap());
        self.preview = format!("http://{}", ready["preview"].as_str().unwrap());
    }

    /// As if the machine had no mercy.
    pub(crate) fn kill_daemon(&mut self) {
        let mut daemon = self.daemon.take().unwrap();
        daemon.kill().unwrap();
        daemon.wait().unwrap();
    }

    pub(crate) fn daemon_pid(&self) -> u32 {
        self.daemon.as_ref().unwrap().id()
    }

    /// A command inside this sandbox.
    pub(crate) fn program(&self, arguments: &[&str]) -> Program {
        Program::new("http://127.0.0.1:1", arguments)
            .env("PATH", &std::env::var("PATH").unwrap())
            .env("PROLIFERATE_SANDBOX_MCP_URL", &self.url)
            .env("PROLIFERATE_CLI_TIMEOUT_MS", "300")
            .env("WORKSPACE_DIR", self.workspace().to_str().unwrap())
            .env("PROLIFERATE_ENV_FILE", self.values().to_str().unwrap())
    }

    /// The document of a command that has to work.
    pub(crate) async fn run(&self, arguments: &[&str]) -> Value {
        self.program(arguments).finish().await.ended(0).json()
    }

    pub(crate) async fn start_service(&self, name: &str, command: &str, more: &[&str]) -> Value {
        let mut arguments = vec!["services", "start", "--name", name, "--command", command];
        arguments.extend(more);
        self.run(&arguments).await["service"].clone()
    }

    pub(crate) async fn service(&self, name: &str) -> Value {
        let list = self.run(&["services", "list"]).await;
        let services = list["services"].as_array().unwrap();
        let found = services.iter().find(|service| service["name"] == name);
        found
            .unwrap_or_else(|| panic!("no {name} in {list}"))
            .clone()
    }

    /// Waits until a service is as it should be.
    pub(crate) async fn service_that(&self, name: &str, is: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..1200 {
            let service = self.service(name).await;
            if is(&service) {
                return service;
            }
            tokio::time::sleep(PATIENCE / 1200).await;
        }
        panic!("{name} is still {}", self.service(name).await);
    }

    /// A request with the token.
    pub(crate) fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        let client = reqwest::Client::builder()
            .no_proxy()
            .timeout(PATIENCE)
            .build()
            .unwrap();
        client
            .request(method, format!("{}{path}", self.url))
            .bearer_auth(TOKEN)
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        let response = self.ask(Method::GET, path).send().await.unwrap();
        let status = response.status().as_u16();
        (status, response.json().await.unwrap_or(json!(null)))
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if let Some(daemon) = &mut self.daemon {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
        // Whatever still has this directory in its command line or below it.
        let own = self.directory.path().to_str().unwrap().to_owned();
        for pid in processes_with(&own) {
            let _ = Command::new("kill")
                .args(["-9", &pid.to_string()])
                .stderr(Stdio::null())
                .status();
        }
    }
}

/// The line that a daemon prints once it listens.
pub(crate) fn ready(daemon: &mut Child) -> Value {
    let mut line = String::new();
    BufReader::new(daemon.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
}

/// Processes whose command line or working directory names a text.
fn processes_with(text: &str) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let own = i32::try_from(std::process::id()).unwrap();
    pids.filter(|pid| {
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let place = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
        *pid != own && (String::from_utf8_lossy(&command).contains(text) || place.starts_with(text))
    })
    .collect()
}

/// Whether a process does anything any more.
pub(crate) fn is_alive(pid: i64) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    let (_, rest) = stat.rsplit_once(')').unwrap();
    !rest.trim_start().starts_with(['Z', 'X'])
}

/// Waits for something that happens soon.
pub(crate) async fn soon<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    for _ in 0..3000 {
        if let Some(found) = look() {
            return found;
        }
        tokio::time::sleep(PATIENCE / 3000).await;
    }
    panic!("not in time: {what}");
}

/// Waits until a file holds numbers, and gives them.
pub(crate) async fn numbers(path: &Path, count: usize) -> Vec<i64> {
    soon(&format!("{count} numbers in {}", path.display()), || {
        let text = std::fs::read_to_string(path).ok()?;
        let whole = text.lines().filter_map(|line| line.trim().parse().ok());
        let found: Vec<i64> = whole.collect();
        (found.len() >= count && text.ends_with('\n')).then_some(found)
    })
    .await
}
