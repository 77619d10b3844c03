//! The identity of the caller.

use app::{access::FleetAdmin, identity};
use axum::extract::State;
use domain::caller::Caller;
use wire::me::Me;

use super::Answer;
use crate::{
    extract::{Auth, Json},
    openapi::ReadProblems,
    state::Gateway,
};

/// Who am I, and what is my role in this organization?
#[utoipa::path(get, path = "/v1/me", operation_id = "me", tag = "identity",
    responses((status = 200, description = "The caller", body = Me), ReadProblems))]
pub(crate) async fn me(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
) -> Answer<Json<Me>> {
    describe_caller(&gateway, &caller).await.map(Json)
}

/// The caller with its names, and whether it operates this installation.
pub(super) async fn describe_caller(gateway: &Gateway, caller: &Caller) -> Answer<Me> {
    let (organization, user) = identity::describe(&gateway.app, caller).await?;
    let mut me = Me::from(caller).named(organization, user);
    me.operates_fleet = FleetAdmin::of(&gateway.app, caller).await.is_ok();
    Ok(me)
}
