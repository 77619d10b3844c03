//! The capacities of this process that its callers use, shared among organizations and holders.

use domain::{
    capacity::{CapacityPool, Claimant, Holder},
    limits,
};

use crate::options::Options;

/// One pool for each. Cheap to clone; clones share the pools.
#[derive(Debug, Clone)]
pub(crate) struct Capacities {
    /// Authenticated requests of users and services, until their response starts.
    requests: CapacityPool,
    /// The same for agents.
    sandbox_requests: CapacityPool,
    /// Uploads of artifacts and recording chunks.
    pub(crate) uploads: CapacityPool,
    /// Downloads of stored bytes and trails.
    pub(crate) downloads: CapacityPool,
    /// Fetches and pushes of git in sandboxes.
    pub(crate) git_streams: CapacityPool,
    /// Requests to servers in sandboxes.
    pub(crate) previews: CapacityPool,
    /// Their bodies.
    pub(crate) preview_bytes: CapacityPool,
    /// Pages subscribed to their organization's news.
    pub(crate) news: CapacityPool,
    /// Connections to live sessions.
    pub(crate) live_clients: CapacityPool,
    /// Calls over MCP that wait for an approval.
    pub(crate) mcp_waits: CapacityPool,
}

impl Capacities {
    pub(crate) fn of(options: &Options) -> Self {
        let total = |total: usize| u64::try_from(total).unwrap_or(u64::MAX);
        let requests = total(options.requests_in_flight_max);
        let uploads = limits::UPLOADS.with_total(total(options.uploads_at_once_max));
        Self {
            requests: CapacityPool::new(limits::REQUESTS.with_total(requests)),
            sandbox_requests: CapacityPool::new(limits::SANDBOX_REQUESTS.with_total(requests)),
            uploads: CapacityPool::new(uploads),
            downloads: CapacityPool::new(limits::DOWNLOADS),
            git_streams: CapacityPool::new(options.git_streams),
            previews: CapacityPool::new(limits::PREVIEWS),
            preview_bytes: CapacityPool::new(limits::PREVIEW_BYTES),
            news: CapacityPool::new(limits::NEWS_STREAMS),
            live_clients: CapacityPool::new(limits::LIVE_CLIENTS),
            mcp_waits: CapacityPool::new(limits::MCP_WAITS),
        }
    }

    /// The pool of this caller's requests: requests of agents use no capacity of users.
    pub(crate) fn requests_of(&self, claimant: &Claimant) -> &CapacityPool {
        match claimant.holder {
            Holder::Session(_) => &self.sandbox_requests,
            Holder::Person(_) | Holder::Service(_) => &self.requests,
        }
    }
}
