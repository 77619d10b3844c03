//! Who the caller is.

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
pub(crate) async fn me(State(_): State<Gateway>, Auth(caller): Auth<Caller>) -> Answer<Json<Me>> {
    Ok(Json(Me::from(&caller)))
}
