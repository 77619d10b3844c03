//! The state of a repository as users see it: what changed, the last commits, and what git is in the middle of.

use std::path::{Path, PathBuf};

use wire::live::{GitCommitView, GitState};

use super::{command, repository::repository_directory, status};
use crate::{
    daemon::refusal::Refusal,
    jail::Jail,
    limits::{LOG_COMMITS_BYTES_MAX, LOG_COMMITS_MAX, STATUS_BYTES_MAX},
};

/// Letters of a path with a merge conflict.
const CONFLICTS: [&str; 7] = ["DD", "AU", "UD", "UA", "DU", "AA", "UU"];

pub(super) async fn read_state(jail: &Jail, repo: &str) -> Result<GitState, Refusal> {
    let directory = repository_directory(jail, repo)?;
    let output = command::read(&directory, &status::ARGUMENTS, STATUS_BYTES_MAX).await?;
    let status = status::parse(&output.bytes, output.is_cut);
    let git_dir = git_dir(&directory).await?;
    let has = |name: &str| git_dir.join(name).symlink_metadata().is_ok();
    let shallow = ["rev-parse", "--is-shallow-repository"];
    let shallow = command::read(&directory, &shallow, 100).await?;
    let mut state = GitState {
        detached: status.branch.is_none(),
        branch: status.branch.or(status.commit.clone()).unwrap_or_default(),
        ahead: status.upstream.as_ref().map(|_| status.ahead),
        behind: status.upstream.as_ref().map(|_| status.behind),
        is_shallow: shallow.bytes.starts_with(b"true"),
        is_busy: has("index.lock"),
        rebase_in_progress: has("rebase-merge") || has("rebase-apply"),
        merge_in_progress: has("MERGE_HEAD"),
        ..GitState::default()
    };
    if status.commit.is_some() {
        state.commits = commits(&directory).await?;
    }
    for file in status.files {
        let letters = file.status.as_str();
        if CONFLICTS.contains(&letters) {
            state.conflicted_files.push(file.path);
        } else if letters == "??" {
            state.untracked_files.push(file.path);
        } else {
            if !letters.starts_with('.') {
                state.staged_changes.push(file.path.clone());
            }
            if !letters.ends_with('.') {
                state.unstaged_changes.push(file.path);
            }
        }
    }
    Ok(state)
}

async fn git_dir(directory: &Path) -> Result<PathBuf, Refusal> {
    let output = command::read(directory, &["rev-parse", "--absolute-git-dir"], 8192).await?;
    let path = String::from_utf8_lossy(&output.bytes).trim_end().to_owned();
    Ok(PathBuf::from(path))
}

async fn commits(directory: &Path) -> Result<Vec<GitCommitView>, Refusal> {
    let count = format!("--max-count={LOG_COMMITS_MAX}");
    let arguments = ["log", &count, "--format=%H%x1f%s%x1f%an%x1f%aI%x1e"];
    let output = command::read(directory, &arguments, LOG_COMMITS_BYTES_MAX).await?;
    let text = String::from_utf8_lossy(&output.bytes);
    let commit = |record: &str| {
        let mut fields = record.trim_start().split('\u{1f}').map(str::to_owned);
        Some(GitCommitView {
            sha: fields.next()?,
            message: fields.next()?,
            author: fields.next()?,
            date: fields.next()?,
        })
    };
    // The last of what was cut off is not whole.
    Ok(text.split('\u{1e}').filter_map(commit).collect())
}
