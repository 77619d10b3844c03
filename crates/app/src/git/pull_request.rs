//! Requests the merge of a branch: the action of GitHub's source, in the name of the caller. There is no other way.

use domain::{
    action::{ActionName, IntegrationName, Invocation, InvocationState},
    caller::Caller,
    clock::Timestamp,
    id::{InvocationId, RepoId, SessionId},
    limits::RUN_WAIT_MAX,
    repo::RepoSource,
    visible::is_hidden,
};
use reqwest::Url;
use serde_json::{Map, Value};

use super::place::repo_of_session;
use crate::{
    access::Admin,
    actions::{self, ActionApproval, InvocationRequest},
    context::App,
    error::{Error, Result},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPullRequest {
    /// Folder of the repository, below the workspace.
    pub folder: String,
    /// The branch with the changes, which the server has. The session's sandbox says its name, so it may be any text.
    pub branch: String,
    /// The branch that the caller was shown, if the caller says so.
    pub seen_branch: Option<String>,
    pub title: String,
    pub body: Option<String>,
    /// The default branch if absent.
    pub base: Option<String>,
}

impl NewPullRequest {
    /// Whether this is the branch that the caller was shown, under a name without hidden characters. GitHub reads
    /// `OWNER:BRANCH` as a branch of another repository.
    fn is_of_seen_branch(&self) -> bool {
        let is_plain = |c: char| c != ':' && !c.is_whitespace() && !is_hidden(c);
        self.seen_branch.as_ref() == Some(&self.branch)
            && !self.branch.is_empty()
            && self.branch.chars().all(is_plain)
    }
}

/// What came of a request for a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullRequestOutcome {
    Opened {
        url: Option<String>,
    },
    /// An admin has to decide first.
    Pending {
        id: InvocationId,
        until: Timestamp,
    },
    /// Allowed, and not over yet; the session's events will say how it ends.
    Underway,
    /// The repository is not GitHub's.
    NotGithub,
    Failed(String),
}

/// Asks for a pull request. An admin who names the branch that the sandbox reports approves it by asking. Every other
/// request waits for a decision as an agent's does: the agent can change the branch between an admin's look and this
/// request.
pub async fn open_pull_request(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    new: NewPullRequest,
) -> Result<PullRequestOutcome> {
    let Some(repo_id) = repo_in_folder(app, caller, session_id, &new.folder).await? else {
        return Ok(PullRequestOutcome::NotGithub);
    };
    let organization_id = caller.organization_id();
    let (repo, url) = repo_of_session(app, organization_id, session_id, repo_id).await?;
    let Some((owner, name)) = owner_and_name(&url).filter(|_| repo.source == RepoSource::Github)
    else {
        return Ok(PullRequestOutcome::NotGithub);
    };
    let is_of_seen_branch = new.is_of_seen_branch();
    let mut params = Map::new();
    let mut set = |name: &str, value: String| params.insert(name.to_owned(), value.into());
    set("owner", owner);
    set("repo", name);
    set("title", new.title);
    set("head", new.branch);
    set("base", new.base.unwrap_or(repo.default_branch));
    if let Some(body) = new.body {
        set("body", body);
    }
    let unknown = |_| Error::NotFound("action");
    let invoke = InvocationRequest {
        integration: IntegrationName::new("github").map_err(unknown)?,
        action: ActionName::new("create_pull_request").map_err(unknown)?,
        params,
        key: None,
        correlation_id: None,
    };
    let invoked = actions::invoke(app, caller, session_id, invoke, RUN_WAIT_MAX).await?;
    let invocation = &invoked.record.invocation;
    let waits = matches!(invocation.state, InvocationState::Pending { .. });
    if !waits || !is_of_seen_branch || Admin::of(caller).is_err() {
        return Ok(outcome_of(invocation, invoked.result.as_ref()));
    }
    // What was asked for a moment ago is what is approved.
    let approve = ActionApproval {
        grant: None,
        call_sha256: invocation.binding.sha256(),
    };
    let (id, session) = (invocation.id, Some(session_id));
    let approved = actions::approve(app, caller, session, id, approve, RUN_WAIT_MAX).await?;
    Ok(outcome_of(
        &approved.record.invocation,
        approved.result.as_ref(),
    ))
}

