//! Actions: invocations, the grants that replace an approval, and requests for such grants.

mod grant;
mod grant_request;
mod grant_tool;
mod invocation;
mod invocation_row;
mod json;

pub use grant::{
    GrantPatterns, GrantUse, grant_bind, grant_candidate_list, grant_delete_over, grant_fetch,
    grant_give_back, grant_insert, grant_page, grant_page_usable, grant_revoke, grant_spend,
    grant_unbound_list,
};
pub use grant_request::{
    grant_request_decide, grant_request_fetch, grant_request_insert, grant_request_page,
    grant_request_pending_count,
};
pub use grant_tool::{GrantedTool, GrantedTools, grant_tool_list};
pub use invocation::{
    HoldStanding, InboxItem, invocation_count, invocation_fetch, invocation_fetch_by_run,
    invocation_hold_standing, invocation_inbox, invocation_insert_all, invocation_list,
    invocation_list_since, invocation_move_all, invocation_overdue_list, invocation_page_of_grant,
    invocation_pending_list, invocation_sealed_params,
};
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
