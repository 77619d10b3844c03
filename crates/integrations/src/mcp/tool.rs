//! Calls one tool of a connector, by the definition that was judged and on behalf of one session.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use domain::{
    action::Risk,
    id::{OrganizationId, SessionId},
    limits::{CONNECTOR_ARGUMENTS_BYTES_MAX, CONNECTOR_CALL_TIMEOUT},
    policy::Permit,
};
use secrecy::SecretString;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::{
    Connectors,
    catalog::{Tool, value_bytes},
    client::{CallError, call, prepare},
    config::Connector,
    connectors::connector_is_off,
    secret::Credential,
};
use crate::{
    ActionCall, ActionOutput, ActionSource, Failure, FailureKind, Retry, failure::verdict,
};

/// On whose behalf a tool is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallScope {
    pub organization_id: OrganizationId,
    /// Calls of one session share a connection; calls without one have their own.
    pub session_id: Option<SessionId>,
}

/// A tool of a connector, as it was defined when its call was judged. Calling it does not list the tools again.
#[derive(Debug, Clone)]
pub struct ConnectorTool {
    connectors: Arc<Connectors>,
    scope: CallScope,
    connector: Connector,
    tool: Arc<Tool>,
}

impl Connectors {
    /// The tool, ready to be called.
    pub fn tool(
        self: &Arc<Self>,
        scope: CallScope,
        connector: Connector,
        tool: Arc<Tool>,
    ) -> ConnectorTool {
        ConnectorTool {
            connectors: Arc::clone(self),
            scope,
            connector,
            tool,
        }
    }
}

#[async_trait]
impl ActionSource for ConnectorTool {
    async fn execute(
        &self,
        permit: Permit,
        call: ActionCall,
        credential: Option<&SecretString>,
    ) -> Result<ActionOutput, Failure> {
        call.spend(permit)?;
        self.check(&call)?;
        let credential = Credential::of(&self.connector, credential)?;
        let sent = AtomicBool::new(false);
        let attempts = self.attempts(call.params, call.risk, &credential, &sent);
        let in_time = timeout(CONNECTOR_CALL_TIMEOUT, attempts).await;
        in_time.unwrap_or_else(|_| {
            let kind = FailureKind::TimedOut;
            let retry = if sent.load(Ordering::Relaxed) {
                verdict(kind, call.risk, None)
            } else {
                Retry::later(kind, None)
            };
            let message = "the server did not answer in time";
            Err(Failure::new(kind, retry, message))
        })
    }
}

impl ConnectorTool {
    fn check(&self, call: &ActionCall) -> Result<(), Failure> {
        if !self.connector.enabled {
            return Err(connector_is_off());
        }
        if call.action != self.tool.action {
            let message = "the call names another action than the tool's";
            return Err(Failure::never(FailureKind::NotCallable, message));
        }
        let params = call.params.iter();
        let bytes: usize = params
            .map(|(key, value)| key.len() + value_bytes(value))
            .sum();
        if bytes > CONNECTOR_ARGUMENTS_BYTES_MAX {
            let message = "the arguments are too large";
            return Err(Failure::never(FailureKind::NotCallable, message));
        }
        Ok(())
    }

    /// INVARIANT: a call is sent again in one case only: the server answered the first attempt with "your
    /// session is gone", which says that it was not taken. Once.
    async fn attempts(
        &self,
        params: Map<String, Value>,
        risk: Risk,
        credential: &Credential,
        sent: &AtomicBool,
    ) -> Result<ActionOutput, Failure> {
        let connections = &self.connectors.connections;
        let mut is_first = true;
        loop {
            let lent = connections
                .lend(
                    &self.scope.organization_id,
                    self.scope.session_id,
                    &self.connector,
                    credential.clone(),
                )
                .await?;
            prepare(&lent.connection, &self.tool).await?;
            sent.store(true, Ordering::Relaxed);
            match call(&lent.connection, &self.tool.name, params.clone(), risk).await {
                Ok(output) => return Ok(output),
                Err(CallError::SessionGone) if is_first => {
                    connections.retire(&lent);
                    sent.store(false, Ordering::Relaxed);
                    is_first = false;
                }
                Err(CallError::SessionGone) => {
                    connections.retire(&lent);
                    let message = "the server ends its sessions at once";
                    return Err(Failure::later(FailureKind::MalformedReply, message));
                }
                Err(CallError::Failed(failure)) => {
                    if is_of_the_connection(failure.kind) {
                        connections.retire(&lent);
                    }
                    return Err(failure);
                }
            }
        }
    }
}

/// Whether the failure may lie with the connection, so that the next call opens another.
fn is_of_the_connection(kind: FailureKind) -> bool {
    !matches!(
        kind,
        FailureKind::Tool | FailureKind::Invalid | FailureKind::RateLimited
    )
}
