//! Grants over HTTP.

mod create;
mod list;
mod of_session;
mod requests;

pub(crate) use create::*;
pub(crate) use list::*;
pub(crate) use of_session::*;
pub(crate) use requests::*;

use app::grants::{LedgerEntry, SuspendedAction};
use wire::grant::{GrantView, SuspendedActionView};

fn grant_view(entry: &LedgerEntry) -> GrantView {
    let suspended = |one: &SuspendedAction| {
        SuspendedActionView::new(&one.integration, &one.action, &one.uncovered)
    };
    GrantView {
        suspended: entry.suspended.iter().map(suspended).collect(),
        suspended_truncated: entry.cut,
        ..GrantView::new(&entry.grant, entry.last_used_at)
    }
}
