//! One run of git, bounded in time and output.

use std::{path::Path, process::Stdio};

use tokio::{io::AsyncReadExt as _, process::Command};
use wire::problem::Code;

use crate::{daemon::refusal::Refusal, env::TOKEN, limits::GIT_WITHIN};

/// What git printed.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) bytes: Vec<u8>,
    /// Whether there was more.
    pub(super) is_cut: bool,
}

pub(super) async fn git(
    directory: &Path,
    arguments: &[&str],
    bytes_max: u64,
) -> Result<Output, Refusal> {
    let run = tokio::time::timeout(GIT_WITHIN, output(directory, arguments, bytes_max)).await;
    let run = run.map_err(|_| Refusal::new(Code::RequestTimeout, "Git took too long."))?;
    run.map_err(|error| Refusal::new(Code::Internal, format!("Git cannot be run: {error}.")))
}

async fn output(directory: &Path, arguments: &[&str], bytes_max: u64) -> std::io::Result<Output> {
    let mut child = Command::new("git")
        // Programs that a repository's settings could name, and who owns it, which is the agent's matter.
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
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env_remove(TOKEN)
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_EXTERNAL_DIFF")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
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
    Ok(Output { bytes, is_cut })
}
