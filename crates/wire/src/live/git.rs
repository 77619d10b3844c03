//! The state of a repository in the sandbox, and the result of a change to it.

use domain::{Invalid, invalid::relative_path, limits::PATH_LENGTH_MAX};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The state of a working tree, as git reports it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitState {
    /// The commit where the head is detached.
    pub branch: String,
    pub detached: bool,
    pub staged_changes: Vec<String>,
    pub unstaged_changes: Vec<String>,
    pub untracked_files: Vec<String>,
    pub conflicted_files: Vec<String>,
    /// Newest first.
    pub commits: Vec<GitCommitView>,
    /// Null without an upstream.
    pub ahead: Option<u32>,
    pub behind: Option<u32>,
    pub is_shallow: bool,
    pub is_busy: bool,
    pub rebase_in_progress: bool,
    pub merge_in_progress: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitCommitView {
    pub sha: String,
    pub message: String,
    pub author: String,
    /// In git's format, ISO 8601.
    pub date: String,
}

/// The changes since the last commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitDiff {
    /// In git's format.
    pub diff: String,
    /// Whether the diff is incomplete.
    pub truncated: bool,
    /// Whether it includes a binary file, whose lines cannot be shown.
    pub binary: bool,
}

/// Which repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GitStatusQuery {
    /// Folder of the repository, below the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(max_length = 500)]
    pub workspace_path: Option<String>,
}

/// Which changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GitDiffQuery {
    /// Folder of the repository, below the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(max_length = 500)]
    pub workspace_path: Option<String>,
    /// One file; an untracked one counts as added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(max_length = 500)]
    pub path: Option<String>,
}

impl GitStatusQuery {
    pub fn check(&self) -> Result<(), Invalid> {
        below("workspacePath", self.workspace_path.as_deref())
    }
}

impl GitDiffQuery {
    pub fn check(&self) -> Result<(), Invalid> {
        below("workspacePath", self.workspace_path.as_deref())?;
        below("path", self.path.as_deref())
    }
}

fn below(field: &str, path: Option<&str>) -> Result<(), Invalid> {
    path.map_or(Ok(()), |path| relative_path(field, path, PATH_LENGTH_MAX))
}

/// The result of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GitResult {
    pub action: GitAction,
    pub success: bool,
    pub code: GitCode,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pr_url: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GitAction {
    CreateBranch,
    Commit,
    Push,
    CreatePr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GitCode {
    Success,
    NothingToCommit,
    NoRemote,
    NotARepo,
    ShallowPushFailed,
    AuthFailed,
    GhNotAvailable,
    NotGithubRemote,
    BranchExists,
    MergeConflict,
    RepoBusy,
    MultipleRemotes,
    /// Held until an approver decides.
    AwaitingApproval,
    UnknownError,
}
