//! Changes that users request: a branch, a commit, a push. A repository's own hooks run, as they would for a user who
//! works in the sandbox.

use std::path::Path;

use serde::Deserialize;
use wire::{
    live::{GitAction, GitCode, GitResult},
    problem::Code,
};

use super::{
    command::{self, GitEnd, GitNetwork},
    repository::repository_directory,
};
use crate::{
    daemon::refusal::Refusal,
    jail::Jail,
    limits::{GIT_PUSH_WITHIN, GIT_WITHIN, TEXT_LENGTH_MAX},
};

/// The author of commits without a configured one.
const IDENTITY: [&str; 4] = [
    "-c",
    "user.name=Proliferate",
    "-c",
    "user.email=noreply@proliferate.invalid",
];

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::daemon) struct NewBranch {
    name: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::daemon) struct NewCommit {
    message: String,
    #[serde(default)]
    include_untracked: bool,
    /// Only these.
    #[serde(default)]
    files: Option<Vec<String>>,
}

/// The result of a change: a message, or the code and message of git's refusal.
type ChangeResult = Result<Result<String, (GitCode, String)>, Refusal>;

pub(in crate::daemon) async fn branch(
    jail: &Jail,
    repo: &str,
    new: NewBranch,
) -> Result<GitResult, Refusal> {
    let outcome = match repository_directory(jail, repo) {
        Ok(directory) => make_branch(&directory, &new.name).await,
        Err(refusal) => no_repository(refusal),
    };
    result(GitAction::CreateBranch, outcome)
}

pub(in crate::daemon) async fn commit(
    jail: &Jail,
    repo: &str,
    new: NewCommit,
) -> Result<GitResult, Refusal> {
    let outcome = match repository_directory(jail, repo) {
        Ok(directory) => make_commit(&directory, &new).await,
        Err(refusal) => no_repository(refusal),
    };
    result(GitAction::Commit, outcome)
}

pub(in crate::daemon) async fn push(jail: &Jail, repo: &str) -> Result<GitResult, Refusal> {
    let outcome = match repository_directory(jail, repo) {
        Ok(directory) => push_branch(&directory).await,
        Err(refusal) => no_repository(refusal),
    };
    result(GitAction::Push, outcome)
}

fn no_repository(refusal: Refusal) -> ChangeResult {
    if refusal.code() == Code::NotFound {
        let message = "There is no repository in this folder.".to_owned();
        return Ok(Err((GitCode::NotARepo, message)));
    }
    Err(refusal)
}

fn result(action: GitAction, outcome: ChangeResult) -> Result<GitResult, Refusal> {
    let (success, code, message) = match outcome? {
        Ok(message) => (true, GitCode::Success, message),
        Err((code, message)) => (false, code, message),
    };
    Ok(GitResult {
        action,
        success,
        code,
        message,
        pr_url: None,
    })
}

async fn run_local(directory: &Path, arguments: &[&str], stdin: &str) -> Result<GitEnd, Refusal> {
    command::change(directory, arguments, stdin, GitNetwork::None, GIT_WITHIN).await
}

async fn make_branch(directory: &Path, name: &str) -> ChangeResult {
    let valid = run_local(directory, &["check-ref-format", "--branch", name], "").await?;
    if !valid.is_success || name.starts_with('-') {
        let message = "This cannot be the name of a branch.".to_owned();
        return Ok(Err((GitCode::UnknownError, message)));
    }
    let made = run_local(directory, &["switch", "--quiet", "--create", name], "").await?;
    if made.is_success {
        return Ok(Ok(format!("On the new branch {name}.")));
    }
    Ok(Err(parse_complaint(&made.stderr)))
}

async fn make_commit(directory: &Path, new: &NewCommit) -> ChangeResult {
    let files: Vec<&str> = new.files.iter().flatten().map(String::as_str).collect();
    let mut add = vec!["add"];
    match (&new.files, new.include_untracked) {
        (Some(_), _) | (None, true) => add.push("--all"),
        (None, false) => add.push("--update"),
    }
    add.push("--");
    match &new.files {
        Some(_) => add.extend(&files),
        None => add.push("."),
    }
    if new.files.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Err(nothing_to_commit()));
    }
    let unmerged = run_local(directory, &["ls-files", "--unmerged"], "").await?;
    if !unmerged.stdout.is_empty() {
        let message = "There are conflicts to be resolved first.".to_owned();
        return Ok(Err((GitCode::MergeConflict, message)));
    }
    let added = run_local(directory, &add, "").await?;
    if !added.is_success {
        return Ok(Err(parse_complaint(&added.stderr)));
    }
    let mut differs = vec!["diff", "--cached", "--quiet", "--"];
    differs.extend(&files);
    // It fails where there is something.
    if run_local(directory, &differs, "").await?.is_success {
        return Ok(Err(nothing_to_commit()));
    }
    let known = run_local(directory, &["config", "--get", "user.email"], "").await?;
    let mut commit = Vec::new();
    if !known.is_success {
        commit.extend(IDENTITY);
    }
    commit.extend(["commit", "--quiet", "--file", "-"]);
    if !files.is_empty() {
        commit.extend(["--only", "--"]);
        commit.extend(&files);
    }
    let made = run_local(directory, &commit, &new.message).await?;
    if !made.is_success {
        return Ok(Err(parse_complaint(&made.stderr)));
    }
    let id = run_local(directory, &["rev-parse", "--short", "HEAD"], "").await?;
    Ok(Ok(format!("Committed as {}.", id.stdout.trim())))
}

