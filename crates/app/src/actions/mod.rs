//! Actions: what an agent does in outside services. Invoking one, deciding about it, executing it.
//!
//! ```text
//! target.rs    integration and action by name  ->  what executes it, its risk, the check of its parameters
//! invoke.rs    the entry of the mediated call: executed at once, held for approval, or denied
//! open.rs      all of a call, from its sealed form, for an admin who decides it
//! decide.rs    an admin approves or denies what was on the screen; an approved call is mediated again
//! execute.rs   the executor: the integration spends the permit; its answer, as it is stored and returned
//! offer.rs     what a session can do, and the guides to it
//! list.rs      invocations, as members and agents see them
//! sweep.rs     invocations that no admin decided in time
//! ```
//!
//! INVARIANT: an invocation is executed by the mediated call alone (`mediation::run`), under an authority that is stored in
//! the transaction that claims it; the effect comes after the commit. Everything shown of an invocation is redacted, and
//! its executable parameters are sealed until the call has run.

mod decide;
mod execute;
mod invoke;
mod list;
mod offer;
mod open;
pub(crate) mod schemas;
mod sweep;
mod target;

use domain::{caller::Caller, id::SessionId};

pub use ::integrations::{Param, ParamType};
pub use decide::{ActionApproval, ActionDenial, ApprovalResult, approve, deny};
pub use invoke::{InvocationRequest, invoke};
pub use list::{InvocationFilter, InvocationResult, fetch, inbox, list, whole_result};
pub use offer::{
    IntegrationOffer, OfferedAction, SessionActions, UnreachableIntegration, available, guide,
};
pub use open::{OpenedCall, open};
pub use sweep::expire;

pub(crate) use decide::call_of;

pub(crate) use sweep::end_with_session;

use crate::{
    access::{Insider, SessionAccess},
    context::App,
    error::{Error, Result},
    sessions,
};

/// Requires that the caller sees the session: an agent its own, a member by its visibility; another does not exist for
/// them. A service may not.
pub async fn check_session_access(app: &App, caller: &Caller, session_id: SessionId) -> Result<()> {
    if let Caller::Service { .. } = caller {
        let message = "only people and the session's own agent may do this";
        return Err(Error::Forbidden(message));
    }
    SessionAccess::of_caller(app, caller, session_id)
        .await
        .map(drop)
}

/// The same for a call in the session: a member must be one who may steer it. Members who may only watch spend
/// none of its grants and none of its rate limit.
pub async fn check_session_steering(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
) -> Result<()> {
    check_session_access(app, caller, session_id).await?;
    if let Caller::User { .. } = caller {
        sessions::steer(app, &Insider::of(caller)?, session_id).await?;
    }
    Ok(())
}
