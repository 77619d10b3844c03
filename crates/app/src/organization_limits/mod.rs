//! Limits of organizations: read, set, and enforced where something begins. The operator sets ceilings, admins choose below
//! them (`domain::organization_limits`).
//!
//! INVARIANT: a limit is decided in the transaction that begins what it limits, under a lock that every other transaction
//! which begins the same takes: of many callers at once, on any instance, no more begin than may.

mod notices;
mod read;
mod start;
mod storage;
mod update;

pub(crate) use notices::{publish_notices, record_notices};
pub use read::{show, show_as_operator, show_ceiling};
pub use start::admit_start;
pub(crate) use start::lock_for_start;
pub(crate) use storage::add_stored;
pub use storage::{check_storage, count_snapshot, reserve_evidence, sweep_storage};
pub use update::{CeilingSetter, set_ceiling, update};
