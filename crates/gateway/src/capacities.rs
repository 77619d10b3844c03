//! What this process has of everything that its callers hold for a while, shared among organizations and holders.

use domain::{
    capacity::{CapacityPool, Claimant, Holder},
    limits,
};

use crate::options::Options;

/// One pool for each. Cheap to clone; clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Capacities {
    /// Requests of people and services whose caller is known, until their answer begins.
    requests: CapacityPool,
    /// The same of agents.
    sandbox_requests: CapacityPool,
    /// Artifacts and pieces of recordings on their way in.
    pub(crate) uploads: CapacityPool,
    /// Stored bytes and trails on their way out.
    pub(crate) downloads: CapacityPool,
    /// What git of sandboxes fetches and pushes.
    pub(crate) git_streams: CapacityPool,
    /// Requests to servers in sandboxes.
    pub(crate) previews: CapacityPool,
    /// Their bodies.
    pub(crate) preview_bytes: CapacityPool,
    /// Pages that listen to their organization.
    pub(crate) news: CapacityPool,
    /// Connections to live sessions.
    pub(crate) live_clients: CapacityPool,
    /// Calls over MCP that wait for a person.
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

    /// The requests among which this caller's are: what agents have under way takes nothing from people.
    pub(crate) fn requests_of(&self, claimant: &Claimant) -> &CapacityPool {
        match claimant.holder {
            Holder::Session(_) => &self.sandbox_requests,
            Holder::Person(_) | Holder::Service(_) => &self.requests,
        }
    }
}
