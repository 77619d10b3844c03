//! Changes in a session's repositories, for users.

use app::access::{Insider, SessionAccess};
use axum::extract::State;
use domain::id::SessionId;
use wire::live::{GitDiff, GitDiffQuery, GitState, GitStatusQuery};

use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::SteerProblems,
    routes::{Answer, live::hub},
    state::Gateway,
};

/// The state of a repository of the session. A paused session is not resumed: 409.
#[utoipa::path(get, path = "/proliferate/{id}/git/status", operation_id = "git_status", tag = "git",
    params(("id" = uuid::Uuid, Path, description = "The session"), GitStatusQuery),
    responses((status = 200, description = "The repository", body = GitState), SteerProblems))]
pub(crate) async fn status(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
    Query(query): Query<GitStatusQuery>,
) -> Answer<Json<GitState>> {
    query.check()?;
    let hub = hub(&gateway)?;
    let access = SessionAccess::of(&gateway.app, &insider, id).await?;
    let folder = query.workspace_path.as_deref();
    Ok(Json(hub.inside.read_git_state(&access, folder).await?))
}

/// The changes since the last commit. A paused session is not resumed: 409.
#[utoipa::path(get, path = "/proliferate/{id}/git/diff", operation_id = "git_diff", tag = "git",
    params(("id" = uuid::Uuid, Path, description = "The session"), GitDiffQuery),
    responses((status = 200, description = "The changes", body = GitDiff), SteerProblems))]
pub(crate) async fn diff(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
    Query(query): Query<GitDiffQuery>,
) -> Answer<Json<GitDiff>> {
    query.check()?;
    let hub = hub(&gateway)?;
    let access = SessionAccess::of(&gateway.app, &insider, id).await?;
    let (folder, path) = (query.workspace_path.as_deref(), query.path.as_deref());
    Ok(Json(hub.inside.read_git_diff(&access, folder, path).await?))
}
