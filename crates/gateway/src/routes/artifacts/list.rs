//! Listing artifacts.

use app::{access::Participant, artifacts};
use axum::extract::State;
use wire::{artifact::ListArtifactsQuery, contract::ArtifactRef, page::Page};

use crate::{
    extract::{Auth, Json, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The artifacts of a case or of a session, newest first.
#[utoipa::path(get, path = "/v1/artifacts", operation_id = "artifact_list", tag = "artifacts",
    params(ListArtifactsQuery),
    responses((status = 200, description = "A page of artifacts", body = Page<ArtifactRef>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(who): Auth<Participant>,
    Query(query): Query<ListArtifactsQuery>,
) -> Answer<Json<Page<ArtifactRef>>> {
    let (scope, page) = (query.scope()?, query.page_request()?);
    let page = artifacts::list(&gateway.app, &who, &scope, page).await?;
    Ok(Json(Page::from_domain(page)))
}
