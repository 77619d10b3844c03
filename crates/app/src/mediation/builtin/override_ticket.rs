//! `override.enable` and `override.disable`: a lane is lifted out of the organization's lock, and put back. That the
//! ticket is one that can be used, and that the call brings the digests of what it changes, was decided before; what
//! happened meanwhile is found out here, where the ticket moves.

use domain::{
    clock::Timestamp,
    id::RunId,
    override_ticket::{NotMoved, OverrideTicket},
};
use tools::{Failure, Produced, Work};

use super::{database, invalid, no_input, parameters};
use crate::context::App;

/// What such a call says it changes: the digests that the ticket shows.
pub(in crate::mediation) const BEFORE: &str = "before_sha256";
pub(in crate::mediation) const AFTER: &str = "after_sha256";

pub(super) async fn enable(app: &App, work: &Work) -> Result<Produced, Failure> {
    step(app, work, OverrideTicket::enable).await
}

pub(super) async fn disable(app: &App, work: &Work) -> Result<Produced, Failure> {
    step(app, work, OverrideTicket::disable).await
}

async fn step(
    app: &App,
    work: &Work,
    step: impl FnOnce(OverrideTicket, RunId, Timestamp) -> Result<OverrideTicket, NotMoved>,
) -> Result<Produced, Failure> {
    no_input(work)?;
    parameters::only(&work.parameters, &[BEFORE, AFTER])?;
    let id = work.scope.override_ticket_id;
    let id = id.ok_or_else(|| invalid("the tool uses a ticket, and the call names none"))?;
    let mut tx = app.db.write().await.map_err(database)?;
    let ticket = tx.override_ticket_fetch(&work.scope.organization_id, id);
    let ticket = ticket.await.map_err(database)?;
    let ticket = ticket.ok_or_else(|| invalid("there is no such ticket"))?;
    let from = ticket.state.status();
    let ticket = step(ticket, work.scope.run_id, app.now())
        .map_err(|error| Failure::Conflict(meanwhile(error)))?;
    let moved = tx.override_ticket_move(from, &ticket).await;
    if !moved.map_err(database)? {
        return Err(Failure::Conflict("the ticket was used meanwhile"));
    }
    tx.commit().await.map_err(database)?;
    Ok(Produced::default())
}

/// What became of a ticket that could be used when that was decided.
const fn meanwhile(error: NotMoved) -> &'static str {
    match error {
        NotMoved::Expired => "the ticket's time is over",
        NotMoved::OwnTicket | NotMoved::Status(_) => "the ticket was used meanwhile",
    }
}
