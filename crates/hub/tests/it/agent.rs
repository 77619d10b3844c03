//! The real agent as a process, with a home of its own and the scripted model.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use app::system::{SystemClock, SystemEntropy};
use domain::clock::Clock as _;
use hub::opencode::{AgentClient, PromptBody, PromptIds, PromptModel, listening_at};
use model::scripted::{Script, Scripted};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    net::TcpListener,
    process::{Child, Command},
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

/// Far above what it takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);
/// Cuts answers into the same pieces every time, as the recorded streams have them.
const SEED: u64 = 7;
const VERSION: &str = "1.18.33";
/// Ports tried before giving up: another process may take one between choosing and using it.
const PORTS_MAX: u32 = 5;

/// Each takes half a gigabyte and a processor while it starts.
static AGENTS: Semaphore = Semaphore::const_new(2);

/// An agent that dies with this value.
pub(crate) struct Agent {
    _place: SemaphorePermit<'static>,
    pub(crate) model: Scripted,
    home: Arc<TempDir>,
    child: Child,
    port: u16,
}

impl Agent {
    pub(crate) async fn start() -> Self {
        let place = AGENTS
            .acquire()
            .await
            .expect("the semaphore is never closed");
        let model = Scripted::new(Script::default(), SEED);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        let router = model.router();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let home = tempfile::tempdir().expect("a directory");
        seed(home.path(), &format!("http://{address}/v1"));
        let home = Arc::new(home);
        for _ in 0..PORTS_MAX {
            let port = testkit::port::free_address().port();
            if let Some(child) = spawn(home.path(), port).await {
                return Self {
                    _place: place,
                    model,
                    home,
                    child,
                    port,
                };
            }
        }
        panic!("the agent did not start on any of {PORTS_MAX} ports");
    }

    pub(crate) fn client(&self) -> AgentClient {
        client(self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// As a crash would, without a word.
    pub(crate) async fn kill(&mut self) {
        kill_group(&self.child);
        timeout(PATIENCE, self.child.wait())
            .await
            .expect("it ends in time")
            .expect("it ends");
    }

    pub(crate) async fn start_again(&mut self) {
        let child = spawn(self.home.path(), self.port).await;
        self.child = child.expect("its port is still free");
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        kill_group(&self.child);
    }
}

/// The agent and all that it started.
fn kill_group(child: &Child) {
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    if let Some(pid) = id.and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

pub(crate) fn client(port: u16) -> AgentClient {
    let base = format!("http://127.0.0.1:{port}")
        .parse()
        .expect("an address");
    AgentClient::new(base, None).expect("a client")
}

/// Calls of two runs must not have the same ids.
pub(crate) fn fresh_seed() -> u64 {
    u64::from_le_bytes(domain::clock::random_bytes(&SystemEntropy))
}

fn program() -> PathBuf {
    let name = if cfg!(target_arch = "aarch64") {
        "opencode-linux-arm64"
    } else {
        "opencode-linux-x64"
    };
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agent/opencode/node_modules");
    let program = modules.join(name).join("bin/opencode");
    assert!(
        program.exists(),
        "the agent is not installed: npm install --no-save --prefix crates/agent/opencode --ignore-scripts"
    );
    program
}

/// What keeps the agent from asking the network: without it the first request waits a minute.
fn seed(home: &Path, model: &str) {
    let config = json!({
        "$schema": "https://opencode.ai/config.json",
        "model": "anthropic/claude-opus-4-6",
        "provider": {"anthropic": {"options": {"baseURL": model, "apiKey": "no-key"}}},
        "permission": {"*": "allow", "question": "deny"},
        "snapshot": false,
    });
    let workspace = home.join("workspace");
    let global = home.join(".config/opencode");
    for folder in [&global, &workspace.join(".opencode")] {
        std::fs::create_dir_all(folder.join("node_modules")).expect("a folder");
        let wanted = json!({"@opencode-ai/plugin": VERSION});
        let package = json!({"dependencies": wanted});
        let lock = json!({"lockfileVersion": 3, "packages": {"": {"dependencies": wanted}}});
        write(&folder.join("package.json"), &package.to_string());
        write(&folder.join("package-lock.json"), &lock.to_string());
    }
    write(&global.join("opencode.json"), &config.to_string());
    write(&workspace.join("a.txt"), "one\ntwo\n");
    let git = std::process::Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(&workspace)
        .status();
    assert!(git.expect("git runs").success());
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a file can be written");
}

/// `None` when it ended before it listened, as it does where another program has the port.
async fn spawn(home: &Path, port: u16) -> Option<Child> {
    let mut child = Command::new(program())
        .args(["serve", "--hostname", "127.0.0.1", "--port"])
        .arg(port.to_string())
        .current_dir(home.join("workspace"))
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("OPENCODE_DISABLE_MODELS_FETCH", "1")
        .env("OPENCODE_DISABLE_AUTOUPDATE", "1")
        .env("OPENCODE_DISABLE_LSP_DOWNLOAD", "1")
        .env("npm_config_offline", "true")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .expect("the agent starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let listening = async {
        while let Some(line) = lines.next_line().await.expect("its output can be read") {
            if listening_at(&line).is_some() {
                return true;
            }
        }
        false
    };
    let listens = timeout(PATIENCE, listening).await;
    if !listens.expect("it listens in time") {
        return None;
    }
    // An output that is not read would block it.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    let client = client(port);
    client.wait_ready(PATIENCE).await.expect("it is ready");
    Some(child)
}

pub(crate) fn prompt(text: &str) -> PromptBody {
    PromptBody {
        text: text.to_owned(),
        images: Vec::new(),
        system: None,
        model: PromptModel {
            provider: "anthropic".into(),
            model: "claude-opus-4-6".into(),
        },
    }
}

/// Ids of a prompt that is sent now.
pub(crate) fn prompt_ids() -> PromptIds {
    PromptIds::new(SystemClock::new().now(), None, &SystemEntropy)
}
