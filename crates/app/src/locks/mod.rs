//! An organization's safety lock, and the tickets that lift a lane out of it for a time.
//!
//! The lock is a fact of every decision (`mediation/facts.rs`), looked up in its transaction: what is engaged or released
//! here counts for the next decision of every instance. A ticket is used by a mediated call
//! (`builtin/override_ticket.rs`), so that policy decides about it and the log says it.

mod lock;
mod sweep;
mod ticket;

pub use lock::{Locked, engage, release, show};
pub use sweep::sweep;
pub use ticket::{approve, close, fetch, list, open};

use domain::{
    audit::{ActionType, Event, Outcome, SafeText, Severity, Sha256Hex},
    canonical::canonical_bytes,
    policy::LaneId,
};
use serde_json::json;
use store::Tx;

use crate::{access::Acting, audit, context::App, error::Result};

/// Something to be recorded.
struct Deed<'a> {
    action: ActionType,
    operation: &'static str,
    /// Noun and id.
    target: String,
    lane: Option<&'a LaneId>,
    /// The admin's comment; the log keeps its digest.
    said: Option<&'a str>,
    /// Why it happened, as a word of ours.
    why: Option<&'static str>,
}

async fn record(tx: &mut Tx, app: &App, who: &impl Acting, deed: &Deed<'_>) -> Result<()> {
    let digest = |said: &str| {
        let request = json!({"operation": deed.operation, "target": &deed.target, "reason": said});
        Sha256Hex::of(&canonical_bytes(&request))
    };
    let event = Event {
        request_sha256: deed.said.map(digest),
        reason: deed
            .why
            .map(|why| SafeText::new("reason", why))
            .transpose()?,
        severity: Some(Severity::Warn),
        lane: deed.lane.cloned(),
        target: Some((
            SafeText::new("target.name", deed.target.as_str())?,
            SafeText::new("target.operation", deed.operation)?,
        )),
        ..Event::new(
            app.event_id(),
            app.now(),
            deed.action,
            Outcome::Success,
            who.actor()?,
            app.policy_versions(),
        )
    };
    audit::record(tx, event, who.organization_id(), None).await
}
