//! Bounds that only this crate has a use for; the shared ones are in `domain::limits`.

use std::time::Duration;

/// Live entries of one kind kept by the in-process implementation. A lease or a window takes about
/// 100 bytes: 10 MB, and far more sessions than one process can run.
pub(crate) const MEMORY_ENTRIES_MAX: usize = 100_000;

/// Subscriptions in one process, all topics together: ten for each of a thousand live sessions.
pub(crate) const SUBSCRIPTIONS_MAX: usize = 10_000;

/// Bytes waiting for one subscriber. Without it 1,024 messages of the largest size are 256 MB.
pub(crate) const SUBSCRIPTION_QUEUE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Topics named in one SUBSCRIBE, so that resubscribing thousands makes progress within a timeout.
pub(crate) const TOPICS_PER_COMMAND_MAX: usize = 512;

/// Instances returned by one listing: fifty times the fleet that the database connections allow.
pub(crate) const INSTANCES_MAX: usize = 1000;

/// How often the connection that receives messages is checked, and how long sent bytes may stay
/// unacknowledged. A peer that vanished without closing is noticed after this and one timeout.
pub(crate) const CONNECTION_CHECK_EVERY: Duration = Duration::from_secs(5);

/// Longest life that may be asked for. Redis rejects lives that overflow its clock.
pub(crate) const LIFE_MAX: Duration = Duration::from_hours(24 * 365);
