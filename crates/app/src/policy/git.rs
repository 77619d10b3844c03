//! Which commit a policy file is from. The pin that decides is the file's bytes; the commit is for people
//! who look for the change, so it is given only where it is certain: the repository has its whole history
//! and the commit holds the very bytes that were read.

use std::{path::Path, process::Stdio};

use domain::limits::{POLICY_FILE_BYTES_MAX, POLICY_GIT_TIMEOUT};
use tokio::{io::AsyncReadExt as _, process::Command};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Commit {
    Is(String),
    Unknown(&'static str),
}

const NO_GIT: Commit = Commit::Unknown("git is not installed, or does not answer");

/// Whether a directory or one above it is a git repository. Without one there is nothing to ask.
pub(super) fn is_in_work_tree(directory: &Path) -> bool {
    let Ok(directory) = directory.canonicalize() else {
        return false;
    };
    directory.ancestors().any(|dir| dir.join(".git").exists())
}

/// The commit that last changed `name` in `directory`, if it holds `bytes`.
pub(super) async fn commit_of(directory: &Path, name: &str, bytes: &[u8]) -> Commit {
    let shallow = ask(directory, &["rev-parse", "--is-shallow-repository"]).await;
    match shallow {
        Err(Trouble::NoAnswer) => return NO_GIT,
        Err(Trouble::Refused) => return Commit::Unknown("git refuses to read the repository"),
        // The oldest commit of a shallow clone looks as if it had made every file.
        Ok(answer) if answer != b"false\n" => {
            return Commit::Unknown("the clone is shallow, so its history names the wrong commit");
        }
        Ok(_) => {}
    }
    let Ok(answer) = ask(directory, &["rev-list", "-1", "HEAD", "--", name]).await else {
        return Commit::Unknown("the repository has no commit");
    };
    let commit = String::from_utf8_lossy(&answer).trim().to_owned();
    if commit.is_empty() {
        return Commit::Unknown("it was never committed");
    }
    let blob = format!("{commit}:./{name}");
    match ask(directory, &["cat-file", "blob", &blob]).await {
        Ok(committed) if committed == bytes => Commit::Is(commit),
        Ok(_) | Err(Trouble::Refused) => Commit::Unknown("it differs from what is committed"),
        Err(Trouble::NoAnswer) => NO_GIT,
    }
}

enum Trouble {
    /// Not there, or not in time.
    NoAnswer,
    Refused,
}

/// Runs git and returns what it prints. Nothing of our environment or of a user's settings reaches it, and it is not
/// run through a shell.
async fn ask(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, Trouble> {
    let mut command = Command::new("git");
    command.env_clear();
    // Where to find git is the one thing it is told.
    command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.envs([
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        // History as it is, without annotations, and nothing fetched to complete it.
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("GIT_GRAFT_FILE", "/dev/null"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("LC_ALL", "C"),
    ]);
    command
        .args(["-c", "core.fsmonitor=false"])
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let answer = async {
        let mut child = command.spawn().map_err(|_| Trouble::NoAnswer)?;
        let mut output = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            let bound = POLICY_FILE_BYTES_MAX as u64 + 1;
            let read = stdout.take(bound).read_to_end(&mut output).await;
            read.map_err(|_| Trouble::NoAnswer)?;
        }
        match child.wait().await {
            Ok(status) if status.success() => Ok(output),
            _ => Err(Trouble::Refused),
        }
    };
    let answer = tokio::time::timeout(POLICY_GIT_TIMEOUT, answer).await;
    answer.unwrap_or(Err(Trouble::NoAnswer))
}
