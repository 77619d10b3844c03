//! Cases: what work and its documents belong to.
//!
//! INVARIANT: only members see a case. Any other caller gets the answer that an unknown id gets, also an
//! admin; what an admin may do is add a member, and that is recorded.

mod client_session;
mod create;
mod members;
mod read;
mod records;

pub use client_session::client_session_create;
pub use create::{CaseCreated, NewCase, create};
pub use members::{member_add, member_remove};
pub use read::{CaseWithMembers, fetch, list};
pub use records::record_list;

use domain::{
    audit::{ActionType, Event, Outcome, SafeText},
    case::CaseMember,
    policy::CaseId,
};
use store::Tx;

use crate::{
    access::{AuditedActor, Insider},
    audit,
    context::App,
    error::{Error, Result},
};

/// How the caller is named among the members of a case.
fn member_of(insider: &Insider) -> Result<CaseMember> {
    let member = insider.member().parse();
    member.map_err(|_| Error::Forbidden("a service of this name cannot be a member of a case"))
}

/// Records in `tx` what was done to a case, in the case's own trail.
async fn done(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    operation: &'static str,
    case_id: &CaseId,
    target: String,
) -> Result<()> {
    let event = Event {
        case_id: Some(case_id.clone()),
        target: Some((
            SafeText::new("target.name", target)?,
            SafeText::new("target.operation", operation)?,
        )),
        ..Event::new(
            app.event_id(),
            app.now(),
            ActionType::System,
            Outcome::Success,
            who.actor()?,
            app.policy_versions(),
        )
    };
    audit::record(tx, event, who.organization_id(), None).await
}
