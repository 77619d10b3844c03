//! Repositories of a live session, as people look at them and change them.

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

use super::{GiveError, House, daemon::DaemonRequest};

/// A change that somebody asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitChange {
    Branch(GitCreateBranch),
    Commit(GitCommit),
    Push(GitPush),
}

impl House {
    /// How a repository stands. Nobody is woken for it.
    pub async fn git_state(
        &self,
        access: &SessionAccess,
        folder: Option<&str>,
    ) -> Result<GitState, Error> {
        let reached = self.reached(&access.into()).await?;
        let daemon = self.daemon(&reached).await?;
        let request = DaemonRequest {
            path: "/api/git/state",
            query: &[("repo", &repo(folder))],
            answer_bytes_max: DAEMON_STATE_BYTES_MAX,
        };
        daemon.get(request).await
    }

    /// What is different from the last commit, of one file or of all. Nobody is woken for it.
    pub async fn git_diff(
        &self,
        access: &SessionAccess,
        folder: Option<&str>,
        path: Option<&str>,
    ) -> Result<GitDiff, Error> {
        let reached = self.reached(&access.into()).await?;
        let daemon = self.daemon(&reached).await?;
        let repo = repo(folder);
        let mut query = vec![("repo", repo.as_str())];
        query.extend(path.map(|path| ("path", path)));
        let request = DaemonRequest {
            path: "/api/git/diff",
            query: &query,
            answer_bytes_max: DAEMON_DIFF_BYTES_MAX,
        };
        daemon.get(request).await
    }

    /// Changes a repository; a sandbox that sleeps is woken.
    pub async fn git_change(
        &self,
        steering: &Steering,
        change: GitChange,
    ) -> Result<GitResult, GiveError> {
        let reached = self.woken(&steering.into()).await?;
        let daemon = self.daemon(&reached).await?;
        let (folder, what, body, within) = match change {
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
        let query = [("repo", repo(folder.as_deref()))];
        let query = query
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let request = DaemonRequest {
            path: &path,
            query: &query,
            answer_bytes_max: DAEMON_SHORT_ANSWER_BYTES_MAX,
        };
        Ok(daemon.post(request, &body, within).await?)
    }
}

/// The daemon's name of a repository; the workspace itself has none.
fn repo(folder: Option<&str>) -> String {
    let folder = folder.unwrap_or_default();
    BASE64_URL_SAFE_NO_PAD.encode(folder.trim_end_matches('/').trim_start_matches("./"))
}
