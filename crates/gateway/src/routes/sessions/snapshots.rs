//! Snapshots of a session.

use app::{access::Insider, sessions};
use axum::extract::State;
use domain::id::SessionId;
use wire::configuration::SnapshotsResponse;

use crate::{
    extract::{Auth, Json, PathId},
    openapi::ReadProblems,
    routes::{Answer, configurations::snapshot_view},
    state::Gateway,
};

/// The snapshots of a session: those of its sandboxes, and the one it started from, newest first.
///
/// `POST /proliferate/sessions` with a `snapshotId` starts another session from one of them.
#[utoipa::path(get, path = "/v1/sessions/{id}/snapshots", operation_id = "session_snapshots", tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, description = "The snapshots", body = SnapshotsResponse), ReadProblems))]
pub(crate) async fn snapshots(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<Json<SnapshotsResponse>> {
    let (_, configuration, snapshots) = sessions::snapshots(&gateway.app, &insider, id).await?;
    let default = configuration.and_then(|configuration| configuration.snapshot_id);
    let view = |snapshot| snapshot_view(snapshot, default.as_deref());
    let items = snapshots.into_iter().map(view).collect();
    Ok(Json(SnapshotsResponse { items }))
}
