//! Where an override ticket is, and what is listed and shown of it.

use domain::{id::OverrideTicketId, override_ticket::OverrideTicketStatus};
use wire::override_ticket::OverrideTicketView;

use crate::fields::{List, Record, seconds, text};

pub(super) const PATH: &str = "/v1/override-tickets";

pub(super) const LIST: List<OverrideTicketView> = List {
    columns: &[
        ("ID", |ticket| text(&ticket.id)),
        ("STATUS", status),
        ("LANE", |ticket| text(&ticket.lane_id)),
        ("MINUTES", |ticket| text(&ticket.minutes)),
        ("UNTIL", |ticket| ticket.expires_at.map(seconds)),
        ("OPENED BY", |ticket| text(&ticket.opened_by)),
        ("APPROVED BY", |ticket| ticket.approved_by.clone()),
    ],
    none: "no tickets",
};

pub(super) const RECORD: Record<OverrideTicketView> = Record {
    facts: &[
        ("ticket", |ticket| text(&ticket.id)),
        ("status", status),
        ("lane", |ticket| text(&ticket.lane_id)),
        ("minutes", |ticket| text(&ticket.minutes)),
        ("reason", |ticket| text(&ticket.reason)),
        ("opened by", |ticket| text(&ticket.opened_by)),
        ("approved by", |ticket| ticket.approved_by.clone()),
        ("until", |ticket| ticket.expires_at.map(seconds)),
        ("ended", |ticket| ticket.ended_at.map(seconds)),
        ("closed by", |ticket| ticket.closed_by.clone()),
    ],
    repeated: &[],
};

pub(super) fn path_of(id: OverrideTicketId) -> String {
    format!("{PATH}/{id}")
}

fn status(ticket: &OverrideTicketView) -> Option<String> {
    text(&OverrideTicketStatus::from(ticket.status))
}
