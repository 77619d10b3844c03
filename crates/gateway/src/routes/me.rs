//! Who the caller is.

use app::identity;
use axum::extract::State;
use domain::caller::Caller;
use wire::me::Me;

use super::Answer;
use crate::{
    extract::{Auth, Json},
    openapi::ReadProblems,
    state::Gateway,
};

/// Who am I, and what am I in this organization?
#[utoipa::path(get, path = "/v1/me", operation_id = "me", tag = "identity",
    responses((status = 200, description = "The caller", body = Me), ReadProblems))]
pub(crate) async fn me(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
) -> Answer<Json<Me>> {
    described(&gateway, &caller).await.map(Json)
}

/// The caller with the names of what they are.
pub(super) async fn described(gateway: &Gateway, caller: &Caller) -> Answer<Me> {
    let (organization, user) = identity::describe(&gateway.app, caller).await?;
    Ok(Me::from(caller).named(organization, user))
}
