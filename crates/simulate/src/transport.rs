//! The way from a gateway to agents: no network, but a line that can be cut.

use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt as _;
use hub::opencode::{AgentError, Connection, Transport};
use reqwest::{Body, Request, Response};
use serde_json::Value;
use tokio::time::timeout;

use crate::{
    agents::{Agent, Said},
    link::{Fate, Line, Link},
    sandbox_host::SandboxHost,
};

/// Of one gateway.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) sandbox_host: SandboxHost,
    pub(crate) link: Arc<Link>,
}

#[async_trait]
impl Transport for Wire {
    async fn send(&self, request: Request, _: Connection) -> Result<Response, AgentError> {
        match request.timeout().copied() {
            Some(wait) => timeout(wait, self.carry(request))
                .await
                .unwrap_or(Err(AgentError::Timeout)),
            None => self.carry(request).await,
        }
    }
}

impl Wire {
    async fn carry(&self, request: Request) -> Result<Response, AgentError> {
        let fate = self.link.pass(Line::Agents).await;
        let agent = self.agent(&request).filter(Agent::listens);
        let agent = agent.filter(|_| fate != Fate::QuestionLost);
        let agent = agent.ok_or(AgentError::Unreachable)?;
        let body = request.body().and_then(Body::as_bytes).unwrap_or_default();
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let said = agent.asked(request.method().as_str(), request.url().path(), &body);
        if fate == Fate::AnswerLost {
            return Err(AgentError::Unreachable);
        }
        let (status, body) = match said {
            Said::Json(status, Value::Null) => (status, Body::from(Vec::new())),
            Said::Json(status, value) => (status, Body::from(value.to_string())),
            Said::Events(events) => (200, self.stream(events)),
        };
        let answer = hyper::Response::builder().status(status).body(body);
        let answer = answer.map_err(|_| AgentError::Protocol("no answer".into()))?;
        Ok(answer.into())
    }

    fn agent(&self, request: &Request) -> Option<Agent> {
        self.sandbox_host.agent_at(request.url().port()?)
    }

    /// The events, until the line is cut.
    fn stream(&self, events: tokio::sync::mpsc::UnboundedReceiver<String>) -> Body {
        let link = Arc::clone(&self.link);
        let events = futures::stream::unfold(events, |mut events| async {
            events.recv().await.map(|event| (event, events))
        });
        let pieces = events.map(move |event| {
            if link.is_cut(Line::Agents) {
                return Err(std::io::Error::other("the line is cut"));
            }
            Ok(event)
        });
        Body::wrap_stream(pieces)
    }
}
