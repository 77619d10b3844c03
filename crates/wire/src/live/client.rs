//! The messages of a client. Members are beside `type`; unknown ones are refused.

use domain::{
    Invalid,
    invalid::{bounded_count, bounded_text, relative_path},
    limits::{
        BRANCH_NAME_LENGTH_MAX, COMMIT_FILES_MAX, COMMIT_MESSAGE_LENGTH_MAX,
        IDEMPOTENCY_KEY_LENGTH_MAX, PATH_LENGTH_MAX, PROMPT_IMAGE_BYTES_MAX, PROMPT_IMAGES_MAX,
        PROMPT_LENGTH_MAX, PULL_REQUEST_BODY_LENGTH_MAX, SERVICE_COMMANDS_MAX, TITLE_LENGTH_MAX,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{secret_text::SecretText, service_command::ServiceCommand};

/// A frame of a client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// The first frame of a client that could not send its token with the upgrade request.
    Auth(Auth),
    /// Answered by `pong`.
    Ping,
    Prompt(Prompt),
    Cancel(Cancel),
    /// Answered by `status`.
    GetStatus,
    /// Answered by `init`.
    GetMessages,
    SaveSnapshot(SaveSnapshot),
    RunAutoStart(RunAutoStart),
    GetGitStatus(GetGitStatus),
    GitCreateBranch(GitCreateBranch),
    GitCommit(GitCommit),
    GitPush(GitPush),
    GitCreatePr(GitCreatePr),
}

/// Authenticates the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Auth {
    pub token: SecretText,
}

/// A task for the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prompt {
    /// Empty only if there is a picture.
    #[schema(max_length = 200_000)]
    pub content: String,
    /// Pictures as data URIs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 10)]
    pub images: Vec<String>,
    /// A second prompt with the same key is the same prompt, and is run once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_length = 1, max_length = 255)]
    pub idempotency_key: Option<String>,
    /// Accepted and not used: the connection identifies the sender.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub user_id: Option<String>,
}

/// Stops the agent's turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cancel {
    /// Accepted and not used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub user_id: Option<String>,
}

/// Saves the sandbox. Answered by `snapshot_result`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaveSnapshot {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 5000)]
    pub message: Option<String>,
}

/// Tests the commands that start services. Answered by `auto_start_output`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunAutoStart {
    /// Chosen by the client, to match the response.
    pub run_id: Uuid,
    #[serde(default)]
    pub mode: AutoStartMode,
    /// Those of the configuration if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_items = 10)]
    pub commands: Option<Vec<ServiceCommand>>,
}

/// Whether services keep running.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AutoStartMode {
    /// Each is run and its output shown.
    #[default]
    Test,
    /// They are started and keep running.
    Start,
}

/// Asks for the state of a repository. Answered by `git_status`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetGitStatus {
    /// Folder of the repository, below the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 500)]
    pub workspace_path: Option<String>,
}

/// Creates a branch and checks it out. Answered by `git_result`, as the next three.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GitCreateBranch {
    #[schema(min_length = 1, max_length = 244)]
    pub branch_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 500)]
    pub workspace_path: Option<String>,
}

/// Commits what changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GitCommit {
    #[schema(min_length = 1, max_length = 5000)]
    pub message: String,
    #[serde(default)]
    pub include_untracked: bool,
    /// Only these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_items = 1000)]
    pub files: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 500)]
    pub workspace_path: Option<String>,
}

/// Pushes the branch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GitPush {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 500)]
    pub workspace_path: Option<String>,
}

/// Pushes the branch and opens a pull request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GitCreatePr {
    /// The branch that was shown to the caller. An administrator's request is an approval only if the sandbox reports
    /// the same one; without it the request waits for a decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 244)]
    pub branch: Option<String>,
    #[schema(min_length = 1, max_length = 200)]
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 65_536)]
    pub body: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 244)]
    pub base_branch: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 500)]
    pub workspace_path: Option<String>,
}

