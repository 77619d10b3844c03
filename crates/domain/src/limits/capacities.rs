//! The capacities of one instance and their shares per organization and holder. `capacity` has the rule that divides
//! these numbers; `docs/concepts/capacity.md` describes the behaviour for callers.
//!
//! In most of them an organization alone may hold half: keeping a reserve for the others is worth more than full use.
//! Where more is given, or a holder gets less than a fourth, the reason is beside it.

use super::{
    ADMISSIONS_AT_ONCE_MAX, CONNECTOR_LISTINGS_MAX, CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX,
    DOWNLOADS_AT_ONCE_MAX, GIT_STREAMS_MAX, JOBS_AT_ONCE_MAX, MCP_WAITS_AT_ONCE_MAX,
    MEDIATED_CALLS_UNDERWAY_MAX, MODEL_CALLS_AT_ONCE_MAX, MODEL_REQUEST_BYTES_AT_ONCE_MAX,
    MODEL_REQUEST_BYTES_MAX, NEWS_STREAMS_MAX, PREVIEW_BYTES_AT_ONCE_MAX,
    PREVIEW_REQUEST_BYTES_MAX, PREVIEW_STREAMS_MAX, REQUESTS_IN_FLIGHT_MAX, SOCKETS_MAX,
    UPLOADS_AT_ONCE_MAX, WEBHOOKS_AT_ONCE_MAX, WEBHOOKS_PER_ORGANIZATION_MAX,
};
use crate::capacity::CapacityLimits;

