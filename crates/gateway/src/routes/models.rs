//! The models an agent may run on.

use app::access::Insider;
use wire::model::ModelList;

use super::Answer;
use crate::{
    extract::{Auth, Json},
    openapi::ReadProblems,
};

/// The known models and the spellings of each.
#[utoipa::path(get, path = "/v1/models", operation_id = "model_list", tag = "sessions",
    responses((status = 200, description = "The models", body = ModelList), ReadProblems))]
pub(crate) async fn list(Auth(_): Auth<Insider>) -> Answer<Json<ModelList>> {
    Ok(Json(ModelList::all()))
}
