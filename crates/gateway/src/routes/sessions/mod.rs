//! Sessions over HTTP.

mod create;
mod env;
mod list;
mod show;
mod snapshots;
mod status;
mod stop;
mod update;
mod usage;

pub(crate) use create::*;
pub(crate) use env::*;
pub(crate) use list::*;
pub(crate) use show::*;
pub(crate) use snapshots::*;
pub(crate) use status::*;
pub(crate) use stop::*;
pub(crate) use update::*;
pub(crate) use usage::*;
