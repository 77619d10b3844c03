//! Handlers: decode, call the use case of the same name in `app`, encode.

pub(crate) mod actions;
pub(crate) mod api_keys;
pub(crate) mod artifacts;
pub(crate) mod audit;
pub(crate) mod automations;
mod body_stream;
pub(crate) mod callbacks;
pub(crate) mod cases;
pub(crate) mod configurations;
pub(crate) mod connect;
mod connect_cookie;
pub(crate) mod connectors;
pub(crate) mod dashboard;
pub(crate) mod fleet;
pub(crate) mod git;
pub(crate) mod grants;
pub(crate) mod health;
pub(crate) mod installation;
pub(crate) mod integrations;
pub(crate) mod invitations;
pub(crate) mod jobs;
pub(crate) mod live;
pub(crate) mod llm;
pub(crate) mod locks;
pub(crate) mod login;
pub(crate) mod mcp;
pub(crate) mod me;
pub(crate) mod members;
mod message_page;
pub(crate) mod models;
pub(crate) mod news;
pub(crate) mod organization;
pub(crate) mod organization_limits;
pub(crate) mod organizations;
pub(crate) mod policy;
pub(crate) mod recordings;
pub(crate) mod reference;
pub(crate) mod repos;
pub(crate) mod runs;
pub(crate) mod secrets;
pub(crate) mod sessions;
pub(crate) mod setup;
pub(crate) mod sharing;
pub(crate) mod tool_calls;
pub(crate) mod verification;
pub(crate) mod webhooks;

pub(crate) use self::body_stream::{hold_permit, stream_body};
use crate::error::Failure;

/// The result of a handler.
type Answer<T> = Result<T, Failure>;
