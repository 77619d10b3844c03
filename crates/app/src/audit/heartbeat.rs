//! Records a heartbeat each hour in a log in which nothing happened. Without it an auditor could not tell a quiet
//! hour from one that was cut out, or from a recorder that stood still.

use domain::{
    audit::{ActionType, Actor, Event, Outcome, SafeText},
    id::OrganizationId,
    limits::AUDIT_HEARTBEAT_EVERY,
    policy::RoleClass,
};

use super::{record, sequence};
use crate::{context::App, error::Result};

/// Records one if the last event of the log is an hour old, and gives it its place. One look into an index
/// otherwise.
pub(super) async fn heartbeat(app: &App, organization_id: &OrganizationId) -> Result<bool> {
    let end = {
        let mut conn = app.db.read().await?;
        store::audit_end(&mut conn, organization_id).await?
    };
    let quiet = end.is_some_and(|end| end.at.plus(AUDIT_HEARTBEAT_EVERY) <= app.now());
    if !quiet {
        return Ok(false);
    }
    let actor = Actor {
        class: RoleClass::System,
        id: SafeText::new("actor_id", "sequencer")?,
    };
    let (action, outcome) = (ActionType::System, Outcome::Success);
    let versions = app.policy_versions();
    let event = Event {
        target: Some((
            SafeText::new("target.name", "audit")?,
            SafeText::new("target.operation", "audit_heartbeat")?,
        )),
        ..Event::new(app.event_id(), app.now(), action, outcome, actor, versions)
    };
    let mut tx = app.db.write().await?;
    record(&mut tx, event, organization_id, None).await?;
    tx.commit().await?;
    sequence(app, organization_id).await?;
    Ok(true)
}
