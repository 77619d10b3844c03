//! Actions: invocations, the grants that spare the asking, and requests for such grants.

mod grant;
mod grant_request;
mod invocation;
mod invocation_row;
mod json;

pub use grant::GrantUse;
pub use invocation::{InboxItem, InvocationMove, InvocationRecord, NewInvocation};

use crate::statement::Statement;

pub(crate) fn statements() -> Vec<&'static Statement> {
    [
        grant::STATEMENTS,
        grant_request::STATEMENTS,
        invocation::STATEMENTS,
    ]
    .concat()
}
