//! Action sources: what agents may have done in outside services. Each source is a folder of the same
//! anatomy: `mod.rs` (what the service is), `actions.rs` (what it can do), `requests.rs` (what we send),
//! `replies.rs` (what comes back), `guide.md` (what an agent reads).
//!
//! INVARIANT: a [`Source`] takes the permit by value and spends it before anything else. INVARIANT: a
//! credential is in the one header it is for and nowhere else: no error, log line or answer holds it.

mod action;
mod call;
#[cfg(doctest)]
mod case_60;
mod failure;
mod github;
mod http;
mod linear;
pub mod oauth;
mod registry;
pub mod schema;
mod sentry;
mod service;
mod slack;

pub use action::{Action, Param, ParamType};
pub use call::{Call, Source};
pub use failure::{Failure, FailureKind, Retry};
pub use github::github_origin;
pub use registry::{BaseUrls, InvalidBaseUrl, Limits, Sources};
