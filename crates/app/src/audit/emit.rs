//! Events for what people and services do with the product itself.

use domain::audit::{ActionType, Event, Outcome, SafeText};
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
        id: SafeText::new("event_id", app.event_id().to_string())?,
        at: app.now(),
        action: ActionType::System,
        outcome: Outcome::Success,
        reason: None,
        actor: who.actor()?,
        role: None,
        lane: None,
        case_id: None,
        run_id: None,
        parent_run_id: None,
        correlation_id: None,
        target: Some((
            SafeText::new("target.name", name)?,
            SafeText::new("target.operation", operation)?,
        )),
        versions: app.policy_versions(),
        rule: None,
        request_sha256: None,
        response_sha256: None,
        inputs: vec![],
        outputs: vec![],
        error: None,
    };
    record(tx, app, event, who.organization_id()).await
}
