//! Uploading bytes. They are not JSON and may be many, so this route has bounds of its own: on their
//! number, on their rate, on the total time, and on concurrent uploads.

use app::{
    access::Participant,
    artifacts::{self, ArtifactUpload},
};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
};
use domain::limits::ARTIFACT_BYTES_MAX;
use wire::artifact::{UploadArtifactQuery, UploadArtifactResponse, media_type};

use crate::{
    extract::{Auth, Json, Query, paced},
    openapi::UploadProblems,
    routes::Answer,
    state::Gateway,
};

/// Upload an artifact: the body is the bytes, `Content-Type` is their media type.
#[utoipa::path(post, path = "/v1/artifacts", operation_id = "artifact_upload", tag = "artifacts",
    params(UploadArtifactQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream",
        description = "The bytes, at most 128 MiB, of any media type"),
    responses(
        (status = 201, description = "The artifact", body = UploadArtifactResponse),
        (status = 200, description = "It existed already", body = UploadArtifactResponse),
        UploadProblems))]
pub(crate) async fn upload(
    State(gateway): State<Gateway>,
    Auth(who): Auth<Participant>,
    Query(query): Query<UploadArtifactQuery>,
    headers: HeaderMap,
    body: Body,
) -> Answer<(StatusCode, Json<UploadArtifactResponse>)> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let upload = ArtifactUpload {
        scope: query.scope()?,
        kind: query.kind()?,
        media_type: media_type(text(header::CONTENT_TYPE))?,
    };
    // With a known length, an oversized body is refused before it is sent.
    let announced = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if announced.is_some_and(|length| length > ARTIFACT_BYTES_MAX) {
        return Err(app::Error::TooLarge {
            max: ARTIFACT_BYTES_MAX,
        }
        .into());
    }
    let _permit = gateway.capacities.uploads.try_acquire(&who.claimant(), 1)?;
    let (body, slow) = paced(&gateway, body, gateway.options.upload_pause_max);
    let uploaded = artifacts::upload(&gateway.app, &who, upload, body).await;
    let uploaded = slow.explain(uploaded)?;
    let status = if uploaded.already_existed {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    let answer = UploadArtifactResponse {
        artifact: uploaded.artifact.into(),
        already_existed: uploaded.already_existed,
    };
    Ok((status, Json(answer)))
}
