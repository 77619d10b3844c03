//! Connectors over HTTP.

mod configuration;
mod create;
mod delete;
mod list;
mod presets;
mod review;
mod shape;
mod show;
mod tools;
mod update;
mod validate;

pub(crate) use configuration::*;
pub(crate) use create::*;
pub(crate) use delete::*;
pub(crate) use list::*;
pub(crate) use presets::*;
pub(crate) use review::*;
pub(super) use shape::connector;
pub(crate) use show::*;
pub(crate) use tools::*;
pub(crate) use update::*;
pub(crate) use validate::*;
