//! Shared state of running instances: leases, rate windows, messages, live instances.
//!
//! Owns the [`Coordination`] contract, its two implementations (in-process and Redis) and the two
//! tools built on it: [`HeldLease`] and [`RateLimiter`]. Owns nothing durable: all of this may be
//! lost at any time, and state that must survive is in the store.
//!
//! Invariants kept here: an expired lease is never reported as held; every queue and map is
//! bounded; dropped or missed messages are reported to their subscriber.

mod coordination;
mod error;
mod expiring;
mod lease;
mod memory;
mod open;
mod queue;
mod rate;
mod redis;
mod topics;

pub use coordination::{Acquisition, Coordination, Counted, Renewal};
pub use error::Error;
pub use lease::{Attempt, HeldLease, LeaseTerms, Loss};
pub use memory::MemoryCoordination;
pub use open::open;
pub use queue::{Delivery, Subscription};
pub use rate::{Admission, RateLimiter};
pub use redis::RedisCoordination;
