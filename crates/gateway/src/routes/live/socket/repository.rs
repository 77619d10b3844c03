//! What a client asks about the session's repositories. Each takes a while, and is answered to this client alone.

use app::{
    access::Steering,
    git::{self, NewPullRequest, PullRequest},
};
use hub::house::{GitChange, GiveError, House};
use wire::live::{
    GetGitStatus, GitAction, GitCode, GitCreatePr, GitPush, GitResult, ServerMessage,
};

use super::{
    answer::{busy, failed},
    talk::Talk,
};

impl Talk {
    pub(super) fn git_status(&self, asked: GetGitStatus) -> Option<ServerMessage> {
        let access = self.access.clone();
        self.answer_later(move |house| async move {
            let folder = asked.workspace_path.as_deref();
            match house.git_state(&access, folder).await {
                Ok(state) => ServerMessage::GitStatus(state),
                Err(error) => failed(&error.into()),
            }
        })
    }

    pub(super) fn git_change(
        &self,
        steering: Steering,
        change: GitChange,
    ) -> Option<ServerMessage> {
        self.answer_later(move |house| async move {
            let action = action(&change);
            let changed = house.git_change(&steering, change).await;
            ServerMessage::GitResult(changed.unwrap_or_else(|error| not_done(action, &error)))
        })
    }

    /// Pushes the branch, then asks for it to be merged.
    pub(super) fn git_create_pr(
        &self,
        steering: Steering,
        asked: GitCreatePr,
    ) -> Option<ServerMessage> {
        let (app, caller, id) = (self.gateway.app.clone(), self.insider.caller(), self.id);
        self.answer_later(move |house| async move {
            let push = GitChange::Push(GitPush {
                workspace_path: asked.workspace_path.clone(),
            });
            let action = GitAction::CreatePr;
            let result = |success, code, message: String, pr_url| {
                ServerMessage::GitResult(GitResult {
                    action,
                    success,
                    code,
                    message,
                    pr_url,
                })
            };
            match house.git_change(&steering, push).await {
                Ok(pushed) if pushed.success => {}
                Ok(pushed) => return result(false, pushed.code, pushed.message, None),
                Err(error) => return ServerMessage::GitResult(not_done(action, &error)),
            }
            let folder = asked.workspace_path.as_deref();
            let state = match house.git_state(steering.access(), folder).await {
                Ok(state) => state,
                Err(error) => return ServerMessage::GitResult(not_done(action, &error.into())),
            };
            let new = NewPullRequest {
                folder: asked.workspace_path.unwrap_or_else(|| ".".to_owned()),
                branch: state.branch,
                title: asked.title,
                body: asked.body,
                base: asked.base_branch,
            };
            match git::open_pull_request(&app, &caller, id, new).await {
                Ok(PullRequest::Opened { url }) => {
                    let message = "The pull request is open.".to_owned();
                    result(true, GitCode::Success, message, url)
                }
                Ok(PullRequest::Waits { id, until }) => {
                    let message = format!(
                        "The branch is pushed. The pull request is opened as soon as an administrator \
                         approves it (action {id}, until {until})."
                    );
                    result(false, GitCode::AwaitingApproval, message, None)
                }
                Ok(PullRequest::Underway) => {
                    let message = "The branch is pushed. The pull request is being opened; what comes of \
                                   it is told in the session.";
                    result(false, GitCode::UnknownError, message.to_owned(), None)
                }
                Ok(PullRequest::NotGithub) => {
                    let message = "The repository in this folder is none of GitHub's.".to_owned();
                    result(false, GitCode::NotGithubRemote, message, None)
                }
                Ok(PullRequest::Failed(why)) => result(false, GitCode::UnknownError, why, None),
                Err(app::Error::NotFound(_)) => {
                    let message = "The session has no connection to GitHub.".to_owned();
                    result(false, GitCode::GhNotAvailable, message, None)
                }
                Err(error) => ServerMessage::GitResult(not_done(action, &error.into())),
            }
        })
    }

    /// Does something beside the conversation; what comes of it is said when it is done.
    pub(super) fn answer_later<F: Future<Output = ServerMessage> + Send + 'static>(
        &self,
        work: impl FnOnce(House) -> F,
    ) -> Option<ServerMessage> {
        let (Some(house), Ok(later)) = (
            self.gateway.house.clone(),
            self.later.clone().try_reserve_owned(),
        ) else {
            return Some(busy());
        };
        let work = work(house);
        tokio::spawn(async move { later.send(work.await) });
        None
    }
}

fn action(change: &GitChange) -> GitAction {
    match change {
        GitChange::Branch(_) => GitAction::CreateBranch,
        GitChange::Commit(_) => GitAction::Commit,
        GitChange::Push(_) => GitAction::Push,
    }
}

fn not_done(action: GitAction, error: &GiveError) -> GitResult {
    GitResult {
        action,
        success: false,
        code: GitCode::UnknownError,
        message: error.to_string(),
        pr_url: None,
    }
}
