//! Bounds of connections to the gateway: how many, per peer, and how long one may be silent. The listener for users and
//! the listener for sandboxes have separate limits: neither can exhaust the other.

use std::time::Duration;

/// Open connections on the user listener of one instance. An idle one costs some ten kilobytes.
pub const CONNECTIONS_MAX: usize = 10_000;
/// Of them, those of one peer (an IPv4 address, an IPv6 /64): an office behind one address has some hundred users
/// with a few connections each.
pub const CONNECTIONS_PER_PEER_MAX: usize = 1_000;
/// Of them, those from this machine. On a laptop all clients are local, and so is a proxy on the same machine.
pub const CONNECTIONS_FROM_LOOPBACK_MAX: usize = 5_000;
/// Connections without a complete request so far, in total and per peer. A client sends its request at once, so that
/// the oldest of these are closed when there are more.
pub const HANDSHAKES_MAX: usize = 1_000;
pub const HANDSHAKES_PER_PEER_MAX: usize = 200;

/// Open connections on the sandbox listener: 500 live sessions with eight each.
pub const SANDBOX_CONNECTIONS_MAX: usize = 4_000;
/// Of them, those of one peer, which is one sandbox where sandboxes have addresses of their own. An agent has a dozen.
pub const SANDBOX_CONNECTIONS_PER_PEER_MAX: usize = 250;
/// Of them, those from this machine's own address: all sandboxes of the rootless tier.
pub const SANDBOX_CONNECTIONS_FROM_LOOPBACK_MAX: usize = 2_000;
/// Of them, those that one sandbox token opened, whatever address they come from.
pub const SANDBOX_CONNECTIONS_PER_SESSION_MAX: usize = 64;
/// Those without a complete request so far, in all and of one peer.
pub const SANDBOX_HANDSHAKES_MAX: usize = 500;
pub const SANDBOX_HANDSHAKES_PER_PEER_MAX: usize = 50;

/// Connections of the metrics listener: a few collectors.
pub const METRICS_CONNECTIONS_MAX: usize = 64;

/// Longest until a connection has sent its first byte. On a slow line the handshake of TCP takes longer than
/// this byte.
pub const CONNECTION_FIRST_BYTE_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest until the head of its first request is complete.
pub const CONNECTION_FIRST_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a connection without a request under way is kept. Load balancers keep theirs for 60 s: one that is closed
/// here first would lose the request that is sent just then.
pub const CONNECTION_IDLE_TIMEOUT: Duration = Duration::from_secs(75);
/// How long a client may leave a response unread. One that reads slowly continues, one that does not read is
/// disconnected.
pub const CONNECTION_UNREAD_TIMEOUT: Duration = Duration::from_mins(1);
/// How long a connection has to close gracefully.
pub const CONNECTION_CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Requests at once on one HTTP/2 connection: a browser opens some dozens.
pub const HTTP2_STREAMS_MAX: u32 = 100;
/// The same for a sandbox.
pub const SANDBOX_HTTP2_STREAMS_MAX: u32 = 32;
/// Bytes that a client may send ahead on one HTTP/2 connection: enough for 10 MB/s over a line of 100 ms.
pub const HTTP2_WINDOW_BYTES: u32 = 1024 * 1024;
/// The same for a sandbox, which is near.
pub const SANDBOX_HTTP2_WINDOW_BYTES: u32 = 256 * 1024;
/// Streams that a client opened and reset before they were looked at; more end the connection.
pub const HTTP2_RESET_STREAMS_MAX: usize = 20;
/// Streams that the gateway had to reset because of the client's mistakes; more end the connection.
pub const HTTP2_ERROR_STREAMS_MAX: usize = 64;
/// Bytes of the head of a request. A token of ours has 400, a browser's cookies a few thousand.
pub const REQUEST_HEAD_BYTES_MAX: usize = 64 * 1024;
/// Bytes of a response that wait for one HTTP/2 stream.
pub const HTTP2_SEND_BUFFER_BYTES: usize = 64 * 1024;

/// Requests at once that one client address may have, as a part of those that a listener serves.
pub const REQUESTS_PER_PEER_PART: usize = 4;
/// The same for this machine's own address.
pub const REQUESTS_FROM_LOOPBACK_PART: usize = 2;
/// Addresses in `X-Forwarded-For` that are looked at; a request passes a handful of proxies.
pub const FORWARDED_ADDRESSES_MAX: usize = 32;
/// Networks of proxies that can be configured; each is compared with every connection.
pub const TRUSTED_PROXIES_MAX: usize = 100;
