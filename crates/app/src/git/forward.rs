//! Forwards one request of git's smart protocol over HTTP to the repository's server, and its response back.

use domain::{
    caller::Caller,
    git_push::Push,
    id::{RepoId, SessionId},
    limits::GIT_ASK_BYTES_MAX,
};
use reqwest::header::HeaderMap;

use super::{
    pieces::{GitBody, bounded},
    place::repo_of_session,
    push,
    server::{GitEndpoint, GitResponse, GitService, forward_to_server},
};
use crate::{
    access::SessionAccess,
    context::App,
    error::{Error, Result},
};

/// A request of git in a sandbox.
#[derive(Debug)]
pub struct GitRequest {
    pub repo_id: RepoId,
    pub endpoint: GitEndpoint,
    /// All of them; those that may be forwarded are picked here.
    pub headers: HeaderMap,
    pub body: GitBody,
}

/// Forwards a request of the session's own sandbox.
pub async fn forward(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    request: GitRequest,
) -> Result<GitResponse> {
    let access = SessionAccess::of_agent(app, caller, session_id).await?;
    let organization_id = access.organization_id();
    let (repo, url) = repo_of_session(app, organization_id, session_id, request.repo_id).await?;
    let (endpoint, headers) = (request.endpoint, request.headers);
    let body = match endpoint {
        GitEndpoint::Refs(GitService::UploadPack) => None,
        GitEndpoint::Refs(GitService::ReceivePack) => {
            // Nothing is named yet.
            push::allowed(&repo, &Push::default()).map_err(Error::Forbidden)?;
            None
        }
        GitEndpoint::Pack(GitService::UploadPack) => Some(bounded(request.body, GIT_ASK_BYTES_MAX)),
        GitEndpoint::Pack(GitService::ReceivePack) => {
            let place = (repo, url);
            return push::push(app, caller, session_id, place, headers, request.body).await;
        }
    };
    forward_to_server(app, session_id, (&repo, &url), endpoint, &headers, body).await
}
