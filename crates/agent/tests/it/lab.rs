//! A sandbox without isolation: a home and repositories in a temporary directory, filled by the contract, and
//! the agent's real program in it.

use std::{
    hash::{BuildHasher as _, RandomState},
    net::{Ipv4Addr, TcpListener},
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use agent::{
    Context, Layout, ListenAddress, Mode, RetryTimes, contract, env,
    install::{DEFAULT_DIRECTORY, Installation},
};
use domain::limits::SERVER_PORTS;
use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;

pub(crate) const SESSION: &str = "0192f0c1-2345-7abc-8def-0123456789ab";
pub(crate) const TOKEN: &str = "sbx_test_token";
pub(crate) const MODEL_KEY: &str = "model-key-of-the-session";
pub(crate) const PASSWORD: &str = "server-password";

pub(crate) fn installation() -> Installation {
    Installation::find(Path::new(DEFAULT_DIRECTORY)).unwrap_or_else(|missing| panic!("{missing}"))
}

/// Fast enough for a test, and slow enough for a busy machine: a prematurely abandoned attempt would be
/// counted.
pub(crate) fn quick() -> RetryTimes {
    RetryTimes {
        attempt: Duration::from_secs(3),
        deadline: Duration::from_mins(1),
        pause_first: Duration::from_millis(20),
        pause_max: Duration::from_millis(160),
    }
}

/// Ports tried before giving up: another process may take one between choosing and using it.
const PORTS_MAX: u32 = 5;
/// What the agent prints before it ends because another program has its port.
const PORT_TAKEN: &str = "ServeError";

/// Directories that go away with the test.
#[derive(Debug)]
pub(crate) struct Lab {
    root: TempDir,
    gateway_url: String,
    model_url: String,
}

impl Lab {
    pub(crate) fn new(gateway_url: &str, model_url: &str) -> Self {
        Self {
            root: tempfile::Builder::new()
                .prefix("agent-lab-")
                .tempdir()
                .unwrap(),
            gateway_url: gateway_url.to_owned(),
            model_url: model_url.to_owned(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn repo(&self, name: &str) -> String {
        self.path("workspace").join(name).display().to_string()
    }

    /// A session whose repository is the folder of that name.
    pub(crate) fn context(&self, mode: Mode, folder: &str) -> Context {
        Context {
            layout: Layout {
                home: self.path("home").display().to_string(),
                workspace: self.path("workspace").display().to_string(),
                repo: self.repo(folder),
            },
            listen: ListenAddress {
                hostname: "127.0.0.1".to_owned(),
                ..ListenAddress::default()
            },
            retry_times: quick(),
            ..Context::new(
                SESSION.parse().unwrap(),
                mode,
                &self.gateway_url,
                &self.model_url,
            )
        }
    }

    /// Starts the server in the repository of `context` and waits until it responds.
    pub(crate) async fn serve(&self, context: &Context) -> Served {
        for _ in 0..PORTS_MAX {
            let mut context = context.clone();
            context.listen.port = free_port();
            let mut served = self.spawn(&context);
            if served.becomes_healthy().await {
                return served;
            }
        }
        panic!("the agent did not start on any of {PORTS_MAX} ports");
    }

    fn spawn(&self, context: &Context) -> Served {
        let log = self.path("opencode.log");
        let output = std::fs::File::create(&log).unwrap();
        let command = contract::command(context);
        let child = Command::new(installation().program)
            .args(&command[1..])
            .current_dir(&context.layout.repo)
            .env_clear()
            .envs(variables(context))
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .process_group(0)
            .spawn()
            .unwrap();
        Served {
            child: Group(child),
            url: format!("http://127.0.0.1:{}", context.listen.port),
            log,
        }
    }
}

/// Does what a provider does: writes, removes, links. The repository is a git repository before.
pub(crate) fn fill(context: &Context) {
    let repo = Path::new(&context.layout.repo);
    if !repo.join(".git").exists() {
        git(repo, &["init", "--quiet"]);
    }
    for path in contract::stale_paths(context) {
        let _ = std::fs::remove_file(path);
    }
    for file in contract::files(context) {
        write(Path::new(&file.path), &file.bytes);
    }
    let installation = installation();
    for package in contract::packages(context) {
        let path = Path::new(&package.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        if !path.exists() {
            std::os::unix::fs::symlink(installation.package(package.name), path).unwrap();
        }
    }
    let exclude = contract::GIT_EXCLUDE.join("\n");
    write(&repo.join(".git/info/exclude"), exclude.as_bytes());
}

/// The environment of the contract, and of this machine only a path to programs.
pub(crate) fn variables(context: &Context) -> Vec<(&'static str, String)> {
    let secrets = env::Secrets {
        token: TOKEN.into(),
        model_key: MODEL_KEY.into(),
        server_password: Some(PASSWORD.into()),
    };
    let mut variables = env::variables(context, &secrets);
    variables.push(("HOME", context.layout.home.clone()));
    variables.push(("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()));
    variables.push(("GIT_CONFIG_GLOBAL", "/dev/null".to_owned()));
    variables
}

/// The agent's server.
#[derive(Debug)]
pub(crate) struct Served {
    child: Group,
    pub(crate) url: String,
    log: PathBuf,
}

impl Served {
    /// Waits for the line it prints, because requests before it may never be answered, then for its health. False when
    /// it ended because another program has its port.
    async fn becomes_healthy(&mut self) -> bool {
        let healthy = async {
            while !self.printed().contains("opencode server listening on") {
                if let Some(ended) = self.child.0.try_wait().unwrap() {
                    let printed = self.printed();
                    assert!(printed.contains(PORT_TAKEN), "{ended}: {printed}");
                    return false;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let health = format!("{}/global/health", self.url);
            loop {
                let asked = reqwest::Client::new()
                    .get(&health)
                    .basic_auth("opencode", Some(PASSWORD))
                    .timeout(Duration::from_secs(10))
                    .send()
                    .await;
                if let Ok(reply) = asked
                    && let Ok(health) = reply.json::<serde_json::Value>().await
                {
                    assert_eq!(health["version"], agent::install::OPENCODE_VERSION);
                    return true;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_mins(2), healthy).await;
        waited.unwrap_or_else(|_| panic!("not healthy: {}", self.printed()))
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process_group(Pid::from_child(&self.child.0), signal).unwrap();
    }

    pub(crate) fn printed(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }
}

/// A process and its children, killed together when dropped.
#[derive(Debug)]
pub(crate) struct Group(pub(crate) Child);

impl Drop for Group {
    fn drop(&mut self) {
        let group = Pid::from_child(&self.0);
        let _ = kill_process_group(group, Signal::KILL);
        let _ = self.0.wait();
    }
}

pub(crate) fn write(path: &Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

pub(crate) fn git(repo: &Path, args: &[&str]) -> String {
    std::fs::create_dir_all(repo).unwrap();
    let output = Command::new("git")
        .args(args)
        .current_dir(repo)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// A port that no process listens on. Not one of those that the kernel gives to clients: a connection of another test may have
/// it by the time the agent has started.
fn free_port() -> u16 {
    let random = || usize::try_from(RandomState::new().hash_one(()) >> 32).unwrap();
    std::iter::repeat_with(random)
        .filter_map(|random| SERVER_PORTS.clone().nth(random % SERVER_PORTS.len()))
        .find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .unwrap()
}
