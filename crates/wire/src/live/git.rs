//! The state of a repository in the sandbox, and what became of a change to it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What git says of a working tree.
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
    /// As git writes it, ISO 8601.
    pub date: String,
}

/// What became of a change.
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
    UnknownError,
}
