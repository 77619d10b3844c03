//! Requests about the session's repositories. Each takes a while, and only this client gets the response.

use app::{
    access::Steering,
    git::{self, NewPullRequest, PullRequestOutcome},
};
use hub::{GitChange, Hub, SandboxCallError};
use wire::live::{
    GetGitStatus, GitAction, GitCode, GitCreatePr, GitPush, GitResult, ServerMessage,
};

use super::{
    super::sandbox_call_failure,
    client_message::{RequestedChange, busy_failure, error_message},
    message_loop::MessageLoop,
};
use crate::error::Failure;

impl MessageLoop {
    pub(super) fn git_status(&self, asked: GetGitStatus) -> Result<Option<ServerMessage>, Failure> {
        let access = self.access.clone();
        self.answer_later(move |hub| async move {
            let folder = asked.workspace_path.as_deref();
            match hub.inside.read_git_state(&access, folder).await {
                Ok(state) => ServerMessage::GitStatus(state),
                Err(error) => error_message(&error.into()),
            }
        })
    }

    pub(super) fn git_change(
        &self,
        steering: Steering,
        change: GitChange,
        requested: RequestedChange,
    ) -> Result<Option<ServerMessage>, Failure> {
        self.answer_later(move |hub| async move {
            let action = action_of(&change);
            match hub.inside.change_repository(&steering, change).await {
                Ok(result) => ServerMessage::GitResult(result),
                Err(error) => failed_result(&requested, action, error).await,
            }
        })
    }

    /// Pushes the branch, then opens a pull request.
    pub(super) fn git_create_pr(
        &self,
        steering: Steering,
        asked: GitCreatePr,
        requested: RequestedChange,
    ) -> Result<Option<ServerMessage>, Failure> {
        self.answer_later(move |hub| async move {
            let push = GitChange::Push(GitPush {
                workspace_path: asked.workspace_path.clone(),
            });
            match hub.inside.change_repository(&steering, push).await {
                Ok(pushed) if pushed.success => {}
                Ok(pushed) => return pull_request_result(false, pushed.code, pushed.message, None),
                Err(error) => return failed_result(&requested, GitAction::CreatePr, error).await,
            }
            let folder = asked.workspace_path.as_deref();
            let state = match hub.inside.read_git_state(steering.access(), folder).await {
                Ok(state) => state,
                Err(error) => {
                    return failed_result(&requested, GitAction::CreatePr, error.into()).await;
                }
            };
            let new = NewPullRequest {
                folder: asked.workspace_path.unwrap_or_else(|| ".".to_owned()),
                branch: state.branch,
                seen_branch: asked.branch,
                title: asked.title,
                body: asked.body,
                base: asked.base_branch,
            };
            open_pull_request(&requested, new).await
        })
    }

    /// Runs a task beside the conversation; its result is sent when it is done.
    pub(super) fn answer_later<F: Future<Output = ServerMessage> + Send + 'static>(
        &self,
        work: impl FnOnce(Hub) -> F,
    ) -> Result<Option<ServerMessage>, Failure> {
        let (Some(hub), Ok(later)) = (
            self.gateway.hub.clone(),
            self.later.clone().try_reserve_owned(),
        ) else {
            return Err(busy_failure());
        };
        let work = work(hub);
        tokio::spawn(async move { later.send(work.await) });
        Ok(None)
    }
}

/// Opens the pull request, and returns the result.
async fn open_pull_request(requested: &RequestedChange, new: NewPullRequest) -> ServerMessage {
    let app = &requested.gateway.app;
    match git::open_pull_request(app, &requested.caller, requested.id, new).await {
        Ok(PullRequestOutcome::Opened { url }) => {
            let message = "The pull request is open.".to_owned();
            pull_request_result(true, GitCode::Success, message, url)
        }
        Ok(PullRequestOutcome::Pending { id, until }) => {
            let message = format!(
                "The branch is pushed. The pull request is opened as soon as an administrator approves it (action {id}, \
                 until {until})."
            );
            pull_request_result(false, GitCode::AwaitingApproval, message, None)
        }
        Ok(PullRequestOutcome::Underway) => {
            let message = "The branch is pushed. The pull request is being opened; the outcome appears in the \
                           session.";
            pull_request_result(false, GitCode::UnknownError, message.to_owned(), None)
        }
        Ok(PullRequestOutcome::NotGithub) => {
            let message = "The repository in this folder is not on GitHub.".to_owned();
            pull_request_result(false, GitCode::NotGithubRemote, message, None)
        }
        Ok(PullRequestOutcome::Failed(why)) => {
            pull_request_result(false, GitCode::UnknownError, why, None)
        }
        Err(error) if matches!(error, app::Error::NotFound(_)) => {
            requested.record_rejection(&error.into()).await;
            let message = "The session has no connection to GitHub.".to_owned();
            pull_request_result(false, GitCode::GhNotAvailable, message, None)
        }
        Err(error) => failed_result(requested, GitAction::CreatePr, error.into()).await,
    }
}

/// The result of a pull request.
fn pull_request_result(
    success: bool,
    code: GitCode,
    message: String,
    pr_url: Option<String>,
) -> ServerMessage {
    ServerMessage::GitResult(GitResult {
        action: GitAction::CreatePr,
        success,
        code,
        message,
        pr_url,
    })
}

fn action_of(change: &GitChange) -> GitAction {
    match change {
        GitChange::Branch(_) => GitAction::CreateBranch,
        GitChange::Commit(_) => GitAction::Commit,
        GitChange::Push(_) => GitAction::Push,
    }
}

/// Records a refusal.
async fn failed_result(
    requested: &RequestedChange,
    action: GitAction,
    error: SandboxCallError,
) -> ServerMessage {
    let message = error.to_string();
    requested
        .record_rejection(&sandbox_call_failure(error))
        .await;
    ServerMessage::GitResult(GitResult {
        action,
        success: false,
        code: GitCode::UnknownError,
        message,
        pr_url: None,
    })
}