impl ClientMessage {
    /// Parses a frame; the error names the member and quotes nothing.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let message: Self =
            serde_json::from_str(text).map_err(|error| Invalid::new("frame", error.to_string()))?;
        message.check()?;
        Ok(message)
    }

    /// Whether it changes something, or only reads.
    pub fn is_mutation(&self) -> bool {
        match self {
            Self::Auth(_)
            | Self::Ping
            | Self::GetStatus
            | Self::GetMessages
            | Self::GetGitStatus(_) => false,
            Self::Prompt(_)
            | Self::Cancel(_)
            | Self::SaveSnapshot(_)
            | Self::RunAutoStart(_)
            | Self::GitCreateBranch(_)
            | Self::GitCommit(_)
            | Self::GitPush(_)
            | Self::GitCreatePr(_) => true,
        }
    }

    fn check(&self) -> Result<(), Invalid> {
        match self {
            Self::Auth(_) | Self::Ping | Self::Cancel(_) | Self::GetStatus | Self::GetMessages => {
                Ok(())
            }
            Self::Prompt(prompt) => prompt.check(),
            Self::SaveSnapshot(SaveSnapshot { message }) => {
                optional("message", message.as_deref(), COMMIT_MESSAGE_LENGTH_MAX)
            }
            Self::RunAutoStart(run) => {
                let count = run.commands.as_ref().map_or(0, Vec::len);
                bounded_count("commands", count, SERVICE_COMMANDS_MAX)
            }
            Self::GetGitStatus(GetGitStatus { workspace_path })
            | Self::GitPush(GitPush { workspace_path }) => folder(workspace_path.as_deref()),
            Self::GitCreateBranch(branch) => {
                bounded_text("branchName", &branch.branch_name, 1, BRANCH_NAME_LENGTH_MAX)?;
                folder(branch.workspace_path.as_deref())
            }
            Self::GitCommit(commit) => {
                bounded_text("message", &commit.message, 1, COMMIT_MESSAGE_LENGTH_MAX)?;
                let files = commit.files.as_deref().unwrap_or_default();
                bounded_count("files", files.len(), COMMIT_FILES_MAX)?;
                for file in files {
                    relative_path("files", file, PATH_LENGTH_MAX)?;
                }
                folder(commit.workspace_path.as_deref())
            }
            Self::GitCreatePr(request) => {
                optional("branch", request.branch.as_deref(), BRANCH_NAME_LENGTH_MAX)?;
                bounded_text("title", &request.title, 1, TITLE_LENGTH_MAX)?;
                optional(
                    "body",
                    request.body.as_deref(),
                    PULL_REQUEST_BODY_LENGTH_MAX,
                )?;
                optional(
                    "baseBranch",
                    request.base_branch.as_deref(),
                    BRANCH_NAME_LENGTH_MAX,
                )?;
                folder(request.workspace_path.as_deref())
            }
        }
    }
}

impl Prompt {
    pub fn check(&self) -> Result<(), Invalid> {
        if self.content.trim().is_empty() && self.images.is_empty() {
            return Err(Invalid::new("content", "must not be empty"));
        }
        // Not `bounded_text`: text pasted from a terminal has control characters.
        if self.content.chars().count() > PROMPT_LENGTH_MAX {
            let reason = format!("must have at most {PROMPT_LENGTH_MAX} characters");
            return Err(Invalid::new("content", reason));
        }
        if let Some(key) = &self.idempotency_key {
            bounded_text("idempotencyKey", key, 1, IDEMPOTENCY_KEY_LENGTH_MAX)?;
        }
        bounded_count("images", self.images.len(), PROMPT_IMAGES_MAX)?;
        for image in &self.images {
            if !is_picture(image) {
                let reason = "must be data URIs of PNG, JPEG, GIF or WebP pictures in base64";
                return Err(Invalid::new("images", reason));
            }
            if image.len() > PROMPT_IMAGE_BYTES_MAX {
                return Err(Invalid::new("images", "has a picture that is too large"));
            }
        }
        Ok(())
    }
}

fn is_picture(text: &str) -> bool {
    ["png", "jpeg", "gif", "webp"].iter().any(|kind| {
        let rest = text.strip_prefix("data:image/");
        rest.and_then(|rest| rest.strip_prefix(kind))
            .is_some_and(|rest| rest.starts_with(";base64,"))
    })
}

fn folder(path: Option<&str>) -> Result<(), Invalid> {
    path.map_or(Ok(()), |path| {
        relative_path("workspacePath", path, PATH_LENGTH_MAX)
    })
}

fn optional(field: &str, text: Option<&str>, length_max: usize) -> Result<(), Invalid> {
    text.map_or(Ok(()), |text| bounded_text(field, text, 0, length_max))
}
