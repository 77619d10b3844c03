//! Actions: invocations, the grants that replace an approval, and requests for such grants.

mod grant;
mod grant_request;
mod grant_tool;
mod invocation;
mod invocation_row;
mod json;

pub use grant::{GrantPatterns, GrantUse};
pub use grant_tool::{GrantedTool, GrantedTools};
pub use invocation::InboxItem;
pub use invocation_row::{InvocationMove, InvocationRecord, NewInvocation};

use crate::statement::Statement;

pub(crate) fn statements() -> Vec<&'static Statement> {
    [
        grant::STATEMENTS,
        grant_request::STATEMENTS,
        grant_tool::STATEMENTS,
        invocation::STATEMENTS,
    ]
    .concat()
}
