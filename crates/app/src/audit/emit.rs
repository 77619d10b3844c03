//! Events for what people and services do with the product itself.

use domain::{
    audit::{ActionType, Event, Outcome, SafeText},
    id::SessionId,
};
use store::Tx;
use uuid::Uuid;

use super::record;
use crate::{access::Acting, context::App, error::Result};

/// Records in `tx` that `who` did `operation`, such as `secret_update`: the target is its noun, with the
/// id where there is one. Who, what and when; never a name or a value that somebody chose.
pub async fn done(
    tx: &mut Tx,
    app: &App,
    who: &impl Acting,
    operation: &str,
    id: Option<Uuid>,
) -> Result<()> {
    let noun = operation
        .rsplit_once('_')
        .map_or(operation, |(noun, _)| noun);
    let name = id.map_or_else(|| noun.to_owned(), |id| format!("{noun}/{id}"));
    let event = Event {
        target: Some((
            SafeText::new("target.name", name)?,
            SafeText::new("target.operation", operation)?,
        )),
        ..Event::new(
            app.event_id(),
            app.now(),
            ActionType::System,
            Outcome::Success,
            who.actor()?,
            app.policy_versions(),
        )
    };
    // What is done to a session is part of its trail.
    let is_of_session = ["session", "session_budget", "session_env"].contains(&noun);
    let session_id = id.filter(|_| is_of_session).map(SessionId::from_uuid);
    record(tx, event, who.organization_id(), session_id).await
}
