//! Closes tickets that have expired. They exempt no lane from that moment on, however late the sweep is: a decision
//! compares the time itself.

use domain::limits::OVERRIDE_SWEEP_BATCH_MAX;

use super::{LockChange, record, ticket::change};
use crate::{access::GatewayActor, context::App, error::Result};

/// Closes them, each with an event, and returns how many.
pub async fn sweep(app: &App) -> Result<usize> {
    let due = {
        let mut conn = app.db.read().await?;
        store::override_ticket_list_due(&mut conn, app.now(), OVERRIDE_SWEEP_BATCH_MAX).await?
    };
    let mut ended = 0;
    for ticket in due {
        let from = ticket.state.status();
        let ticket = ticket.seen_at(app.now());
        let mut tx = app.db.write().await?;
        // An admin may have closed it meanwhile.
        if !store::override_ticket_move(&mut tx, from, &ticket).await? {
            continue;
        }
        let change = LockChange {
            why: Some("expired"),
            ..change("override_ticket_expire", &ticket)
        };
        let itself = GatewayActor(ticket.organization_id.clone());
        record(&mut tx, app, &itself, &change).await?;
        tx.commit().await?;
        ended += 1;
    }
    Ok(ended)
}
