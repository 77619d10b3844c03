//! The product's binary as a real process: started in a directory of its own, asked until it
//! answers, ended gently or by force. What it prints goes to files, so that nothing is lost when it
//! is killed and no pipe can fill up.
//!
//! The binary's path is the test's to give (`env!("CARGO_BIN_EXE_proliferate")`): this crate does not
//! depend on the one that builds it.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpStream;

/// How often something is asked for that takes a moment.
const PROBE_EVERY: Duration = Duration::from_millis(10);
/// Times something is asked for before the test fails: ninety seconds together, because a machine that starts several
/// agents at once is slow, and the demo has a minute of work then.
const PROBES_MAX: u32 = 9000;

/// A place to run the binary in: a data directory, and an environment with nothing of the
/// developer's.
#[derive(Debug)]
pub struct Workspace {
    binary: PathBuf,
    root: TempDir,
    env: Vec<(String, String)>,
    runs: AtomicU32,
}

/// What a command left behind.
#[derive(Debug)]
pub struct Finished {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// A process that runs; killed when dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    data_dir: PathBuf,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Workspace {
    pub fn new(binary: &str) -> Self {
        Self {
            binary: binary.into(),
            root: TempDir::new().expect("a temporary directory"),
            env: Vec::new(),
            runs: AtomicU32::new(0),
        }
    }

    /// Sets a variable for every later process.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.push((name.to_owned(), value.into()));
        self
    }

    /// Where the processes keep their data; made by the first of them.
    pub fn data_dir(&self) -> PathBuf {
        self.root.path().join("data")
    }

    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Starts the binary and does not wait.
    pub fn spawn(&self, arguments: &[&str]) -> Running {
        self.spawn_reading(arguments, Stdio::null())
    }

    /// Starts the binary with an input that [`Running::types`] writes to.
    pub fn talk(&self, arguments: &[&str]) -> Running {
        self.spawn_reading(arguments, Stdio::piped())
    }

    /// Runs the binary to its end on an input that ends.
    pub async fn run_on(&self, input: &str, arguments: &[&str]) -> Finished {
        let path = self.root.path().join("input");
        fs::write(&path, input).expect("a file for the input");
        let input = File::open(&path).expect("the file that was written");
        self.spawn_reading(arguments, input.into()).finished().await
    }

    fn spawn_reading(&self, arguments: &[&str], input: Stdio) -> Running {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let stdout = self.root.path().join(format!("{run}.stdout"));
        let stderr = self.root.path().join(format!("{run}.stderr"));
        let create = |path: &Path| File::create(path).expect("a file for the output");
        let child = Command::new(&self.binary)
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root.path())
            .env("PROLIFERATE_DATA_DIR", self.data_dir())
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(self.root.path())
            .stdin(input)
            .stdout(create(&stdout))
            .stderr(create(&stderr))
            .spawn()
            .expect("the binary starts");
        Running {
            child,
            data_dir: self.data_dir(),
            stdout,
            stderr,
        }
    }

    /// Runs the binary to its end.
    pub async fn run(&self, arguments: &[&str]) -> Finished {
        self.spawn(arguments).finished().await
    }

    /// Runs the binary to its end, which must be a good one, and returns what it printed.
    pub async fn output(&self, arguments: &[&str]) -> String {
        let finished = self.run(arguments).await;
        assert_eq!(finished.code, Some(0), "{arguments:?}: {}", finished.stderr);
        finished.stdout.trim_end().to_owned()
    }

    /// Starts `dev` on a free port and waits until it is ready.
    pub async fn dev(&self) -> (Running, Value) {
        self.dev_at("127.0.0.1:0").await
    }

    /// Starts `dev` at an address and waits until it is ready.
    pub async fn dev_at(&self, address: &str) -> (Running, Value) {
        // The file of a killed process names a port that is free by now.
        let _ = fs::remove_file(self.data_dir().join("dev.json"));
        let mut running = self.spawn(&["dev", "--listen", address]);
        let dev_file = running.dev_file().await;
        let url = dev_file["url"].as_str().expect("a URL").to_owned();
        running.ready(&url).await;
        (running, dev_file)
    }

    /// Starts `serve` on a free port and waits until it is ready; returns its URL too.
    pub async fn serve(&self, arguments: &[&str]) -> (Running, String) {
        let mut all = vec!["serve", "--listen", "127.0.0.1:0", "--log-format", "json"];
        all.extend(arguments);
        let mut running = self.spawn(&all);
        let url = running.logged_url().await;
        running.ready(&url).await;
        (running, url)
    }
}

impl Running {
    /// What it left behind when it ended.
    pub async fn finished(mut self) -> Finished {
        let status = self.wait().await;
        Finished {
            code: status.code(),
            stdout: self.stdout(),
            stderr: self.stderr(),
        }
    }

    /// The content of `dev.json`, as soon as it exists.
    pub async fn dev_file(&mut self) -> Value {
        let path = self.data_dir.join("dev.json");
        self.until("dev.json", || {
            let text = fs::read(&path).ok()?;
            // Written in one step: the file is always complete.
            Some(serde_json::from_slice(&text).expect("dev.json is JSON"))
        })
        .await
    }

    /// Waits until `/ready` at `url` says 200.
    pub async fn ready(&mut self, url: &str) {
        let url = format!("{url}/ready");
        for _ in 0..PROBES_MAX {
            if let Ok(response) = reqwest::get(&url).await
                && response.status() == 200
            {
                return;
            }
            self.must_run("/ready");
            tokio::time::sleep(PROBE_EVERY).await;
        }
        panic!("{url} never said 200; {}", self.stderr());
    }

