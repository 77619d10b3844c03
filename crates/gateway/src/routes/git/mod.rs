//! Repositories of sessions. Git in a sandbox fetches and pushes here by its own protocol; the gateway adds the
//! credential for the repository's server, which is in no sandbox.

mod caller;
mod changes;
mod failure;

use app::git::{self, GitEndpoint, GitService};
use axum::{
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, header},
    response::{IntoResponse as _, Response},
};
use domain::{
    capacity::Claimant,
    id::{RepoId, SessionId},
    limits::GIT_STALL_MAX,
};
use serde::Deserialize;
use wire::problem::Code;

pub(crate) use self::{
    caller::{SandboxGit, password},
    changes::*,
    failure::{GitProblems, render_for_git},
};
use super::{Answer, stream_body};
use crate::{
    error::Failure,
    extract::{Query, paced},
    state::Gateway,
};

/// Routes of the git protocol. Their failures are texts, which git shows.
pub(crate) const ROUTES: [&str; 3] = [
    "/proliferate/{id}/git/{repo}/info/refs",
    "/proliferate/{id}/git/{repo}/git-upload-pack",
    "/proliferate/{id}/git/{repo}/git-receive-pack",
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefsQuery {
    /// Older protocols do not send it; they are not supported.
    service: Option<String>,
}

/// The refs of a repository of the session: git's first request. The sandbox's token is the password of HTTP Basic, or
/// a bearer token.
#[utoipa::path(get, path = "/proliferate/{id}/git/{repo}/info/refs", operation_id = "git_refs", tag = "git",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("repo" = String, Path, description = "A repository of its configuration; `.git` may follow"),
        ("service" = Option<String>, Query, description = "`git-upload-pack` or `git-receive-pack`")),
    responses((status = 200, description = "A response of git's smart protocol",
        content((Vec<u8> = "application/x-git-upload-pack-advertisement"))), GitProblems))]
pub(crate) async fn refs(
    State(gateway): State<Gateway>,
    caller: SandboxGit,
    Path(place): Path<(String, String)>,
    Query(query): Query<RefsQuery>,
    headers: HeaderMap,
    body: Body,
) -> Answer<Response> {
    let service = query.service.as_deref().and_then(GitService::parse);
    let service = service.ok_or_else(|| {
        let why = "must be git-upload-pack or git-receive-pack";
        Failure::from(domain::Invalid::new("service", why))
    })?;
    proxy_git(
        &gateway,
        &caller,
        &place,
        GitEndpoint::Refs(service),
        headers,
        body,
    )
    .await
}

/// Fetch from a repository of the session.
#[utoipa::path(post, path = "/proliferate/{id}/git/{repo}/git-upload-pack", operation_id = "git_upload_pack",
    tag = "git",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("repo" = String, Path, description = "A repository of its configuration; `.git` may follow")),
    request_body(content = Vec<u8>, content_type = "application/x-git-upload-pack-request"),
    responses((status = 200, description = "A response of git's smart protocol",
        content((Vec<u8> = "application/x-git-upload-pack-result"))), GitProblems))]
pub(crate) async fn upload_pack(
    State(gateway): State<Gateway>,
    caller: SandboxGit,
    Path(place): Path<(String, String)>,
    headers: HeaderMap,
    body: Body,
) -> Answer<Response> {
    let endpoint = GitEndpoint::Pack(GitService::UploadPack);
    proxy_git(&gateway, &caller, &place, endpoint, headers, body).await
}

/// Push to a repository of the session, as far as its `push` allows.
#[utoipa::path(post, path = "/proliferate/{id}/git/{repo}/git-receive-pack", operation_id = "git_receive_pack",
    tag = "git",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("repo" = String, Path, description = "A repository of its configuration; `.git` may follow")),
    request_body(content = Vec<u8>, content_type = "application/x-git-receive-pack-request"),
    responses((status = 200, description = "A response of git's smart protocol",
        content((Vec<u8> = "application/x-git-receive-pack-result"))), GitProblems))]
pub(crate) async fn receive_pack(
    State(gateway): State<Gateway>,
    caller: SandboxGit,
    Path(place): Path<(String, String)>,
    headers: HeaderMap,
    body: Body,
) -> Answer<Response> {
    let endpoint = GitEndpoint::Pack(GitService::ReceivePack);
    proxy_git(&gateway, &caller, &place, endpoint, headers, body).await
}

async fn proxy_git(
    gateway: &Gateway,
    SandboxGit(caller): &SandboxGit,
    (session, repo): &(String, String),
    endpoint: GitEndpoint,
    headers: HeaderMap,
    body: Body,
) -> Answer<Response> {
    let nothing = || Failure::new(Code::NotFound, "there is nothing with this id");
    let session: SessionId = session.parse().map_err(|_| nothing())?;
    let repo = repo.strip_suffix(".git").unwrap_or(repo);
    let repo_id: RepoId = repo.parse().map_err(|_| nothing())?;
    let streams = &gateway.capacities.git_streams;
    let permit = streams.try_acquire(&Claimant::from(caller), 1)?;
    let (body, slow) = paced(gateway, body, GIT_STALL_MAX);
    let request = git::GitRequest {
        repo_id,
        endpoint,
        headers,
        body: git::GitBody::new(body),
    };
    let answer = git::forward(&gateway.app, caller, session, request).await;
    let answer = slow.explain(answer)?;
    let headers = [
        (header::CONTENT_TYPE, answer.content_type),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    Ok((
        headers,
        stream_body(answer.body, permit, gateway.options.send_stall_max),
    )
        .into_response())
}
