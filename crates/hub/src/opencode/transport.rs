//! How requests reach the agent: over the network, or over what a simulation puts in its place.

use std::fmt;

use async_trait::async_trait;
use domain::limits::AGENT_CONNECT_TIMEOUT;
use reqwest::{Request, Response};

use super::error::AgentError;
use crate::inside;

/// Carries requests and brings answers back.
#[async_trait]
pub trait Transport: Send + Sync + fmt::Debug {
    async fn send(&self, request: Request, connection: Connection) -> Result<Response, AgentError>;
}

/// What a request goes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connection {
    /// One that may have been used before.
    Kept,
    /// A new one: a connection of a booting agent may never be answered.
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
        let builder = || inside::client(AGENT_CONNECT_TIMEOUT);
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
