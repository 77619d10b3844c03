//! An approver opens the whole call.

use app::actions;
use axum::extract::State;
use domain::{
    caller::Caller,
    id::{InvocationId, SessionId},
};
use wire::action::OpenedCall;

use crate::{
    extract::{Auth, Json, PathIds},
    openapi::SettleProblems,
    routes::Answer,
    state::Gateway,
};

/// Open the whole call of an invocation that has not ended: only credentials of the gateway are removed from its
/// parameters, and nothing is truncated. For admins and owners. Opening it is recorded.
#[utoipa::path(get, path = "/proliferate/{id}/actions/invocations/{invocation}/call",
    operation_id = "action_open", tag = "actions",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("invocation" = uuid::Uuid, Path, description = "The invocation")),
    responses((status = 200, description = "The call as it would run", body = OpenedCall), SettleProblems))]
pub(crate) async fn open(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    PathIds(session, id): PathIds<SessionId, InvocationId>,
) -> Answer<Json<OpenedCall>> {
    let opened = actions::open(&gateway.app, &caller, session, id).await?;
    Ok(Json(OpenedCall::new(
        &opened.invocation,
        opened.params,
        opened.left_out,
    )))
}