    /// Writes a line to the input of a process that [`Workspace::talk`] started.
    pub fn types(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().expect("an input");
        writeln!(input, "{line}").expect("it reads");
    }

    pub fn stdout(&self) -> String {
        fs::read_to_string(&self.stdout).unwrap_or_default()
    }

    pub fn stderr(&self) -> String {
        fs::read_to_string(&self.stderr).unwrap_or_default()
    }

    /// `kill -9`: no goodbye, nothing flushed.
    pub fn kill(&mut self) {
        self.child.kill().expect("it is our child");
        self.child.wait().expect("it is our child");
    }

    /// Ctrl-C.
    pub fn interrupt(&self) {
        self.signal(Signal::INT);
    }

    pub fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Stops it from doing anything while its sockets stay open.
    pub fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    pub fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    /// Waits for its end.
    pub async fn wait(&mut self) -> ExitStatus {
        for _ in 0..PROBES_MAX {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status;
            }
            tokio::time::sleep(PROBE_EVERY).await;
        }
        panic!("the process does not end; {}", self.stderr());
    }

    /// Waits until it has said `text` on stderr.
    pub async fn says(&mut self, text: &str) {
        let stderr = self.stderr.clone();
        self.until(text, || {
            let said = fs::read_to_string(&stderr).ok()?;
            said.contains(text).then_some(())
        })
        .await;
    }

    /// Waits until it has said `text` on stderr, or has ended: whether it said it.
    pub async fn says_or_ends(&mut self, text: &str) -> bool {
        for _ in 0..PROBES_MAX {
            let ended = self.child.try_wait().expect("it is our child").is_some();
            if self.stderr().contains(text) {
                return true;
            }
            if ended {
                return false;
            }
            tokio::time::sleep(PROBE_EVERY).await;
        }
        panic!("waited for {text} in vain; {}", self.stderr());
    }

    /// Waits until connections at `url` are refused.
    pub async fn refuses_connections(&mut self, url: &str) {
        let address = url.trim_start_matches("http://");
        for _ in 0..PROBES_MAX {
            if TcpStream::connect(address).await.is_err() {
                return;
            }
            tokio::time::sleep(PROBE_EVERY).await;
        }
        panic!("{url} still takes connections; {}", self.stderr());
    }

    /// The URL that `serve` logs once it listens.
    async fn logged_url(&mut self) -> String {
        let stderr = self.stderr.clone();
        self.until("the URL", || {
            let text = fs::read_to_string(&stderr).ok()?;
            text.lines()
                .filter_map(|line| serde_json::from_str::<Value>(line).ok())
                .filter(|line| line["message"] == "serving")
                .find_map(|line| line["url"].as_str().map(str::to_owned))
        })
        .await
    }

    async fn until<T>(&mut self, what: &str, mut probe: impl FnMut() -> Option<T>) -> T {
        for _ in 0..PROBES_MAX {
            if let Some(found) = probe() {
                return found;
            }
            self.must_run(what);
            tokio::time::sleep(PROBE_EVERY).await;
        }
        panic!("waited for {what} in vain; {}", self.stderr());
    }

    fn must_run(&mut self, waiting_for: &str) {
        if let Some(status) = self.child.try_wait().expect("it is our child") {
            panic!(
                "the process ended ({status}) before {waiting_for}:\n{}",
                self.stderr()
            );
        }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is our child");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended already cannot be killed, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A signal to another process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blow {
    Kill,
    Freeze,
    Thaw,
}

/// Does it to the processes of a session's sandbox that were started as `name`; says how many there were.
pub fn strike(session: &str, name: &str, blow: Blow) -> usize {
    let signal = match blow {
        Blow::Kill => Signal::KILL,
        Blow::Freeze => Signal::STOP,
        Blow::Thaw => Signal::CONT,
    };
    let is_it = |process: &Path| {
        let has = |file: &str, text: &str| {
            let bytes = fs::read(process.join(file)).unwrap_or_default();
            bytes.windows(text.len()).any(|it| it == text.as_bytes())
        };
        has("environ", session) && has("cmdline", name)
    };
    let processes = fs::read_dir("/proc").expect("the list of processes");
    let processes = processes.flatten().map(|entry| entry.path());
    let ids = processes
        .filter(|process| is_it(process))
        .filter_map(|process| {
            let id = process.file_name()?.to_str()?.parse().ok()?;
            Pid::from_raw(id)
        });
    // One that has just ended is past it.
    ids.filter(|id| kill_process(*id, signal).is_ok()).count()
}

/// Whether a process of this machine has this word on its command line.
pub fn is_running(word: &str) -> bool {
    let processes = fs::read_dir("/proc").expect("the list of processes");
    let line = |process: fs::DirEntry| fs::read(process.path().join("cmdline")).ok();
    let mut lines = processes.flatten().filter_map(line);
    lines.any(|line| {
        let mut parts = line.split(|byte| *byte == 0);
        parts.any(|part| part == word.as_bytes())
    })
}

/// Waits for something that another process does. Fails when it does not come.
pub async fn until(what: &str, mut there: impl FnMut() -> bool) {
    for _ in 0..PROBES_MAX {
        if there() {
            return;
        }
        tokio::time::sleep(PROBE_EVERY).await;
    }
    panic!("{what} did not come");
}
