//! Grants over HTTP.

mod create;
mod list;
mod of_session;
mod requests;

pub(crate) use create::*;
pub(crate) use list::*;
pub(crate) use of_session::*;
pub(crate) use requests::*;

use store::GrantUse;
use wire::grant::GrantView;

fn grant_view(used: &GrantUse) -> GrantView {
    GrantView::new(&used.grant, used.last_used_at)
}
