//! From a request to typed values; invalid requests are answered here, before a handler runs.

mod auth;
mod body;
mod client_address;
mod client_digest;
pub(crate) mod cookie;
pub(crate) mod csrf;
mod decode_error;
mod headers;
mod id;
mod json;
pub(crate) mod origin;
pub(crate) mod own_url;
mod pace;
mod query;
mod request_permit;
mod stream_auth;

pub(crate) use auth::{Auth, AuthInAnyState, PresentedCredential, bearer, identify, organization};
pub(crate) use body::{BodyError, SmallBody, paced, read, too_slow_message};
pub(crate) use client_address::ClientAddress;
pub(crate) use client_digest::ClientDigest;
pub(crate) use headers::IdempotencyKey;
pub(crate) use id::{PathId, PathIds};
pub(crate) use json::{Json, JsonBytes, StrictJson, StrictJsonError, strict};
pub(crate) use query::Query;
pub(crate) use request_permit::{RequestPermit, acquire_request_permit};
pub(crate) use stream_auth::{AccessLost, StreamAuth, StreamCredential, StreamScope};