/// Authenticated requests until their response starts. A platform's backend requests all sessions of an
/// organization, so one service may hold half of its organization's.
pub const REQUESTS: CapacityLimits = CapacityLimits {
    what: "requests under way",
    total: REQUESTS_IN_FLIGHT_MAX as u64,
    per_organization: 512,
    per_holder: 256,
    floor: 8,
};
/// The same for agents: users are served whatever requests sandboxes have under way.
pub const SANDBOX_REQUESTS: CapacityLimits = CapacityLimits {
    what: "requests of sandboxes under way",
    total: REQUESTS_IN_FLIGHT_MAX as u64,
    per_organization: 512,
    per_holder: 256,
    floor: 8,
};
/// Uploads of artifacts and recording chunks.
pub const UPLOADS: CapacityLimits = CapacityLimits {
    what: "uploads under way",
    total: UPLOADS_AT_ONCE_MAX as u64,
    per_organization: 16,
    per_holder: 8,
    floor: 1,
};
/// Requests to the model. A busy agent has two or three; one with many subagents some ten.
pub const MODEL_CALLS: CapacityLimits = CapacityLimits {
    what: "requests to the model under way",
    total: MODEL_CALLS_AT_ONCE_MAX as u64,
    per_organization: 256,
    per_holder: 32,
    floor: 4,
};
/// Their bytes, as they arrive. The largest request always fits while anything is free; four of them for one
/// session.
pub const MODEL_REQUEST_BYTES: CapacityLimits = CapacityLimits {
    what: "memory for requests to the model",
    total: MODEL_REQUEST_BYTES_AT_ONCE_MAX as u64,
    per_organization: 16 * MODEL_REQUEST_BYTES_MAX as u64,
    per_holder: 4 * MODEL_REQUEST_BYTES_MAX as u64,
    floor: MODEL_REQUEST_BYTES_MAX as u64,
};
/// Calls of tools and actions that are executed, programs and uploads of evidence among them.
pub const MEDIATED_CALLS: CapacityLimits = CapacityLimits {
    what: "calls under way",
    total: MEDIATED_CALLS_UNDERWAY_MAX as u64,
    per_organization: 512,
    per_holder: 256,
    floor: 4,
};
/// Fetches and pushes of git in sandboxes. A session has few repositories; each is one stream at a time.
pub const GIT_STREAMS: CapacityLimits = CapacityLimits {
    what: "repositories that are fetched or pushed",
    total: GIT_STREAMS_MAX as u64,
    per_organization: 32,
    per_holder: 8,
    floor: 2,
};
/// Requests to servers in sandboxes, by session: it is its server that may not respond. A browser opens six for
/// each viewer, so ten viewers can watch one session.
pub const PREVIEWS: CapacityLimits = CapacityLimits {
    what: "requests to previews",
    total: PREVIEW_STREAMS_MAX as u64,
    per_organization: 128,
    per_holder: 64,
    floor: 6,
};
/// The bodies of those, as they arrive.
pub const PREVIEW_BYTES: CapacityLimits = CapacityLimits {
    what: "memory for requests to previews",
    total: PREVIEW_BYTES_AT_ONCE_MAX as u64,
    per_organization: 8 * PREVIEW_REQUEST_BYTES_MAX as u64,
    per_holder: 4 * PREVIEW_REQUEST_BYTES_MAX as u64,
    floor: PREVIEW_REQUEST_BYTES_MAX as u64,
};
/// Pages subscribed to their organization's news. A user has some dozen open; a service one for all its users.
pub const NEWS_STREAMS: CapacityLimits = CapacityLimits {
    what: "pages that listen to news",
    total: NEWS_STREAMS_MAX as u64,
    per_organization: 1_000,
    per_holder: 100,
    floor: 8,
};
/// Connections to live sessions: WebSockets, streams of events and terminals. A service may watch every live session.
pub const LIVE_CLIENTS: CapacityLimits = CapacityLimits {
    what: "connections to live sessions",
    total: SOCKETS_MAX as u64,
    per_organization: 5_000,
    per_holder: 1_000,
    floor: 16,
};
/// Calls over MCP that wait for an approval. A session has at most ten pending requests.
pub const MCP_WAITS: CapacityLimits = CapacityLimits {
    what: "calls that wait for a person",
    total: MCP_WAITS_AT_ONCE_MAX as u64,
    per_organization: 128,
    per_holder: 16,
    floor: 4,
};
/// Listings of connectors' tools, by organization: a list is for all its sessions.
pub const CONNECTOR_LISTINGS: CapacityLimits = CapacityLimits {
    what: "listings of connectors' tools",
    total: CONNECTOR_LISTINGS_MAX as u64,
    per_organization: CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX as u64,
    per_holder: CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX as u64,
    floor: 8,
};
/// Webhooks that are being delivered to, by organization: the maximum that one may have. A receiver that hangs holds
/// one for twenty seconds.
pub const WEBHOOK_SENDERS: CapacityLimits = CapacityLimits {
    what: "webhooks that are sent to",
    total: WEBHOOKS_AT_ONCE_MAX as u64,
    per_organization: WEBHOOKS_PER_ORGANIZATION_MAX as u64,
    per_holder: WEBHOOKS_PER_ORGANIZATION_MAX as u64,
    floor: 4,
};
/// Stored bytes and trails that are sent to clients. Each holds a file or a connection to storage for as long as its client
/// reads.
pub const DOWNLOADS: CapacityLimits = CapacityLimits {
    what: "downloads under way",
    total: DOWNLOADS_AT_ONCE_MAX as u64,
    per_organization: 128,
    per_holder: 64,
    floor: 6,
};
/// Jobs, by organization. Half of them is what one machine runs at once for one organization alone.
pub const JOBS: CapacityLimits = CapacityLimits {
    what: "jobs under way",
    total: JOBS_AT_ONCE_MAX as u64,
    per_organization: 4,
    per_holder: 4,
    floor: 1,
};
/// Requests to the operator's admission service. Each is as long as the service takes, at most twenty seconds.
pub const ADMISSIONS: CapacityLimits = CapacityLimits {
    what: "sessions that wait for admission",
    total: ADMISSIONS_AT_ONCE_MAX as u64,
    per_organization: 32,
    per_holder: 32,
    floor: 4,
};

/// All of them, for rules that hold for each.
pub const CAPACITIES: &[CapacityLimits] = &[
    REQUESTS,
    SANDBOX_REQUESTS,
    UPLOADS,
    MODEL_CALLS,
    MODEL_REQUEST_BYTES,
    MEDIATED_CALLS,
    GIT_STREAMS,
    PREVIEWS,
    PREVIEW_BYTES,
    NEWS_STREAMS,
    LIVE_CLIENTS,
    MCP_WAITS,
    DOWNLOADS,
    CONNECTOR_LISTINGS,
    WEBHOOK_SENDERS,
    JOBS,
    ADMISSIONS,
];
