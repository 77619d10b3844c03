//! The safety lock and its tickets over HTTP.

mod lock;
mod tickets;

pub(crate) use lock::*;
pub(crate) use tickets::*;
