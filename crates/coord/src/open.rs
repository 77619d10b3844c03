//! From a URL to an implementation. Owns the known schemes; the implementations are elsewhere.
//!
//! INVARIANT: the URL appears in no error, because it may contain a password.

use std::sync::Arc;

use domain::clock::Clock;

use crate::{
    coordination::Coordination, error::Error, memory::MemoryCoordination, redis::RedisCoordination,
};

/// `memory://` for a single instance; `redis://` or `rediss://` (TLS) for several. Connects on first
/// use: [`Coordination::ping`] checks whether it works. Must be called inside a Tokio runtime.
pub fn open(url: &str, clock: Arc<dyn Clock>) -> Result<Arc<dyn Coordination>, Error> {
    let scheme = url.split_once("://").map(|(scheme, _)| scheme);
    match scheme {
        Some("memory") if url == "memory://" => Ok(Arc::new(MemoryCoordination::new(clock))),
        Some("memory") => Err(Error::InvalidUrl {
            reason: "memory:// takes nothing after it",
        }),
        Some("redis" | "rediss") => Ok(Arc::new(RedisCoordination::new(url)?)),
        _ => Err(Error::InvalidUrl {
            reason: "expected memory://, redis://.. or rediss://..",
        }),
    }
}