fn outcome_of(invocation: &Invocation, result: Option<&Value>) -> PullRequestOutcome {
    match &invocation.state {
        InvocationState::Completed { .. } => PullRequestOutcome::Opened {
            url: result.and_then(|result| result["url"].as_str().map(str::to_owned)),
        },
        InvocationState::Pending { expires_at, .. } => PullRequestOutcome::Pending {
            id: invocation.id,
            until: *expires_at,
        },
        InvocationState::Approved { .. } | InvocationState::Executing { .. } => {
            PullRequestOutcome::Underway
        }
        InvocationState::Failed { error, .. } => PullRequestOutcome::Failed(error.message.clone()),
        InvocationState::Denied { .. } => {
            PullRequestOutcome::Failed("the policy does not allow it".to_owned())
        }
        InvocationState::Expired { .. } => {
            PullRequestOutcome::Failed("the time to decide ended without a decision".to_owned())
        }
    }
}

/// The repository of the session that is in this folder.
async fn repo_in_folder(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    folder: &str,
) -> Result<Option<RepoId>> {
    let organization_id = caller.organization_id();
    let mut conn = app.db.read().await?;
    let session = store::session_fetch(&mut conn, organization_id, session_id).await?;
    let session = session.ok_or(Error::NotFound("session"))?;
    let Some(id) = session.configuration_id else {
        return Ok(None);
    };
    let configuration = store::configuration_fetch(&mut conn, organization_id, id).await?;
    let repos = configuration.map(|one| one.repos).unwrap_or_default();
    let plain = |path: &str| path.trim_matches('/').trim_start_matches("./").to_owned();
    let found = repos
        .iter()
        .find(|repo| plain(&repo.workspace_path) == plain(folder));
    Ok(found.map(|repo| repo.repo_id))
}

fn owner_and_name(url: &Url) -> Option<(String, String)> {
    let path = url.path().trim_matches('/');
    let (owner, name) = path.strip_suffix(".git").unwrap_or(path).split_once('/')?;
    let is_plain = |part: &str| !part.is_empty() && !part.contains('/');
    (is_plain(owner) && is_plain(name)).then(|| (owner.to_owned(), name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_plain_branch_that_the_caller_was_shown_is_seen() {
        for (branch, seen, expected) in [
            ("fix/login", Some("fix/login"), true),
            ("fix", Some("other"), false),
            ("fix", None, false),
            ("mallory:fix", Some("mallory:fix"), false),
            ("fix ", Some("fix "), false),
            ("fix\u{200b}", Some("fix\u{200b}"), false),
            ("", Some(""), false),
        ] {
            let new = NewPullRequest {
                folder: ".".to_owned(),
                branch: branch.to_owned(),
                seen_branch: seen.map(str::to_owned),
                title: "Fix it".to_owned(),
                body: None,
                base: None,
            };
            assert_eq!(new.is_of_seen_branch(), expected, "{branch} {seen:?}");
        }
    }

    #[test]
    fn the_owner_is_in_the_address() {
        for (url, expected) in [
            ("https://github.com/acme/web.git", Some(("acme", "web"))),
            ("https://github.com/acme/web/", Some(("acme", "web"))),
            ("https://github.com/acme", None),
            ("https://github.com/a/b/c", None),
        ] {
            let found = owner_and_name(&Url::parse(url).unwrap());
            let found = found.as_ref();
            let found = found.map(|(owner, name)| (owner.as_str(), name.as_str()));
            assert_eq!(found, expected, "{url}");
        }
    }
}
