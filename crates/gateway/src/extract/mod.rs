//! From a request to typed values; what does not fit is answered here, before a handler runs.

mod auth;
mod complaint;
pub(crate) mod cookie;
pub(crate) mod csrf;
mod headers;
mod id;
mod json;
pub(crate) mod origin;
mod query;
mod standing;

pub(crate) use auth::{Auth, Given, bearer, identify, organization};
pub(crate) use headers::IdempotencyKey;
pub(crate) use id::{PathId, PathIds};
pub(crate) use json::{Json, JsonBytes, StrictJson, Wrong, strict};
pub(crate) use query::Query;
pub(crate) use standing::{Fallen, Standing, Staying};
