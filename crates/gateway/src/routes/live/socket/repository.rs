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
    super::not_given,
    answer::{WantedChange, busy, failed},
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
                Err(error) => failed(&error.into()),
            }
        })
    }

    pub(super) fn git_change(
        &self,
        steering: Steering,
        change: GitChange,
        wanted: WantedChange,
    ) -> Result<Option<ServerMessage>, Failure> {
        self.answer_later(move |hub| async move {
            let action = action(&change);
            match hub.inside.change_repository(&steering, change).await {
                Ok(result) => ServerMessage::GitResult(result),
                Err(error) => not_done(&wanted, action, error).await,
            }
        })
    }

    /// Pushes the branch, then opens a pull request.
    pub(super) fn git_create_pr(
        &self,
        steering: Steering,
        asked: GitCreatePr,
        wanted: WantedChange,
    ) -> Result<Option<ServerMessage>, Failure> {
        self.answer_later(move |hub| async move {
            let push = GitChange::Push(GitPush {
                workspace_path: asked.workspace_path.clone(),
            });
            match hub.inside.change_repository(&steering, push).await {
                Ok(pushed) if pushed.success => {}
                Ok(pushed) => return result(false, pushed.code, pushed.message, None),
                Err(error) => return not_done(&wanted, GitAction::CreatePr, error).await,
            }
            let folder = asked.workspace_path.as_deref();
            let state = match hub.inside.read_git_state(steering.access(), folder).await {
                Ok(state) => state,
                Err(error) => return not_done(&wanted, GitAction::CreatePr, error.into()).await,
            };
            let new = NewPullRequest {
                folder: asked.workspace_path.unwrap_or_else(|| ".".to_owned()),
                branch: state.branch,
                seen_branch: asked.branch,
                title: asked.title,
                body: asked.body,
                base: asked.base_branch,
            };
            opened(&wanted, new).await
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
            return Err(busy());
        };
        let work = work(hub);
        tokio::spawn(async move { later.send(work.await) });
        Ok(None)
    }
}

/// Opens the pull request, and returns the result.
async fn opened(wanted: &WantedChange, new: NewPullRequest) -> ServerMessage {
    let app = &wanted.gateway.app;
    match git::open_pull_request(app, &wanted.caller, wanted.id, new).await {
        Ok(PullRequestOutcome::Opened { url }) => {
            let message = "The pull request is open.".to_owned();
            result(true, GitCode::Success, message, url)
        }
        Ok(PullRequestOutcome::Pending { id, until }) => {
            let message = format!(
                "The branch is pushed. The pull request is opened as soon as an administrator approves it (action {id}, \
                 until {until})."
            );
            result(false, GitCode::AwaitingApproval, message, None)
        }
        Ok(PullRequestOutcome::Underway) => {
            let message = "The branch is pushed. The pull request is being opened; what comes of it is told in the \
                           session.";
            result(false, GitCode::UnknownError, message.to_owned(), None)
        }
        Ok(PullRequestOutcome::NotGithub) => {
            let message = "The repository in this folder is not on GitHub.".to_owned();
            result(false, GitCode::NotGithubRemote, message, None)
        }
        Ok(PullRequestOutcome::Failed(why)) => result(false, GitCode::UnknownError, why, None),
        Err(error) if matches!(error, app::Error::NotFound(_)) => {
            wanted.note(&error.into()).await;
            let message = "The session has no connection to GitHub.".to_owned();
            result(false, GitCode::GhNotAvailable, message, None)
        }
        Err(error) => not_done(wanted, GitAction::CreatePr, error.into()).await,
    }
}

/// The result of a pull request.
fn result(success: bool, code: GitCode, message: String, pr_url: Option<String>) -> ServerMessage {
    ServerMessage::GitResult(GitResult {
        action: GitAction::CreatePr,
        success,
        code,
        message,
        pr_url,
    })
}

fn action(change: &GitChange) -> GitAction {
    match change {
        GitChange::Branch(_) => GitAction::CreateBranch,
        GitChange::Commit(_) => GitAction::Commit,
        GitChange::Push(_) => GitAction::Push,
    }
}

/// Records a refusal.
async fn not_done(
    wanted: &WantedChange,
    action: GitAction,
    error: SandboxCallError,
) -> ServerMessage {
    let message = error.to_string();
    wanted.note(&not_given(error)).await;
    ServerMessage::GitResult(GitResult {
        action,
        success: false,
        code: GitCode::UnknownError,
        message,
        pr_url: None,
    })
}
