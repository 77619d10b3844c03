//! Outside services that agents act in. Built-in sources (Linear, Sentry, Slack, GitHub) are folders of the same anatomy:
//! `declaration.rs` (names, addresses, OAuth2), `mod.rs` (headers), `actions.rs`, `requests.rs`, `replies.rs` and `guide.md`
//! for agents. [`mcp`] has the MCP servers that organizations connect themselves.
//!
//! INVARIANT: an executor of a call takes the permit by value. INVARIANT: a credential is in the one header it is for: no
//! error, log line or reply holds it.

mod action;
mod failure;
mod github;
mod http;
mod linear;
pub mod mcp;
pub mod oauth;
mod output;
#[cfg(doctest)]
mod permit_examples;
mod registry;
pub mod schema;
mod sentry;
mod service;
mod slack;
mod source;

pub use action::{Action, Param, ParamType};
pub use failure::{Failure, FailureKind, Retry};
pub use github::github_origin;
pub use http::CallLimits;
pub use output::{ActionOutput, OutputPart, ResourceBody};
pub use registry::{BaseUrls, InvalidBaseUrl, Sources, declaration, declarations};
pub use source::{ActionCall, ActionSource, BuiltInSource};
