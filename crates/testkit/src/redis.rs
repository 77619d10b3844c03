//! Redis for tests: the shared one that `./test` starts, and private ones that a test may stop,
//! restart and freeze. Owns the processes it starts, and the patient connection of tests to them; knows
//! nothing of what is stored in them.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use app::system::SystemClock;
use coord::{Coordination, MemoryCoordination, RedisCoordination};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::{database::Backend, port::free_address};

/// Times a server is asked whether it is up, and the pause between them: a minute together,
/// because a machine that builds beside the tests is slow.
const PROBES_MAX: u32 = 3000;
const PROBE_EVERY: Duration = Duration::from_millis(20);
/// Ports tried before giving up: another process may take one between choosing and using it.
const PORTS_MAX: u32 = 5;

/// How long a call of [`coordination`] may take. The product gives up after a second, for the sake of leases; a machine
/// that is busy with other tests may need longer than that to answer, which is no failure of what a test tests.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Coordination through the Redis at `url` for tests that are not about its timeouts.
pub fn coordination(url: &str) -> Arc<dyn Coordination> {
    let coordination = RedisCoordination::with_timeout(url, ANSWER_TIMEOUT);
    Arc::new(coordination.expect("the URL is valid"))
}

/// The Redis that all tests share. Tests keep apart by using ids of their own.
pub fn shared_url() -> String {
    crate::service_url("PROLIFERATE_TEST_REDIS_URL")
}

/// A Redis of one test, on a port of its own, without persistence. Killed on drop.
#[derive(Debug)]
pub struct RedisServer {
    port: u16,
    folder: TempDir,
    process: Option<Child>,
}

impl RedisServer {
    pub async fn start() -> Self {
        for _ in 0..PORTS_MAX {
            let mut server = Self {
                port: free_address().port(),
                folder: TempDir::new().expect("a temporary folder"),
                process: None,
            };
            if server.spawn().await {
                return server;
            }
        }
        panic!("redis-server did not start on any of {PORTS_MAX} ports");
    }

    /// What several instances in one process agree through: memory where they share SQLite, a Redis of their own where
    /// they share PostgreSQL.
    pub async fn beside(backend: Backend) -> (Option<Self>, Arc<dyn Coordination>) {
        match backend {
            Backend::Sqlite => {
                let clock = Arc::new(SystemClock::new());
                (None, Arc::new(MemoryCoordination::new(clock)))
            }
            Backend::Postgres => {
                let server = Self::start().await;
                let coordination = coordination(&server.url());
                (Some(server), coordination)
            }
        }
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// What it says of itself, in one of its sections.
    pub fn info(&self, section: &str) -> String {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let ask = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(address)?;
            stream.write_all(format!("INFO {section}\r\nQUIT\r\n").as_bytes())?;
            let mut text = String::new();
            stream.read_to_string(&mut text)?;
            Ok(text)
        };
        ask().expect("it answers")
    }

    /// Kills it, as a crash would: clients get no notice, all of its data is lost.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("it is our child");
            process.wait().expect("it is our child");
        }
    }

    /// Starts it again, empty, at the same address.
    pub async fn restart(&mut self) {
        self.stop();
        assert!(self.spawn().await, "redis-server did not start again");
    }

    /// Stops it from answering while its connections stay open.
    pub fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    pub fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    /// Whether it answers in the end. The process is this server's only if it is still alive then.
    async fn spawn(&mut self) -> bool {
        let process = Command::new("redis-server")
            .args(["--port", &self.port.to_string()])
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .arg("--dir")
            .arg(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("redis-server is installed");
        let process = self.process.insert(process);
        for _ in 0..PROBES_MAX {
            if process.try_wait().expect("it is our child").is_some() {
                return false;
            }
            if answers(self.port) {
                return true;
            }
            tokio::time::sleep(PROBE_EVERY).await;
        }
        false
    }

    fn signal(&self, signal: Signal) {
        let process = self.process.as_ref().expect("the server runs");
        kill_process(Pid::from_child(process), signal).expect("it is our child");
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn answers(port: u16) -> bool {
    let ask = || -> std::io::Result<[u8; 5]> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        stream.write_all(b"PING\r\n")?;
        let mut answer = [0; 5];
        stream.read_exact(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| &answer == b"+PONG")
}
