//! Actions over HTTP: an agent requests, approvers decide, users of the session view.

mod available;
mod decide;
mod deny_many;
mod inbox;
mod invocations;
mod invoke;
mod open;
mod view;

pub(crate) use available::*;
pub(crate) use decide::*;
pub(crate) use deny_many::*;
pub(crate) use inbox::*;
pub(crate) use invocations::*;
pub(crate) use invoke::*;
pub(crate) use open::*;

pub(in crate::routes) use view::invocation_view;
