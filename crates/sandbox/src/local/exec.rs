//! A program inside that is waited for: what it prints is kept up to a bound, and it ends when its time is up.

use std::process::{ExitStatus, Stdio};

use bytes::Bytes;
use domain::limits::SANDBOX_DRAIN;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    process::Command,
    sync::watch,
};

use crate::{Captured, Error, ExecRequest, ExecResult, Exit, Result, pid::ProcessIdentity};

const STEP: &str = "running the command";
/// Of bubblewrap, when there is no such program.
const NO_PROGRAM: &[u8] = b"bwrap: execvp ";

/// Kills a program when its caller no longer waits.
struct KillOnDrop<F: Fn(ProcessIdentity)> {
    process: Option<ProcessIdentity>,
    kill: F,
    over: bool,
}

impl<F: Fn(ProcessIdentity)> KillOnDrop<F> {
    fn end(&self) {
        if let Some(process) = self.process {
            (self.kill)(process);
        }
    }
}

impl<F: Fn(ProcessIdentity)> Drop for KillOnDrop<F> {
    fn drop(&mut self) {
        if !self.over {
            self.end();
        }
    }
}

/// Runs the command. `kill` ends whatever it has started: when its time is up, or its caller gone.
pub(super) async fn run(
    mut command: Command,
    request: &ExecRequest,
    kill: impl Fn(ProcessIdentity),
) -> Result<ExecResult> {
    let failed = |error: std::io::Error| Error::failed(STEP, error);
    let stdin = if request.stdin.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    };
    command
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    drop(command);
    let mut ending = KillOnDrop {
        process: child.id().and_then(|pid| ProcessIdentity::of(pid).ok()),
        kill,
        over: false,
    };
    if let (Some(input), Some(mut pipe)) = (request.stdin.clone(), child.stdin.take()) {
        tokio::spawn(async move {
            // A program that does not read it all is within its rights.
            let _ = pipe.write_all(&input).await;
        });
    }
    let (end, ended) = watch::channel(false);
    let max = request.output_bytes_max;
    let stdout = tokio::spawn(capture(child.stdout.take(), max, ended.clone()));
    let stderr = tokio::spawn(capture(child.stderr.take(), max, ended));
    let status = tokio::time::timeout(request.timeout, child.wait()).await;
    let exit = if let Ok(status) = status {
        Exit::Code(exit_code(status.map_err(failed)?))
    } else {
        ending.end();
        let _ = child.start_kill();
        let _ = child.wait().await;
        // What was still on its way in the first time.
        ending.end();
        Exit::TimedOut
    };
    ending.over = true;
    let _ = end.send(true);
    let joined = |error: tokio::task::JoinError| Error::failed(STEP, error);
    let (stdout, stderr) = (stdout.await.map_err(joined)?, stderr.await.map_err(joined)?);
    let exit = if exit == Exit::Code(1) && stderr.bytes.starts_with(NO_PROGRAM) {
        Exit::Code(127)
    } else {
        exit
    };
    Ok(ExecResult {
        exit,
        stdout,
        stderr,
    })
}

/// The exit code as a shell reports it.
fn exit_code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    let signal = status.signal().map(|signal| 128 + signal);
    status.code().or(signal).unwrap_or(-1)
}

/// Keeps the beginning and reads on, so that the program does not wait. What it left running may hold the
/// pipe open: it is not read any more a moment after its end.
async fn capture(
    pipe: Option<impl AsyncRead + Unpin>,
    max: usize,
    mut ended: watch::Receiver<bool>,
) -> Captured {
    let mut kept = Vec::new();
    let mut dropped = 0;
    let Some(mut pipe) = pipe else {
        return Captured::default();
    };
    let over = async move {
        let _ = ended.wait_for(|ended| *ended).await;
        tokio::time::sleep(SANDBOX_DRAIN).await;
    };
    tokio::pin!(over);
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let read = tokio::select! {
            read = pipe.read(&mut buffer) => read,
            () = &mut over => break,
        };
        let Ok(read @ 1..) = read else { break };
        let room = (max - kept.len()).min(read);
        kept.extend(&buffer[..room]);
        dropped += (read - room) as u64;
    }
    Captured {
        bytes: Bytes::from(kept),
        dropped,
    }
}
