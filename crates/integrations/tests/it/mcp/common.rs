//! A stand-in, a connector to it and a caller.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use domain::{
    action::Risk,
    id::{ConnectorId, OrganizationId, SessionId},
};
use integrations::{
    ActionCall, ActionOutput, ActionSource as _, Failure,
    mcp::{
        CallScope, Connectors, SecretSource, SecretsUnavailable,
        catalog::ToolList,
        config::{Connector, Preset},
    },
};
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use testkit::{clock::FakeClock, permit::permit, standin::mcp::McpServer};
use tools::egress::{EgressGuard, SystemResolver};
use uuid::Uuid;

/// Secrets by organization and key.
#[derive(Default)]
pub(crate) struct Secrets(Mutex<HashMap<(String, String), String>>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}

impl Secrets {
    pub(crate) fn put(&self, organization: &str, key: &str, value: &str) {
        let key = (organization.to_owned(), key.to_owned());
        self.0
            .lock()
            .expect("not poisoned")
            .insert(key, value.to_owned());
    }
}

#[async_trait]
impl SecretSource for Secrets {
    async fn resolve(
        &self,
        organization_id: &OrganizationId,
        key: &str,
    ) -> Result<Option<SecretString>, SecretsUnavailable> {
        if key == "UNAVAILABLE" {
            return Err(SecretsUnavailable);
        }
        let key = (organization_id.to_string(), key.to_owned());
        let found = self.0.lock().expect("not poisoned").get(&key).cloned();
        Ok(found.map(SecretString::from))
    }
}

/// Everything a test needs.
pub(crate) struct World {
    pub(crate) server: McpServer,
    pub(crate) clock: Arc<FakeClock>,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) connectors: Arc<Connectors>,
    pub(crate) connector: Connector,
}

impl World {
    pub(crate) async fn new() -> Self {
        let server = McpServer::start().await;
        let clock = Arc::new(FakeClock::new());
        let secrets = Arc::<Secrets>::default();
        let connectors = Connectors::new(guard(&[&server.host()]), secrets.clone(), clock.clone());
        let connector = connector(1, &server.url());
        Self {
            server,
            clock,
            secrets,
            connectors,
            connector,
        }
    }

    pub(crate) async fn list(&self) -> Result<Arc<ToolList>, Failure> {
        self.connectors
            .list_tools(&organization(), &self.connector)
            .await
    }

    /// Calls an action with this risk in the session 1.
    pub(crate) async fn call(&self, action: &str, risk: Risk) -> Result<ActionOutput, Failure> {
        self.call_as(&scope(Some(1)), tool_call(action, risk)).await
    }

    pub(crate) async fn call_as(
        &self,
        scope: &CallScope,
        call: ActionCall,
    ) -> Result<ActionOutput, Failure> {
        call_tool(&self.connectors, scope, &self.connector, call).await
    }

    /// Requests of this method that came after the list was fetched.
    pub(crate) fn calls(&self) -> usize {
        self.server.count("tools/call")
    }
}

pub(crate) fn guard(allowed: &[&str]) -> EgressGuard {
    let allowed = allowed
        .iter()
        .map(|host| host.parse().expect("a host and a port"));
    EgressGuard::new(Arc::new(SystemResolver), allowed)
}

pub(crate) fn connector(id: u128, url: &str) -> Connector {
    let id = ConnectorId::from_uuid(Uuid::from_u128(id));
    Preset::Custom.connector(id, url, None)
}

pub(crate) fn organization() -> OrganizationId {
    "org-1".parse().expect("an id")
}

/// Calls a tool as the product does: its definition is judged first, then called with a permit.
pub(crate) async fn call_tool(
    connectors: &Arc<Connectors>,
    scope: &CallScope,
    connector: &Connector,
    call: ActionCall,
) -> Result<ActionOutput, Failure> {
    let list = connectors
        .list_tools(&scope.organization_id, connector)
        .await?;
    let tool = list.by_action(&call.action).expect("a tool of the server");
    let tool = connectors.tool(scope.clone(), connector.clone(), Arc::clone(tool));
    let secret = connectors.secret(&scope.organization_id, connector).await?;
    let permit = permit(&call.risk.operation().parse().expect("an operation"));
    tool.execute(permit, call, secret.as_ref()).await
}

pub(crate) fn scope(session: Option<u128>) -> CallScope {
    CallScope {
        organization_id: organization(),
        session_id: session.map(|id| SessionId::from_uuid(Uuid::from_u128(id))),
    }
}

pub(crate) fn tool_call(action: &str, risk: Risk) -> ActionCall {
    ActionCall {
        action: action.to_owned(),
        params: arguments(json!({"text": "hello"})),
        risk,
        case_id: None,
    }
}

pub(crate) fn arguments(value: Value) -> Map<String, Value> {
    let Value::Object(arguments) = value else {
        panic!("arguments are an object")
    };
    arguments
}
