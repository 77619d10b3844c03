//! Actions: listing, invoking, deciding, and the inbox of an organization.

mod available;
mod decide;
mod invocation;
mod invoke;
mod mcp;
#[cfg(test)]
mod tests;

pub use available::{
    ActionParam, ActionParamType, ActionView, AvailableActions, AvailableIntegration,
    GuideResponse, UnavailableIntegration,
};
pub use decide::{
    ApprovalMode, ApproveRequest, ApproveResponse, ApprovedGrant, DeniedView, DenyManyRequest,
    DenyManyResponse, DenyRequest, GrantTerms,
};
pub use invocation::{
    ActionStatus, AuthorityKind, AuthorityView, InvocationResponse, InvocationView, OpenedCall,
    SuspendedGrantView,
};
pub use invoke::{
    InboxEntry, InboxQuery, InboxResponse, InvocationList, InvocationListQuery, InvokeRequest,
    InvokeResponse,
};
pub use mcp::McpQuery;

pub(crate) use invoke::present;

wire_enum! {
    /// How much harm an action can do: reads run, writes need an approval, danger is denied.
    RiskLevel = domain::action::Risk {
        Read = "read",
        Write = "write",
        Danger = "danger",
    }
}