async fn push_branch(directory: &Path) -> ChangeResult {
    let branch = run_local(
        directory,
        &["symbolic-ref", "--quiet", "--short", "HEAD"],
        "",
    )
    .await?;
    let branch = branch.stdout.trim();
    if branch.is_empty() {
        let message = "No branch is checked out.".to_owned();
        return Ok(Err((GitCode::UnknownError, message)));
    }
    let remotes = run_local(directory, &["remote"], "").await?.stdout;
    let remotes: Vec<&str> = remotes.lines().collect();
    let own = format!("branch.{branch}.remote");
    let own = run_local(directory, &["config", "--get", &own], "")
        .await?
        .stdout;
    let remote = match (own.trim(), &remotes[..]) {
        (_, []) => return Ok(Err((GitCode::NoRemote, "There is no remote.".to_owned()))),
        (own, all) if all.contains(&own) => own,
        (_, [only]) => only,
        (_, all) if all.contains(&"origin") => "origin",
        _ => {
            let message = "There are several remotes, and the branch has none of them.".to_owned();
            return Ok(Err((GitCode::MultipleRemotes, message)));
        }
    };
    let to = format!("HEAD:refs/heads/{branch}");
    let words = ["push", "--quiet", "--set-upstream", remote, &to];
    let pushed =
        command::change(directory, &words, "", GitNetwork::Gateway, GIT_PUSH_WITHIN).await?;
    if pushed.is_success {
        return Ok(Ok(format!("Pushed {branch} to {remote}.")));
    }
    Ok(Err(parse_complaint(&pushed.stderr)))
}

fn nothing_to_commit() -> (GitCode, String) {
    (GitCode::NothingToCommit, "Nothing has changed.".to_owned())
}

/// Returns the code of a complaint of git, and the line of it that says most.
fn parse_complaint(stderr: &str) -> (GitCode, String) {
    let has = |words: &str| stderr.contains(words);
    let code = if has("already exists") {
        GitCode::BranchExists
    } else if has("index.lock") || has("cannot lock ref") {
        GitCode::RepoBusy
    } else if has("unmerged") || has("conflict") {
        GitCode::MergeConflict
    } else if has("shallow update") {
        GitCode::ShallowPushFailed
    } else if has("Authentication failed")
        || has("could not read Username")
        || has("error: 401")
        || has("error: 403")
        || has("may not push")
        || has("may push")
    {
        GitCode::AuthFailed
    } else {
        GitCode::UnknownError
    };
    let lines: Vec<&str> = stderr.lines().map(str::trim).collect();
    let says = |prefix: &str| lines.iter().find_map(|line| line.strip_prefix(prefix));
    // The server's message takes precedence.
    let line = says("remote: ").or_else(|| says("! [remote rejected] "));
    let line = line.or_else(|| says("fatal: ")).or_else(|| says("error: "));
    let line = line.or_else(|| lines.iter().find(|line| !line.is_empty()).copied());
    let line = line.unwrap_or("Git gave no reason.");
    let plain = line.chars().filter(|c| !c.is_control());
    (code, plain.take(TEXT_LENGTH_MAX).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_has_a_code_and_one_line() {
        for (said, code, line) in [
            (
                "fatal: a branch named 'x' already exists\n",
                GitCode::BranchExists,
                "a branch named 'x' already exists",
            ),
            (
                "fatal: Unable to create '/w/.git/index.lock': File exists.\n",
                GitCode::RepoBusy,
                "Unable to create '/w/.git/index.lock': File exists.",
            ),
            (
                "remote: agents may not push to this repository\nfatal: unable to access 'x': The requested URL returned error: 403\n",
                GitCode::AuthFailed,
                "agents may not push to this repository",
            ),
            (
                "To http://x\n ! [remote rejected] main -> main (agents may not push to the default branch)\nerror: failed\n",
                GitCode::AuthFailed,
                "main -> main (agents may not push to the default branch)",
            ),
            ("", GitCode::UnknownError, "Git gave no reason."),
            ("\u{1b}[31mhook\n", GitCode::UnknownError, "[31mhook"),
        ] {
            assert_eq!(parse_complaint(said), (code, line.to_owned()));
        }
    }
}
