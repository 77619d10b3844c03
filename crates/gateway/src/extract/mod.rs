//! From a request to typed values; what does not fit is answered here, before a handler runs.

mod auth;
mod complaint;
mod headers;
mod id;
mod json;
mod query;

pub(crate) use auth::{Auth, bearer, identify};
pub(crate) use headers::IdempotencyKey;
pub(crate) use id::{PathId, PathIds};
pub(crate) use json::{Json, JsonBytes, StrictJson};
pub(crate) use query::Query;
