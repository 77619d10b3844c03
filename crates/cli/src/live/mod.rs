//! A live session in the terminal: what is shown of it, and what a line that the user types means.

mod input;
mod pending_calls;
mod view;
mod watch;

pub(crate) use input::{Input, TypedLine};
pub(crate) use pending_calls::{PendingCall, PendingCalls};
pub(crate) use view::View;
pub(crate) use watch::{Answers, Until, Watch, send};
