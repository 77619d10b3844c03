//! The interface to connectors: lists their tools and validates a configuration. Calls are in
//! [`tool`](super::ConnectorTool).

use std::sync::Arc;

use domain::{
    Invalid,
    clock::Clock,
    id::{ConnectorId, OrganizationId},
    limits::CONNECTOR_LIST_TIMEOUT,
};
use secrecy::SecretString;
use tokio::time::timeout;
use tools::egress::EgressGuard;

use super::{
    catalog::ToolList,
    client::{McpConnection, list},
    config::Connector,
    connections::McpConnections,
    listing_limit::ListingLimit,
    secret::{self, Credential, SecretSource},
    tool_list_cache::{ToolListCache, ToolListKey},
};
use crate::{Failure, FailureKind};

/// The connectors of this process: cached lists of their tools, and connections to their servers.
#[derive(Debug)]
pub struct Connectors {
    guard: EgressGuard,
    secrets: Arc<dyn SecretSource>,
    lists: Arc<ToolListCache>,
    pub(super) connections: McpConnections,
    listing_limit: ListingLimit,
}

impl Connectors {
    pub fn new(
        guard: EgressGuard,
        secrets: Arc<dyn SecretSource>,
        clock: Arc<dyn Clock>,
    ) -> Arc<Self> {
        Arc::new(Self {
            connections: McpConnections::new(Arc::clone(&clock), guard.clone()),
            lists: ToolListCache::new(clock),
            listing_limit: ListingLimit::new(),
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
            return Err(connector_is_off());
        }
        let key = ToolListKey {
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

    /// Validates a connector, saved or not: checks its configuration and lists what the server offers now. Uses no cache and
    /// fills none.
    pub async fn validate(
        &self,
        organization_id: &OrganizationId,
        connector: &Connector,
    ) -> Result<Result<ToolList, Failure>, Invalid> {
        connector.check(&self.guard)?;
        Ok(self.fetch(organization_id, connector).await)
    }

    /// The secret that the connector's server wants; `None` if it wants none.
    pub async fn secret(
        &self,
        organization_id: &OrganizationId,
        connector: &Connector,
    ) -> Result<Option<SecretString>, Failure> {
        secret::find(connector, organization_id, &*self.secrets).await
    }

    /// Drops the cached tools of a connector and closes its connections: it was changed or removed.
    pub fn forget(&self, organization_id: &OrganizationId, connector_id: ConnectorId) {
        self.lists.forget(organization_id, connector_id);
        self.connections.forget(organization_id, connector_id);
    }

    /// Drops the cached tools of a connector: the next caller gets what its server lists then.
    pub fn forget_tools(&self, organization_id: &OrganizationId, connector_id: ConnectorId) {
        self.lists.forget(organization_id, connector_id);
    }

    /// Closes idle connections; a sweeper calls it from time to time.
    pub fn sweep(&self) {
        self.connections.sweep();
    }

    /// How many connections are open.
    pub fn open_connections(&self) -> usize {
        self.connections.count()
    }

    async fn fetch(
        &self,
        organization_id: &OrganizationId,
        connector: &Connector,
    ) -> Result<ToolList, Failure> {
        let fetched = async {
            let _permit = self.listing_limit.acquire(organization_id).await;
            let secret = self.secret(organization_id, connector).await?;
            let credential = Credential::of(connector, secret.as_ref())?;
            let connection = McpConnection::open(&self.guard, connector, credential).await?;
            list(&connection).await
        };
        let in_time = timeout(CONNECTOR_LIST_TIMEOUT, fetched).await;
        in_time.unwrap_or_else(|_| {
            let message = "the server did not list its tools in time";
            Err(Failure::later(FailureKind::TimedOut, message))
        })
    }
}

pub(super) fn connector_is_off() -> Failure {
    Failure::never(FailureKind::NotCallable, "the connector is switched off")
}
