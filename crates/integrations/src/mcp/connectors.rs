//! What the rest of the product uses: tools of many connectors at once, one connector on trial, one call.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use domain::{
    Invalid,
    action::Risk,
    clock::Clock,
    id::{ConnectorId, OrganizationId, SessionId},
    limits::{CONNECTOR_ARGUMENTS_BYTES_MAX, CONNECTOR_CALL_TIMEOUT, CONNECTOR_LIST_TIMEOUT},
    policy::{Operation, Permit},
};
use serde_json::{Map, Value};
use tokio::time::timeout;
use tools::egress::EgressGuard;

use crate::{
    failure::{Failure, FailureKind, Retry, verdict},
    mcp::{
        catalog::{Definition, Tool, ToolList, review, weight},
        client::{CallError, Link, call, list},
        config::Connector,
        content::Content,
        links::Links,
        lists::{ListKey, Lists},
        secret::{Credential, SecretSource},
        turns::Turns,
    },
};

/// The connectors of this process: what was learned of them, and connections to them.
#[derive(Debug)]
pub struct Connectors {
    guard: EgressGuard,
    secrets: Arc<dyn SecretSource>,
    lists: Arc<Lists>,
    links: Links,
    turns: Turns,
}

/// On whose behalf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    pub organization_id: OrganizationId,
    /// Calls of one session share a connection; calls without one have their own.
    pub session_id: Option<SessionId>,
}

/// One call.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// What the permit must be for.
    pub operation: Operation,
    /// By the action's name; see [`Tool::action`].
    pub action: String,
    pub arguments: Map<String, Value>,
    /// Decides what an answer that never came means.
    pub risk: Risk,
    /// The digest of the definition that was judged; another one is not called.
    pub pinned: Option<String>,
}

impl Connectors {
    pub fn new(
        guard: EgressGuard,
        secrets: Arc<dyn SecretSource>,
        clock: Arc<dyn Clock>,
    ) -> Arc<Self> {
        Arc::new(Self {
            links: Links::new(Arc::clone(&clock), guard.clone()),
            lists: Lists::new(clock),
            turns: Turns::new(),
            guard,
            secrets,
        })
    }

    /// The tools of one connector, at most five minutes old.
    pub async fn list_tools(
        self: &Arc<Self>,
        organization_id: &OrganizationId,
        connector: &Connector,
    ) -> Result<Arc<ToolList>, Failure> {
        if !connector.enabled {
            return Err(off());
        }
        let key = ListKey {
            organization_id: organization_id.clone(),
            connector_id: connector.id,
            fingerprint: connector.fingerprint(),
        };
        let fetch = || {
            let connectors = Arc::clone(self);
            let (organization_id, connector) = (organization_id.clone(), connector.clone());
            async move { connectors.fetch(&organization_id, &connector).await }
        };
        self.lists.get(key, fetch).await
    }

    /// Tries a connector out, saved or not: is its configuration good, and what does the server offer now?
    /// Nothing that is kept is used, and nothing is kept.
    pub async fn validate(
        &self,
        organization_id: &OrganizationId,
        connector: &Connector,
    ) -> Result<Result<ToolList, Failure>, Invalid> {
        connector.check(&self.guard)?;
        Ok(self.fetch(organization_id, connector).await)
    }

    /// Calls a tool, once. The permit is spent whatever comes of it.
    pub async fn call_tool(
        self: &Arc<Self>,
        permit: Permit,
        scope: &Scope,
        connector: &Connector,
        call: ToolCall,
    ) -> Result<Content, Failure> {
        if *permit.operation() != call.operation {
            tracing::error!(?permit, operation = %call.operation, "a permit for another call");
            return Err(not_callable("the permit is for another call"));
        }
        let arguments_bytes: usize = call
            .arguments
            .iter()
            .map(|(key, value)| key.len() + weight(value))
            .sum();
        if arguments_bytes > CONNECTOR_ARGUMENTS_BYTES_MAX {
            return Err(not_callable("the arguments are too large"));
        }
        let list = self.list_tools(&scope.organization_id, connector).await?;
        let tool = list.by_action(&call.action);
        let tool = tool.ok_or_else(|| not_callable("the connector has no such action"))?;
        if review(call.pinned.as_deref(), &tool.digest) == Definition::Changed {
            let message = "the tool reads differently than when it was judged";
            return Err(Failure::never(FailureKind::DefinitionChanged, message));
        }
        self.call_in_time(scope, connector, tool, call).await
    }

