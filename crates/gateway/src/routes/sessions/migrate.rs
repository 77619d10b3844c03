//! Migrating a session to a fresh sandbox.

use app::{access::Admin, sessions};
use axum::{extract::State, http::StatusCode};
use domain::id::SessionId;
use wire::{job::MigrationAccepted, live::MigrationReason};

use crate::{
    extract::{Auth, Json, PathId},
    openapi::MigrateProblems,
    routes::{Answer, live::hub},
    state::Gateway,
};

/// Migrate a session to a fresh sandbox, with its files and its conversation. For admins.
///
/// Prompts wait meanwhile, in order; clients see `migrating`, and the outcome. If no fresh sandbox is available, the
/// session continues in its old one. An unused session is paused instead.
#[utoipa::path(post, path = "/v1/sessions/{id}/migrate", operation_id = "session_migrate", tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 202, description = "It has begun", body = MigrationAccepted), MigrateProblems))]
pub(crate) async fn migrate(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<SessionId>,
) -> Answer<(StatusCode, Json<MigrationAccepted>)> {
    let hub = hub(&gateway)?;
    let steering = sessions::migrate(&gateway.app, &admin, id).await?;
    let leaving = hub.sandboxes.migrate(&steering, MigrationReason::Asked);
    let how = leaving.await?.kind;
    Ok((StatusCode::ACCEPTED, Json(MigrationAccepted { how })))
}
