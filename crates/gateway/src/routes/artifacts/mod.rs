//! Artifacts over HTTP.

mod content;
mod list;
mod show;
mod upload;

pub(crate) use content::*;
pub(crate) use list::*;
pub(crate) use show::*;
pub(crate) use upload::*;
