//! Who sees and steers a session.

use app::{
    access::Insider,
    sharing::{self, NamedUser, SessionShares},
};
use axum::extract::State;
use domain::id::SessionId;
use wire::sharing::{
    NamedMemberView, SessionSharingView, UpdateSessionSharingRequest, named_members,
};

use crate::{
    extract::{Auth, Json, PathId},
    openapi::{ReadProblems, WriteProblems},
    routes::Answer,
    state::Gateway,
};

/// Which members see a session, who is named for it, and what the caller may do with it.
#[utoipa::path(get, path = "/v1/sessions/{id}/sharing", operation_id = "session_sharing_show", tag = "sharing",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, description = "Who sees it", body = SessionSharingView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<Json<SessionSharingView>> {
    let shares = sharing::show(&gateway.app, &insider, id).await?;
    Ok(Json(view(shares)))
}

/// Set which members see a session, and who is named for it. For its creator and admins.
///
/// Admins and owners see every session. To a member who does not see it, the session does not exist: its streams,
/// terminals and previews end at once.
#[utoipa::path(put, path = "/v1/sessions/{id}/sharing", operation_id = "session_sharing_update", tag = "sharing",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    request_body = UpdateSessionSharingRequest,
    responses((status = 200, description = "Who sees it now", body = SessionSharingView), WriteProblems))]
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
    Json(request): Json<UpdateSessionSharingRequest>,
) -> Answer<Json<SessionSharingView>> {
    let people = named_members(&request.people)?;
    let visibility = request.visibility.into();
    let shares = sharing::update(&gateway.app, &insider, id, visibility, &people).await?;
    Ok(Json(view(shares)))
}

fn view(shares: SessionShares) -> SessionSharingView {
    let named = |NamedUser { named, user }| NamedMemberView {
        user_id: named.user_id.to_string(),
        name: user.name,
        email: user.email,
        may: named.right.into(),
    };
    SessionSharingView {
        visibility: shares.visibility.into(),
        created_by: shares.created_by.map(|id| id.to_string()),
        people: shares.people.into_iter().map(named).collect(),
        rights: shares.rights.into_iter().map(Into::into).collect(),
    }
}
