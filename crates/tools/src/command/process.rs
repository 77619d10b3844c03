//! A process and everything below it: started, watched, and ended as a whole.

use std::{
    collections::VecDeque,
    ffi::OsString,
    fs::{self, File},
    io,
    process::{ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use domain::limits::{COMMAND_GONE_MAX, COMMAND_LOG_TAIL_BYTES, COMMAND_STILL_MAX};
use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    process::{Child, Command},
    runtime::Handle,
    sync::oneshot,
    task::JoinHandle,
    time::{sleep, timeout},
};

/// A running process. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    printed: Option<JoinHandle<Vec<u8>>>,
    complained: Option<JoinHandle<Vec<u8>>>,
    /// Keeps the thread alive that is the parent; the last field, so that the child goes first.
    _parent: mpsc::Sender<()>,
}

impl Process {
    /// Starts it with an empty environment and nothing to read.
    ///
    /// The parent is a thread that lives as long as the process: a program that dies with its parent
    /// dies with the parent's *thread*, and those of a runtime come and go.
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
                    .stderr(Stdio::piped())
                    .kill_on_drop(true);
                let child = command.spawn();
                drop(command);
                if started.send(child).is_ok() {
                    let _ = until_over.recv();
                }
            })?;
        let mut child = child.await.map_err(io::Error::other)??;
        let printed = child.stdout.take().map(|pipe| tokio::spawn(tail(pipe)));
        let complained = child.stderr.take().map(|pipe| tokio::spawn(tail(pipe)));
        Ok(Self {
            child,
            printed,
            complained,
            _parent: parent,
        })
    }

    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Kills it and waits until everything below it is gone: the pipes are closed then.
    pub(super) async fn end(mut self) {
        self.kill_below().await;
        let _ = self.child.start_kill();
        let gone = async {
            let _ = self.child.wait().await;
            self.last_words().await;
        };
        if timeout(COMMAND_GONE_MAX, gone).await.is_err() {
            tracing::warn!("a tool's process outlives its end");
        }
    }

    /// What is below bubblewrap dies with it, but only from the moment on at which it asked the kernel for that. Killed
    /// before, it would leave a child that waits for its word for ever. So it is held where it is, and its children are
    /// killed while they are still its own.
    async fn kill_below(&self) {
        let pid = self.child.id().and_then(|id| i32::try_from(id).ok());
        let Some(pid) = pid.and_then(Pid::from_raw) else {
            return;
        };
        if kill_process(pid, Signal::STOP).is_err() {
            return;
        }
        let still = async {
            while !is_still(pid) {
                sleep(Duration::from_millis(1)).await;
            }
        };
        let _ = timeout(COMMAND_STILL_MAX, still).await;
        for child in children(pid) {
            let _ = kill_process(child, Signal::KILL);
        }
    }

    /// The end of what it printed and complained of, once it is over.
    pub(super) async fn last_words(&mut self) -> String {
        let mut words = Vec::new();
        let readings = [self.printed.take(), self.complained.take()];
        for reading in readings.into_iter().flatten() {
            words.extend(reading.await.unwrap_or_default());
        }
        String::from_utf8_lossy(&words).into_owned()
    }
}

/// Whether it does nothing any more, as the kernel tells it: the state comes after the name, which may be anything.
fn is_still(pid: Pid) -> bool {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"));
    let text = text.unwrap_or_default();
    let state = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    !state.trim_start().starts_with(['R', 'S', 'D'])
}

fn children(pid: Pid) -> Vec<Pid> {
    let text = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let text = text.unwrap_or_default();
    let numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
    numbers.filter_map(Pid::from_raw).collect()
}

/// Reads to the end and keeps the last bytes.
async fn tail(mut pipe: impl AsyncRead + Unpin) -> Vec<u8> {
    let mut kept = VecDeque::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        kept.extend(&buffer[..count]);
        let surplus = kept.len().saturating_sub(COMMAND_LOG_TAIL_BYTES);
        kept.drain(..surplus);
    }
    kept.into()
}
