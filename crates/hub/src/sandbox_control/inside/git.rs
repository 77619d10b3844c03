//! Reads and changes the repositories in a session's sandbox.

use app::{
    Error,
    access::{SessionAccess, Steering},
};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::limits::{
    DAEMON_DIFF_BYTES_MAX, DAEMON_PUSH_TIMEOUT, DAEMON_REQUEST_TIMEOUT,
    DAEMON_SHORT_ANSWER_BYTES_MAX, DAEMON_STATE_BYTES_MAX,
};
use serde_json::json;
use wire::live::{GitCommit, GitCreateBranch, GitDiff, GitPush, GitResult, GitState};

use super::{
    access::{SandboxAccess, SandboxCallError},
    daemon::DaemonRequest,
};

/// A change of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitChange {
    Branch(GitCreateBranch),
    Commit(GitCommit),
    Push(GitPush),
}

impl SandboxAccess {
    /// Returns the state of a repository. A sandbox that is not running is not booted.
    pub async fn read_git_state(
        &self,
        access: &SessionAccess,
        folder: Option<&str>,
    ) -> Result<GitState, Error> {
        let reached = self.reach_running(&access.into()).await?;
        let daemon = self.daemon(&reached).await?;
        let request = DaemonRequest {
            path: "/api/git/state",
            query: &[("repo", &repo_id(folder))],
            response_bytes_max: DAEMON_STATE_BYTES_MAX,
        };
        daemon.get(request).await
    }

    /// Returns the difference to the last commit, of one file or of all. A sandbox that is not running is not booted.
    pub async fn read_git_diff(
        &self,
        access: &SessionAccess,
        folder: Option<&str>,
        path: Option<&str>,
    ) -> Result<GitDiff, Error> {
        let reached = self.reach_running(&access.into()).await?;
        let daemon = self.daemon(&reached).await?;
        let repo = repo_id(folder);
        let mut query = vec![("repo", repo.as_str())];
        query.extend(path.map(|path| ("path", path)));
        let request = DaemonRequest {
            path: "/api/git/diff",
            query: &query,
            response_bytes_max: DAEMON_DIFF_BYTES_MAX,
        };
        daemon.get(request).await
    }

    /// Changes a repository; boots the sandbox if it is not running.
    pub async fn change_repository(
        &self,
        steering: &Steering,
        change: GitChange,
    ) -> Result<GitResult, SandboxCallError> {
        let reached = self.reach_booted(&steering.into()).await?;
        let daemon = self.daemon(&reached).await?;
        let (folder, what, body, timeout) = match change {
            GitChange::Branch(branch) => {
                let body = json!({"name": branch.branch_name});
                (
                    branch.workspace_path,
                    "branch",
                    body,
                    DAEMON_REQUEST_TIMEOUT,
                )
            }
            GitChange::Commit(commit) => {
                let body = json!({
                    "message": commit.message,
                    "includeUntracked": commit.include_untracked,
                    "files": commit.files,
                });
                (
                    commit.workspace_path,
                    "commit",
                    body,
                    DAEMON_REQUEST_TIMEOUT,
                )
            }
            GitChange::Push(push) => (push.workspace_path, "push", json!({}), DAEMON_PUSH_TIMEOUT),
        };
        let path = format!("/api/git/{what}");
        let query = [("repo", repo_id(folder.as_deref()))];
        let query = query
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let request = DaemonRequest {
            path: &path,
            query: &query,
            response_bytes_max: DAEMON_SHORT_ANSWER_BYTES_MAX,
        };
        Ok(daemon.post(request, &body, timeout).await?)
    }
}

/// Returns the daemon's id of a repository; the workspace itself has an empty one.
fn repo_id(folder: Option<&str>) -> String {
    let folder = folder.unwrap_or_default();
    BASE64_URL_SAFE_NO_PAD.encode(folder.trim_end_matches('/').trim_start_matches("./"))
}
