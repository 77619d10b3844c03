//! From a request to typed values; what does not fit is answered here, before a handler runs.

mod auth;
mod body;
mod complaint;
pub(crate) mod cookie;
pub(crate) mod csrf;
mod headers;
mod id;
mod json;
pub(crate) mod origin;
mod pace;
mod query;
mod seat;
mod standing;

pub(crate) use auth::{Auth, Given, bearer, identify, organization};
pub(crate) use body::{BodyError, SmallBody, paced, read, too_slow_message};
pub(crate) use headers::IdempotencyKey;
pub(crate) use id::{PathId, PathIds};
pub(crate) use json::{Json, JsonBytes, StrictJson, Wrong, strict};
pub(crate) use query::Query;
pub(crate) use seat::{Seat, take_seat};
pub(crate) use standing::{Fallen, Standing, Staying};
