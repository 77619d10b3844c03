//! An admin denies many invocations at once.

use app::{
    access::Admin,
    actions::{self, ActionDenial},
};
use axum::extract::State;
use domain::{Invalid, caller::Caller, id::InvocationId, limits::DENY_MANY_MAX};
use wire::action::{DeniedView, DenyManyRequest, DenyManyResponse};

use crate::{
    error::Failure,
    extract::{Auth, Json},
    openapi::AskProblems,
    rejections,
    routes::Answer,
    state::Gateway,
};

/// Deny many pending invocations, of any sessions. For admins and owners.
///
/// Each is decided separately: the response states for every one whether it was denied, and why not. A repeated
/// request denies the rest.
#[utoipa::path(post, path = "/v1/actions/deny", operation_id = "action_deny_many", tag = "actions",
    request_body = DenyManyRequest,
    responses((status = 200, description = "The result for each", body = DenyManyResponse), AskProblems))]
pub(crate) async fn deny_many(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    Json(request): Json<DenyManyRequest>,
) -> Answer<Json<DenyManyResponse>> {
    Admin::of(&caller)?;
    if !(1..=DENY_MANY_MAX).contains(&request.ids.len()) {
        let message = format!("must have between 1 and {DENY_MANY_MAX} entries");
        return Err(Invalid::new("ids", message).into());
    }
    let mut asked = Vec::with_capacity(request.ids.len());
    for id in &request.ids {
        let deny = ActionDenial {
            reason: request.reason.clone(),
            call_sha256: request.call_sha256(*id)?,
        };
        asked.push((id, deny));
    }
    let mut items = Vec::with_capacity(asked.len());
    for (id, deny) in asked {
        let invocation_id = InvocationId::from_uuid(*id);
        let denied = actions::deny(&gateway.app, &caller, None, invocation_id, deny).await;
        let refused = match denied.map_err(Failure::from) {
            Ok(_) => None,
            // A failure of the request or of the gateway applies to all of them.
            Err(failure) if !failure.is_about_one() => return Err(failure),
            Err(failure) => {
                let action = ("action", *id);
                rejections::record_rejection(
                    &gateway,
                    &caller,
                    "action_deny_many",
                    action,
                    &failure,
                )
                .await;
                Some(failure)
            }
        };
        items.push(DeniedView {
            id: *id,
            denied: refused.is_none(),
            code: refused
                .as_ref()
                .map(|failure| failure.code.as_str().to_owned()),
            message: refused.map(|failure| failure.problem.detail.clone()),
        });
    }
    Ok(Json(DenyManyResponse { items }))
}
