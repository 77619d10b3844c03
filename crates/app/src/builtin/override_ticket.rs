//! `override.enable` and `override.disable`: a lane is lifted out of the organization's lock, and put back. That the
//! ticket is one that can be used, and that the call brings the digests of what it changes, was decided before; what
//! happened meanwhile is found out here, where the ticket moves.

use domain::{
    clock::Timestamp,
    id::RunId,
    override_ticket::{AFTER_SHA256, BEFORE_SHA256, NotMoved, OverrideTicket},
};
use tools::{Failure, PermittedCall, Produced};

use super::parameters::{self, database, invalid, no_input};
use crate::context::App;

pub(super) async fn enable(app: &App, call: &PermittedCall) -> Result<Produced, Failure> {
    step(app, call, OverrideTicket::enable).await
}

pub(super) async fn disable(app: &App, call: &PermittedCall) -> Result<Produced, Failure> {
    step(app, call, OverrideTicket::disable).await
}

async fn step(
    app: &App,
    call: &PermittedCall,
    step: impl FnOnce(OverrideTicket, RunId, Timestamp) -> Result<OverrideTicket, NotMoved>,
) -> Result<Produced, Failure> {
    no_input(call)?;
    parameters::only(&call.parameters, &[BEFORE_SHA256, AFTER_SHA256])?;
    let id = call.scope.override_ticket_id;
    let id = id.ok_or_else(|| invalid("the tool uses a ticket, and the call names none"))?;
    let mut tx = app.db.write().await.map_err(database)?;
    let ticket = store::override_ticket_fetch(&mut tx, &call.scope.organization_id, id);
    let ticket = ticket.await.map_err(database)?;
    let ticket = ticket.ok_or_else(|| invalid("there is no such ticket"))?;
    let from = ticket.state.status();
    let ticket = step(ticket, call.scope.run_id, app.now())
        .map_err(|error| Failure::Conflict(meanwhile(error)))?;
    let moved = store::override_ticket_move(&mut tx, from, &ticket).await;
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
