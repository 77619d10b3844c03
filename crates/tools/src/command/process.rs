//! A process and everything below it: started, watched, and ended as a whole.

use std::{
    collections::VecDeque,
    ffi::OsString,
    fs::{self, File},
    io,
    os::fd::OwnedFd,
    process::{ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use domain::limits::{COMMAND_GONE_MAX, COMMAND_LOG_TAIL_BYTES, COMMAND_STILL_MAX};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    process::{Child, Command},
    runtime::Handle,
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};

/// A running process. Dropping it ends it and everything below it.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stdout_tail: Option<JoinHandle<Vec<u8>>>,
    stderr_tail: Option<JoinHandle<Vec<u8>>>,
    /// Blocks the parent thread. The thread ends the process when this is dropped.
    parent: Option<mpsc::Sender<()>>,
}

impl Process {
    /// Starts it with an empty environment and nothing to read.
    ///
    /// The parent is a thread that lives as long as the process: a program that dies with its parent
    /// dies with the parent's *thread*, and threads of a runtime are short-lived.
    pub(super) async fn start(line: Vec<OsString>, stdout: Option<File>) -> io::Result<Self> {
        let (parent, until_over) = mpsc::channel::<()>();
        let (started, child) = oneshot::channel();
        let runtime = Handle::current();
        thread::Builder::new()
            .name("tool-parent".into())
            .spawn(move || {
                let _inside = runtime.enter();
                let mut words = line.into_iter();
                let mut command = Command::new(words.next().unwrap_or_default());
                command
                    .args(words)
                    .env_clear()
                    .stdin(Stdio::null())
                    .stdout(stdout.map_or_else(Stdio::piped, Stdio::from))
                    .stderr(Stdio::piped());
                let spawned = command.spawn().and_then(ProcessTree::of);
                drop(command);
                let (child, tree) = match spawned {
                    Ok((child, tree)) => (Ok(child), Some(tree)),
                    Err(error) => (Err(error), None),
                };
                // The caller may have been cancelled already.
                if started.send(child).is_ok() {
                    let _ = until_over.recv();
                }
                if let Some(tree) = tree {
                    tree.end();
                }
            })?;
        let mut child = child.await.map_err(io::Error::other)??;
        let stdout_tail = child
            .stdout
            .take()
            .map(|pipe| tokio::spawn(read_tail(pipe)));
        let stderr_tail = child
            .stderr
            .take()
            .map(|pipe| tokio::spawn(read_tail(pipe)));
        Ok(Self {
            child,
            stdout_tail,
            stderr_tail,
            parent: Some(parent),
        })
    }

    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Ends it and waits until everything below it has ended: the pipes are closed then.
    pub(super) async fn end(mut self) {
        self.parent = None;
        let gone = async {
            let _ = self.child.wait().await;
            self.read_log_tail().await;
        };
        if timeout(COMMAND_GONE_MAX, gone).await.is_err() {
            tracing::warn!("a tool's process outlives its end");
        }
    }

    /// The end of its standard output and error, once it has ended.
    pub(super) async fn read_log_tail(&mut self) -> String {
        let mut bytes = Vec::new();
        let readings = [self.stdout_tail.take(), self.stderr_tail.take()];
        for reading in readings.into_iter().flatten() {
            bytes.extend(reading.await.unwrap_or_default());
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Bubblewrap and its children.
#[derive(Debug)]
struct ProcessTree {
    pid: Pid,
    /// Its process id may be reused after it was waited for; this never is.
    handle: OwnedFd,
}

impl ProcessTree {
    /// For a child that was not waited for yet. One without a handle is not kept.
    fn of(mut child: Child) -> io::Result<(Child, Self)> {
        let number = child.id().and_then(|id| i32::try_from(id).ok());
        let pid = number.and_then(Pid::from_raw);
        let pid = pid.ok_or_else(|| io::Error::other("a process without a number"))?;
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(handle) => Ok((child, Self { pid, handle })),
            Err(error) => {
                let _ = child.start_kill();
                Err(error.into())
            }
        }
    }

    /// Processes below bubblewrap die with it, but only from when it has asked the kernel for that. Killed before, it
    /// would leave a child that waits for its signal forever. So it is stopped, and its children are killed while they
    /// are still its own.
    fn end(&self) {
        if !self.signal(Signal::STOP) {
            return;
        }
        let pause = Duration::from_millis(1);
        let mut waited = Duration::ZERO;
        // No clock is read: the number of polls approximates the elapsed time.
        while !self.is_stopped() && waited < COMMAND_STILL_MAX {
            thread::sleep(pause);
            waited += pause;
        }
        let children = self.children();
        // If it was waited for meanwhile, they may belong to another process.
        if self.signal(Signal::STOP) {
            for child in children {
                let _ = kill_process(child, Signal::KILL);
            }
            self.signal(Signal::KILL);
        }
    }

    /// Whether the process still existed.
    fn signal(&self, signal: Signal) -> bool {
        pidfd_send_signal(&self.handle, signal).is_ok()
    }

    /// Whether it is stopped, by the kernel's state field: it follows the name, which may contain anything.
    fn is_stopped(&self) -> bool {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.pid));
        let text = text.unwrap_or_default();
        let state = text.rsplit_once(')').map_or("", |(_, rest)| rest);
        !state.trim_start().starts_with(['R', 'S', 'D'])
    }

    fn children(&self) -> Vec<Pid> {
        let text = fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.pid));
        let text = text.unwrap_or_default();
        let numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
        numbers.filter_map(Pid::from_raw).collect()
    }
}

/// Reads to the end and keeps the last bytes.
async fn read_tail(mut pipe: impl AsyncRead + Unpin) -> Vec<u8> {
    let mut kept = VecDeque::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        kept.extend(&buffer[..count]);
        let surplus = kept.len().saturating_sub(COMMAND_LOG_TAIL_BYTES);
        kept.drain(..surplus);
    }
    kept.into()
}
