//! What instances agree on while they run: leases, rate windows, messages, who is alive.
//!
//! Owns the [`Coordination`] contract, its two implementations (in-process and Redis) and the two
//! tools built on it: [`HeldLease`] and [`RateLimiter`]. Owns nothing durable: all of this may
//! vanish at any moment, and what must survive that is in the store.
//!
//! Invariants kept here: a holder is never told that it holds a lease which may have expired; every
//! queue and map is bounded; what is dropped or missed is told to whom it concerns.

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
