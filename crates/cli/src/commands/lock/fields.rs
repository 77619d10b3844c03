//! What is shown of the safety lock.

use wire::safety_lock::SafetyLockView;

use crate::fields::{Record, seconds, text};

pub(super) const PATH: &str = "/v1/safety-lock";

pub(super) const RECORD: Record<SafetyLockView> = Record {
    facts: &[
        ("lock", |view| {
            text(if view.engaged { "engaged" } else { "open" })
        }),
        ("by", |view| {
            view.installation
                .then(|| "an operator, for every organization".to_owned())
        }),
        ("by", |view| text(&view.lock.as_ref()?.engaged_by)),
        ("since", |view| {
            Some(seconds(view.lock.as_ref()?.engaged_at))
        }),
        ("reason", |view| text(&view.lock.as_ref()?.reason)),
    ],
    repeated: &[("lifted", lifted)],
};

/// Lanes that a ticket exempts, and for how long.
fn lifted(view: &SafetyLockView) -> Vec<String> {
    let tickets = view.lifted.iter();
    let lanes = tickets.map(|ticket| {
        let until = ticket.expires_at.map(seconds).unwrap_or_default();
        format!("{} until {until}", ticket.lane_id)
    });
    lanes.collect()
}
