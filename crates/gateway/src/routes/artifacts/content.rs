//! The bytes of an artifact. A user uploaded them, so a browser must not treat them as a page of the
//! gateway.

use app::artifacts;
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use domain::{caller::Caller, capacity::Claimant, id::ArtifactId};

use crate::{
    extract::{Auth, PathId},
    openapi::ContentProblems,
    routes::{Answer, stream_body},
    state::Gateway,
};

/// The bytes of an artifact, checked against their digest before the first is sent. Those of an export
/// bundle require an earlier call of `export.bundle.download` for it.
#[utoipa::path(get, path = "/v1/artifacts/{id}/content", operation_id = "artifact_content",
    tag = "artifacts",
    params(("id" = uuid::Uuid, Path, description = "The artifact")),
    responses(
        (status = 200, description = "The bytes, with the media type they were stored with; `ETag` is their \
            SHA-256", body = Vec<u8>, content_type = "application/octet-stream"),
        ContentProblems))]
pub(crate) async fn content(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathId(id): PathId<ArtifactId>,
) -> Answer<Response> {
    let downloads = &gateway.capacities.downloads;
    let permit = downloads.try_acquire(&Claimant::from(&caller), 1)?;
    let (artifact, content) = artifacts::content(&gateway.app, &caller, id).await?;
    let headers = [
        (header::CONTENT_TYPE, artifact.media_type.to_string()),
        (header::CONTENT_LENGTH, content.byte_size.to_string()),
        (header::CONTENT_DISPOSITION, "attachment".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; sandbox".to_owned(),
        ),
        (header::ETAG, format!("\"{}\"", artifact.sha256.as_str())),
    ];
    Ok((
        headers,
        stream_body(
            content.into_stream(),
            permit,
            gateway.options.send_stall_max,
        ),
    )
        .into_response())
}
