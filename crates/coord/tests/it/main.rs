//! One binary for every test of the crate's contract. What needs a Redis has `redis` in its path.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod conformance;
mod faulty;
mod held_lease;
mod memory;
mod open;
mod rate_limiter;
mod redis;
mod redis_faults;
mod support;
