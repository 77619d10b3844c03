//! Runs git, bounded in time and output.

use std::{path::Path, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::Command,
};
use wire::problem::Code;

use crate::{
    daemon::refusal::Refusal,
    env::TOKEN,
    limits::{GIT_COMPLAINT_BYTES_MAX, GIT_WITHIN},
};

/// What git printed.
#[derive(Debug)]
pub(super) struct GitOutput {
    pub(super) bytes: Vec<u8>,
    /// Whether there was more.
    pub(super) is_cut: bool,
}

/// How a change ended.
#[derive(Debug)]
pub(super) struct GitEnd {
    pub(super) is_success: bool,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// The hosts that git may connect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GitNetwork {
    None,
    /// The gateway, with the sandbox's token.
    Gateway,
}

/// Runs a command that changes nothing.
pub(super) async fn read(
    directory: &Path,
    arguments: &[&str],
    bytes_max: u64,
) -> Result<GitOutput, Refusal> {
    let run = tokio::time::timeout(GIT_WITHIN, run_reading(directory, arguments, bytes_max)).await;
    run_result(run)
}

/// Runs a command that changes something.
pub(super) async fn change(
    directory: &Path,
    arguments: &[&str],
    stdin: &str,
    network: GitNetwork,
    within: Duration,
) -> Result<GitEnd, Refusal> {
    let run = run_changing(directory, arguments, stdin, network);
    run_result(tokio::time::timeout(within, run).await)
}

fn run_result<T>(
    run: Result<std::io::Result<T>, tokio::time::error::Elapsed>,
) -> Result<T, Refusal> {
    let run = run.map_err(|_| Refusal::new(Code::RequestTimeout, "Git took too long."))?;
    run.map_err(|error| Refusal::new(Code::Internal, format!("Git cannot be run: {error}.")))
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        // Off: programs that a repository's settings could name, and the check of its owner, which may be the agent.
        .args([
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.pager=cat",
            "-c",
            "safe.directory=*",
        ])
        .args(["-c", "core.quotePath=false", "--literal-pathspecs"])
        .args(arguments)
        .current_dir(directory)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ASKPASS", "/bin/false")
        .env("GIT_EDITOR", "/bin/false")
        .env("LC_ALL", "C")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_EXTERNAL_DIFF")
        .kill_on_drop(true);
    command
}

async fn run_reading(
    directory: &Path,
    arguments: &[&str],
    bytes_max: u64,
) -> std::io::Result<GitOutput> {
    let mut child = command(directory, arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env_remove(TOKEN)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut bytes = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(bytes_max + 1).read_to_end(&mut bytes).await?;
    }
    let bytes_max = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let is_cut = bytes.len() > bytes_max;
    if is_cut {
        bytes.truncate(bytes_max);
        let _ = child.start_kill();
    }
    // Not its code: `diff --no-index` ends with 1 where there are differences.
    child.wait().await?;
    Ok(GitOutput { bytes, is_cut })
}

async fn run_changing(
    directory: &Path,
    arguments: &[&str],
    stdin: &str,
    network: GitNetwork,
) -> std::io::Result<GitEnd> {
    let mut command = command(directory, arguments);
    if network == GitNetwork::None {
        command.env_remove(TOKEN);
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (pipe, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let fed = async {
        if let Some(mut pipe) = pipe {
            // A git that does not read it reports why.
            let _ = pipe.write_all(stdin.as_bytes()).await;
        }
    };
    let ((), stdout, stderr) = tokio::join!(fed, read_beginning(stdout), read_beginning(stderr));
    Ok(GitEnd {
        is_success: child.wait().await?.success(),
        stdout: stdout?,
        stderr: stderr?,
    })
}

/// Reads the beginning; the rest is read and dropped, so that git comes to its end.
async fn read_beginning(
    from: Option<impl tokio::io::AsyncRead + Unpin>,
) -> std::io::Result<String> {
    let Some(mut from) = from else {
        return Ok(String::new());
    };
    let mut bytes = Vec::new();
    let beginning = (&mut from).take(GIT_COMPLAINT_BYTES_MAX);
    tokio::io::copy(&mut { beginning }, &mut bytes).await?;
    tokio::io::copy(&mut from, &mut tokio::io::sink()).await?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
