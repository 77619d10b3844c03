//! The description of the API, served by the API: the OpenAPI document and the pages of the error codes.

use std::sync::LazyLock;

use axum::{http::header, response::IntoResponse};
use wire::problem::Code;

use crate::{
    extract::PathId,
    openapi::{self, LookupProblems},
};

/// The OpenAPI 3.1 document of this gateway.
#[utoipa::path(get, path = "/openapi.json", operation_id = "openapi", tag = "operations", security(()),
    responses((status = 200, description = "The document", content_type = "application/json")))]
pub(crate) async fn openapi() -> impl IntoResponse {
    static DOCUMENT: LazyLock<String> =
        LazyLock::new(|| openapi::document().to_pretty_json().unwrap_or_default());
    (
        [(header::CONTENT_TYPE, "application/json")],
        DOCUMENT.as_str(),
    )
}

/// The meaning of an error code and its remedy.
#[utoipa::path(get, path = "/errors/{code}", operation_id = "error_page", tag = "operations", security(()),
    params(("code" = String, Path, description = "The `code` of a problem document")),
    responses((status = 200, description = "The page", content_type = "text/plain"), LookupProblems))]
pub(crate) async fn error_page(PathId(code): PathId<Code>) -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8")],
        code.page(),
    )
}
