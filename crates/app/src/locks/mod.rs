//! An organization's safety lock, and the tickets that exempt a lane from it for a time.
//!
//! The lock is a fact of every decision (`mediation/facts.rs`), looked up in its transaction: what is engaged or released
//! here counts for the next decision of every instance. A ticket is used by a mediated call
//! (`builtin/override_ticket.rs`), so that the policy decides about it and the log records it.

mod lock;
mod sweep;
mod ticket;

pub use lock::{LockStatus, engage, release, show};
pub use sweep::sweep;
pub use ticket::{approve, close, fetch, list, open};

use domain::{
    audit::{ActionType, Event, Outcome, SafeText, Severity, Sha256Hex},
    canonical::canonical_bytes,
    policy::LaneId,
};
use serde_json::json;
use store::Tx;

use crate::{access::AuditedActor, audit, context::App, error::Result};

/// A change of a lock or a ticket, to be recorded.
struct LockChange<'a> {
    action: ActionType,
    operation: &'static str,
    /// Noun and id.
    target: String,
    lane: Option<&'a LaneId>,
    /// The admin's comment; the log keeps its digest.
    comment: Option<&'a str>,
    /// Why it happened, as a word of ours.
    why: Option<&'static str>,
}

async fn record(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    change: &LockChange<'_>,
) -> Result<()> {
    let digest = |comment: &str| {
        let request =
            json!({"operation": change.operation, "target": &change.target, "reason": comment});
        Sha256Hex::of(&canonical_bytes(&request))
    };
    let event = Event {
        request_sha256: change.comment.map(digest),
        reason: change
            .why
            .map(|why| SafeText::new("reason", why))
            .transpose()?,
        severity: Some(Severity::Warn),
        lane: change.lane.cloned(),
        target: Some((
            SafeText::new("target.name", change.target.as_str())?,
            SafeText::new("target.operation", change.operation)?,
        )),
        ..Event::new(
            app.event_id(),
            app.now(),
            change.action,
            Outcome::Success,
            who.actor()?,
            app.policy_versions(),
        )
    };
    audit::record(tx, event, who.organization_id(), None).await
}
