//! Cases over HTTP.

mod client_sessions;
mod create;
mod list;
mod members;
mod records;
mod show;

pub(crate) use client_sessions::*;
pub(crate) use create::*;
pub(crate) use list::*;
pub(crate) use members::*;
pub(crate) use records::*;
pub(crate) use show::*;
