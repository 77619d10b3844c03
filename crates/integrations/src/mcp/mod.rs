//! MCP servers of an organization's own choice, over streamable HTTP. [`Connectors`] lists their tools, [`ConnectorTool`]
//! calls one; [`config`] has the configuration of a connector, [`catalog`] its tools.
//!
//! INVARIANT: a call takes a [`Permit`](domain::policy::Permit) by value, is sent at most once unless the
//! server said that it did not take it, and leaves through the egress guard. Text of a server is data: the gateway decides
//! nothing by it but to be more careful.

pub mod catalog;
mod client;
pub mod config;
mod connections;
mod connectors;
mod content;
mod diagnostic;
mod listing_limit;
mod secret;
mod secret_scrubber;
mod tool;
mod tool_list_cache;

pub use connectors::Connectors;
pub use diagnostic::Diagnostic;
pub use secret::{SecretSource, SecretsUnavailable};
pub use tool::{CallScope, ConnectorTool};
