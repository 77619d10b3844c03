//! What is listed and shown of an organization.

use domain::organization::OrganizationStatus;
use wire::organization::OrganizationView;

use crate::{
    fields::{List, seconds, text},
    printer::printable,
};

pub(super) const LIST: List<OrganizationView> = List {
    columns: &[
        ("ID", |view| text(&view.id)),
        ("NAME", |view| text(&view.name)),
        ("STATUS", |view| {
            text(&OrganizationStatus::from(view.status))
        }),
        ("OPERATES", |view| view.operates.then(|| "yes".to_owned())),
        ("CREATED", |view| Some(seconds(view.created_at))),
        ("NOTE", note),
    ],
    none: "no organizations; `proliferate setup` makes a link for the first one",
};

/// Why nothing starts in it, and until when that can be taken back.
fn note(view: &OrganizationView) -> Option<String> {
    let until = view.deletion_due_at.map(seconds);
    let until = until.map(|until| format!("can be restored until {until}"));
    until.or_else(|| view.suspension_reason.clone())
}

/// The organization as a sentence names it.
pub(super) fn named(view: &OrganizationView) -> String {
    format!("{} ({})", printable(&view.name), printable(&view.id))
}
