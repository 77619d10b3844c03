//! The latest checkpoint.

use app::{access::Admin, audit};
use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use wire::audit::AuditCheckpointView;

use crate::{
    extract::{Auth, Json},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The signed size and root of the organization's log. Keep it: a log that is later shorter, or has another
/// root at this size, was rolled back or rewritten.
#[utoipa::path(get, path = "/v1/audit/checkpoint", operation_id = "audit_checkpoint_show", tag = "audit",
    responses((status = 200, description = "The checkpoint; as text/plain the signed note alone", content(
        (AuditCheckpointView = "application/json"), (String = "text/plain"))), ReadProblems))]
pub(crate) async fn checkpoint(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    headers: HeaderMap,
) -> Answer<Response> {
    let (checkpoint, verifier_key) = audit::checkpoint_show(&gateway.app, &admin).await?;
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    if accept.is_some_and(|accept| accept.trim_start().starts_with("text/plain")) {
        let content_type = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
        return Ok((content_type, checkpoint.note).into_response());
    }
    Ok(Json(AuditCheckpointView {
        checkpoint: checkpoint.note,
        size: u64::try_from(checkpoint.size).unwrap_or_default(),
        root: checkpoint.root,
        signed_at: checkpoint.created_at.datetime(),
        verifier_key,
    })
    .into_response())
}
