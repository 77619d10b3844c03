//! One file per command. Each returns the document for stdout, or why there is none.

mod actions;
mod grant_request;
mod grants_list;
mod guide;
mod list;
mod request;
mod run;
pub(crate) mod services;
mod wait;

pub(crate) use self::actions::run;
