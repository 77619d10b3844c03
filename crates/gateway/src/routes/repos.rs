//! Repositories over HTTP.

use app::{access::Insider, repos};
use axum::{extract::State, http::StatusCode};
use domain::id::RepoId;
use wire::{
    page::{ListQuery, Page},
    repo::{CreateRepoRequest, RepoView, UpdateRepoRequest},
};

use super::Answer;
use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::{ReadProblems, WriteProblems},
    state::Gateway,
};

/// The organization's repositories, newest first.
#[utoipa::path(get, path = "/v1/repos", operation_id = "repo_list", tag = "repos", params(ListQuery),
    responses((status = 200, description = "A page of repositories", body = Page<RepoView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<RepoView>>> {
    let page = repos::list(&gateway.app, &insider, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}

/// Add a repository.
#[utoipa::path(post, path = "/v1/repos", operation_id = "repo_create", tag = "repos",
    request_body = CreateRepoRequest,
    responses((status = 201, description = "The repository", body = RepoView), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Json(request): Json<CreateRepoRequest>,
) -> Answer<(StatusCode, Json<RepoView>)> {
    let repo = repos::create(&gateway.app, &insider, request.into()).await?;
    Ok((StatusCode::CREATED, Json(repo.into())))
}

/// A repository.
#[utoipa::path(get, path = "/v1/repos/{id}", operation_id = "repo_show", tag = "repos",
    params(("id" = uuid::Uuid, Path, description = "The repository")),
    responses((status = 200, description = "The repository", body = RepoView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<RepoId>,
) -> Answer<Json<RepoView>> {
    Ok(Json(repos::fetch(&gateway.app, &insider, id).await?.into()))
}

/// Change a repository.
#[utoipa::path(patch, path = "/v1/repos/{id}", operation_id = "repo_update", tag = "repos",
    params(("id" = uuid::Uuid, Path, description = "The repository")),
    request_body = UpdateRepoRequest,
    responses((status = 200, description = "The repository as it is now", body = RepoView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<RepoId>,
    Json(request): Json<UpdateRepoRequest>,
) -> Answer<Json<RepoView>> {
    let change = |draft| request.apply_to(draft);
    Ok(Json(
        repos::update(&gateway.app, &insider, id, change)
            .await?
            .into(),
    ))
}

/// Remove a repository, also from the configurations that use it.
#[utoipa::path(delete, path = "/v1/repos/{id}", operation_id = "repo_delete", tag = "repos",
    params(("id" = uuid::Uuid, Path, description = "The repository")),
    responses((status = 204, description = "It is gone"), ReadProblems))]
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<RepoId>,
) -> Answer<StatusCode> {
    repos::delete(&gateway.app, &insider, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
