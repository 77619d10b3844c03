//! The metadata of one artifact.

use app::{access::Participant, artifacts};
use axum::extract::State;
use domain::id::ArtifactId;
use wire::contract::ArtifactRef;

use crate::{
    extract::{Auth, Json, PathId},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The metadata of an artifact.
#[utoipa::path(get, path = "/v1/artifacts/{id}", operation_id = "artifact_show", tag = "artifacts",
    params(("id" = uuid::Uuid, Path, description = "The artifact")),
    responses((status = 200, description = "The artifact", body = ArtifactRef), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(who): Auth<Participant>,
    PathId(id): PathId<ArtifactId>,
) -> Answer<Json<ArtifactRef>> {
    let artifact = artifacts::fetch(&gateway.app, &who, id).await?;
    Ok(Json(artifact.into()))
}