    /// Forgets what is known of a connector and closes its connections: it was changed or removed.
    pub fn forget(&self, organization_id: &OrganizationId, connector_id: ConnectorId) {
        self.lists.forget(organization_id, connector_id);
        self.links.forget(organization_id, connector_id);
    }

    /// Forgets what tools a connector has: whoever asks next is told what its server says then.
    pub fn forget_tools(&self, organization_id: &OrganizationId, connector_id: ConnectorId) {
        self.lists.forget(organization_id, connector_id);
    }

    /// Closes connections that nobody uses any more; for a sweeper to call now and then.
    pub fn sweep(&self) {
        self.links.sweep();
    }

    /// How many connections are kept.
    pub fn links_kept(&self) -> usize {
        self.links.count()
    }

    async fn fetch(
        &self,
        organization_id: &OrganizationId,
        connector: &Connector,
    ) -> Result<ToolList, Failure> {
        let fetched = async {
            let _turn = self.turns.take(organization_id).await;
            let credential =
                Credential::resolve(connector, organization_id, &*self.secrets).await?;
            let link = Link::open(&self.guard, connector, credential).await?;
            list(&link).await
        };
        let in_time = timeout(CONNECTOR_LIST_TIMEOUT, fetched).await;
        in_time.unwrap_or_else(|_| {
            let message = "the server did not list its tools in time";
            Err(Failure::later(FailureKind::TimedOut, message))
        })
    }

    async fn call_in_time(
        &self,
        scope: &Scope,
        connector: &Connector,
        tool: &Tool,
        call: ToolCall,
    ) -> Result<Content, Failure> {
        let risk = call.risk;
        let sent = AtomicBool::new(false);
        let attempts = self.attempts(scope, connector, tool, call, &sent);
        let in_time = timeout(CONNECTOR_CALL_TIMEOUT, attempts).await;
        in_time.unwrap_or_else(|_| {
            let kind = FailureKind::TimedOut;
            let retry = if sent.load(Ordering::Relaxed) {
                verdict(kind, risk, None)
            } else {
                Retry::later(kind, None)
            };
            let message = "the server did not answer in time";
            Err(Failure::new(kind, retry, message))
        })
    }

    /// INVARIANT: a call is sent again in one case only: the server answered the first attempt with "your
    /// session is gone", which says that it was not taken. Once.
    async fn attempts(
        &self,
        scope: &Scope,
        connector: &Connector,
        tool: &Tool,
        asked: ToolCall,
        sent: &AtomicBool,
    ) -> Result<Content, Failure> {
        let mut is_first = true;
        loop {
            let organization_id = &scope.organization_id;
            let credential =
                Credential::resolve(connector, organization_id, &*self.secrets).await?;
            let lent = self
                .links
                .lend(organization_id, scope.session_id, connector, credential);
            let lent = lent.await?;
            lent.link.prepare(tool).await?;
            sent.store(true, Ordering::Relaxed);
            let arguments = asked.arguments.clone();
            match call(&lent.link, &tool.name, arguments, asked.risk).await {
                Ok(content) => return Ok(content),
                Err(CallError::SessionGone) if is_first => {
                    self.links.retire(&lent);
                    sent.store(false, Ordering::Relaxed);
                    is_first = false;
                }
                Err(CallError::SessionGone) => {
                    self.links.retire(&lent);
                    let message = "the server ends its sessions at once";
                    return Err(Failure::later(FailureKind::MalformedReply, message));
                }
                Err(CallError::Failed(failure)) => {
                    if is_of_the_connection(failure.kind) {
                        self.links.retire(&lent);
                    }
                    return Err(failure);
                }
            }
        }
    }
}

/// Whether the next call should rather begin anew.
fn is_of_the_connection(kind: FailureKind) -> bool {
    !matches!(
        kind,
        FailureKind::Tool | FailureKind::Invalid | FailureKind::RateLimited
    )
}

fn off() -> Failure {
    not_callable("the connector is switched off")
}

fn not_callable(message: &str) -> Failure {
    Failure::never(FailureKind::NotCallable, message)
}
