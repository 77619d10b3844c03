//! Tool servers of an organization's own choice, spoken to with the Model Context Protocol over streamable
//! HTTP. [`Connectors`] lists their tools, [`ConnectorTool`] calls one; [`config`] says what a connector is, [`catalog`]
//! what is known of its tools.
//!
//! INVARIANT: a call takes a [`Permit`](domain::policy::Permit) by value, is sent at most once unless the
//! server said that it was not taken, and leaves through the egress guard. A server's words are data:
//! nothing it says decides anything but to be more careful.

pub mod catalog;
mod client;
pub mod config;
mod connectors;
mod content;
mod diagnostic;
mod links;
mod lists;
mod scrub;
mod secret;
mod tool;
mod turns;

pub use connectors::Connectors;
pub use diagnostic::Diagnostic;
pub use secret::{SecretSource, SecretsUnavailable};
pub use tool::{CallScope, ConnectorTool};
