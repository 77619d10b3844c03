//! Carries requests to the agent: over the network, or over a simulated one.

use std::fmt;

use async_trait::async_trait;
use domain::limits::AGENT_CONNECT_TIMEOUT;
use reqwest::{Request, Response};

use super::error::AgentError;
use crate::sandbox_http;

/// Sends requests and returns responses.
#[async_trait]
pub trait Transport: Send + Sync + fmt::Debug {
    async fn send(&self, request: Request, connection: Connection) -> Result<Response, AgentError>;
}

/// The connection of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connection {
    /// A pooled connection.
    Kept,
    /// A new connection: a booting agent may never answer on an earlier one.
    New,
}

/// Over the network.
#[derive(Debug)]
pub(super) struct Network {
    http: reqwest::Client,
    probe: reqwest::Client,
}

impl Network {
    pub(super) fn new() -> Result<Self, AgentError> {
        let builder = || sandbox_http::client(AGENT_CONNECT_TIMEOUT);
        let probe = builder().pool_max_idle_per_host(0).build()?;
        let http = builder().build()?;
        Ok(Self { http, probe })
    }
}

#[async_trait]
impl Transport for Network {
    async fn send(&self, request: Request, connection: Connection) -> Result<Response, AgentError> {
        let client = match connection {
            Connection::Kept => &self.http,
            Connection::New => &self.probe,
        };
        Ok(client.execute(request).await?)
    }
}
