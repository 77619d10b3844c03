//! The connection limits of a listener.

use std::time::Duration;

use domain::limits as l;

/// Whether all connections from this machine's own addresses count as one client's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loopback {
    /// A program on this machine can come from any of its loopback addresses.
    OnePeer,
    /// Each address is a container's, which cannot choose another one.
    PeerPerAddress,
}

/// Limits of the connections of one listener.
#[derive(Debug, Clone)]
pub struct ConnectionBounds {
    pub connections_max: usize,
    pub per_peer_max: usize,
    pub from_loopback_max: usize,
    pub per_session_max: usize,
    pub handshakes_max: usize,
    pub handshakes_per_peer_max: usize,
    pub loopback: Loopback,
    pub first_byte_timeout: Duration,
    pub first_request_timeout: Duration,
    pub idle_timeout: Duration,
    pub unread_timeout: Duration,
    pub streams_max: u32,
    pub window_bytes: u32,
}

impl ConnectionBounds {
    /// For the listener of users and of programs with tokens of the organization.
    pub const fn people() -> Self {
        Self {
            connections_max: l::CONNECTIONS_MAX,
            per_peer_max: l::CONNECTIONS_PER_PEER_MAX,
            from_loopback_max: l::CONNECTIONS_FROM_LOOPBACK_MAX,
            per_session_max: l::SANDBOX_CONNECTIONS_PER_SESSION_MAX,
            handshakes_max: l::HANDSHAKES_MAX,
            handshakes_per_peer_max: l::HANDSHAKES_PER_PEER_MAX,
            loopback: Loopback::OnePeer,
            first_byte_timeout: l::CONNECTION_FIRST_BYTE_TIMEOUT,
            first_request_timeout: l::CONNECTION_FIRST_REQUEST_TIMEOUT,
            idle_timeout: l::CONNECTION_IDLE_TIMEOUT,
            unread_timeout: l::CONNECTION_UNREAD_TIMEOUT,
            streams_max: l::HTTP2_STREAMS_MAX,
            window_bytes: l::HTTP2_WINDOW_BYTES,
        }
    }

    /// For the listener of sandboxes.
    pub const fn sandboxes() -> Self {
        Self {
            connections_max: l::SANDBOX_CONNECTIONS_MAX,
            per_peer_max: l::SANDBOX_CONNECTIONS_PER_PEER_MAX,
            from_loopback_max: l::SANDBOX_CONNECTIONS_FROM_LOOPBACK_MAX,
            handshakes_max: l::SANDBOX_HANDSHAKES_MAX,
            handshakes_per_peer_max: l::SANDBOX_HANDSHAKES_PER_PEER_MAX,
            streams_max: l::SANDBOX_HTTP2_STREAMS_MAX,
            window_bytes: l::SANDBOX_HTTP2_WINDOW_BYTES,
            ..Self::people()
        }
    }

    /// For the metrics listener.
    pub const fn metrics() -> Self {
        Self {
            connections_max: l::METRICS_CONNECTIONS_MAX,
            per_peer_max: l::METRICS_CONNECTIONS_MAX,
            from_loopback_max: l::METRICS_CONNECTIONS_MAX,
            handshakes_max: l::METRICS_CONNECTIONS_MAX / 2,
            handshakes_per_peer_max: l::METRICS_CONNECTIONS_MAX / 2,
            ..Self::sandboxes()
        }
    }

    /// How often a connection is checked for being idle, or not being read.
    pub(crate) fn check_interval(&self) -> Duration {
        self.idle_timeout.min(self.unread_timeout) / 4
    }
}
