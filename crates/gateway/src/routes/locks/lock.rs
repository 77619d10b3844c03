//! The organization's safety lock.

use app::{
    access::{Admin, Insider},
    locks::{self, LockStatus},
};
use axum::extract::State;
use wire::safety_lock::{SafetyLockView, TurnSafetyLockRequest};

use crate::{
    extract::{Auth, Json},
    openapi::{ReadProblems, WriteProblems},
    routes::Answer,
    state::Gateway,
};

/// Whether the organization's calls are locked, and which lanes are exempt.
#[utoipa::path(get, path = "/v1/safety-lock", operation_id = "safety_lock_show", tag = "locks",
    responses((status = 200, description = "How calls are locked", body = SafetyLockView), ReadProblems))]
pub(crate) async fn show_lock(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
) -> Answer<Json<SafetyLockView>> {
    let locked = locks::show(&gateway.app, &insider).await?;
    Ok(Json(view(locked)))
}

/// Stop every call of the organization, from the next decision on. Calls under way continue. For admins and owners.
#[utoipa::path(post, path = "/v1/safety-lock/engage", operation_id = "safety_lock_engage", tag = "locks",
    request_body = TurnSafetyLockRequest,
    responses((status = 200, description = "Calls are locked", body = SafetyLockView), WriteProblems))]
pub(crate) async fn engage(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<TurnSafetyLockRequest>,
) -> Answer<Json<SafetyLockView>> {
    let locked = locks::engage(&gateway.app, &admin, request.reason).await?;
    Ok(Json(view(locked)))
}

/// Release the lock. Its tickets end with it. For admins and owners.
#[utoipa::path(post, path = "/v1/safety-lock/release", operation_id = "safety_lock_release", tag = "locks",
    request_body = TurnSafetyLockRequest,
    responses((status = 200, description = "Calls pass again, unless an operator has locked them",
        body = SafetyLockView), WriteProblems))]
pub(crate) async fn release(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<TurnSafetyLockRequest>,
) -> Answer<Json<SafetyLockView>> {
    let locked = locks::release(&gateway.app, &admin, request.reason).await?;
    Ok(Json(view(locked)))
}

fn view(locked: LockStatus) -> SafetyLockView {
    SafetyLockView {
        engaged: locked.installation || locked.lock.is_some(),
        installation: locked.installation,
        lock: locked.lock.map(Into::into),
        lifted: locked.lifted.into_iter().map(Into::into).collect(),
    }
}
