//! Taking bytes in. They are not JSON and may be many, so this route has bounds of its own: on their
//! number, on the time between two pieces, on the time in all, and on uploads at once.

use std::time::Duration;

use app::{
    access::Participant,
    artifacts::{self, Upload},
};
use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, StatusCode, header},
};
use domain::limits::ARTIFACT_BYTES_MAX;
use futures::{Stream, StreamExt};
use wire::{
    artifact::{UploadArtifactQuery, UploadArtifactResponse, media_type},
    problem::Code,
};

use crate::{
    error::Failure,
    extract::{Auth, Json, Query},
    openapi::UploadProblems,
    routes::Answer,
    state::Gateway,
};

/// Upload an artifact: the body is the bytes, `Content-Type` says what they are.
#[utoipa::path(post, path = "/v1/artifacts", operation_id = "artifact_upload", tag = "artifacts",
    params(UploadArtifactQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream",
        description = "The bytes, at most 128 MiB, of any media type"),
    responses(
        (status = 201, description = "The artifact", body = UploadArtifactResponse),
        (status = 200, description = "It was there already", body = UploadArtifactResponse),
        UploadProblems))]
pub(crate) async fn upload(
    State(gateway): State<Gateway>,
    Auth(who): Auth<Participant>,
    Query(query): Query<UploadArtifactQuery>,
    headers: HeaderMap,
    body: Body,
) -> Answer<(StatusCode, Json<UploadArtifactResponse>)> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let upload = Upload {
        scope: query.scope()?,
        kind: query.kind()?,
        media_type: media_type(text(header::CONTENT_TYPE))?,
    };
    // Known beforehand, it need not be sent first.
    let announced = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if announced.is_some_and(|length| length > ARTIFACT_BYTES_MAX) {
        return Err(app::Error::TooLarge {
            max: ARTIFACT_BYTES_MAX,
        }
        .into());
    }
    let Ok(_place) = gateway.uploads.try_acquire() else {
        return Err(Failure::new(
            Code::Overloaded,
            "too many uploads are under way",
        ));
    };
    let body = paced(body, gateway.options.upload_pause_max);
    let uploaded = artifacts::upload(&gateway.app, &who, upload, body).await?;
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

/// The body's pieces; one that does not come in time ends it, so that a client that went away does not
/// keep its place.
pub(crate) fn paced(
    body: Body,
    pause_max: Duration,
) -> impl Stream<Item = Result<Bytes, axum::Error>> + Send {
    let pieces = body.into_data_stream();
    futures::stream::unfold(Some(pieces), move |pieces| async move {
        let mut pieces = pieces?;
        match tokio::time::timeout(pause_max, pieces.next()).await {
            Ok(Some(Ok(piece))) => Some((Ok(piece), Some(pieces))),
            Ok(Some(Err(error))) => Some((Err(error), None)),
            Ok(None) => None,
            Err(late) => Some((Err(axum::Error::new(late)), None)),
        }
    })
}
