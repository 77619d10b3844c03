//! The provider's name in handles and snapshots.

pub const NAME: &str = "local";
