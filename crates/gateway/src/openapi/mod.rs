//! The OpenAPI document, built from the routes themselves.

mod base;
mod problems;

pub(crate) use self::{base::Base, problems::*};
use crate::router::documented;

/// The document that clients are generated from.
pub fn document() -> utoipa::openapi::OpenApi {
    let mut openapi = documented();
    env!("CARGO_PKG_VERSION").clone_into(&mut openapi.info.version);
    openapi
}
