//! Events for what members and services do with the product itself.

use domain::{
    audit::{ActionType, Change, Event, Outcome, SafeText, Severity, Sha256Hex},
    id::{OrganizationId, SessionId, UserId},
    identity_provider::LastOf,
    role::Role,
};
use store::Tx;
use uuid::Uuid;

use super::record;
use crate::{access::AuditedActor, context::App, error::Result};

/// The noun of an operation, such as `secret` of `secret_update`.
pub(super) fn noun(operation: &str) -> &str {
    operation
        .rsplit_once('_')
        .map_or(operation, |(noun, _)| noun)
}

/// Records in `tx` that `who` did `operation`, such as `secret_update`: the target is its noun, with the
/// id where there is one. Who, what and when; never a name or a value that a caller chose.
pub async fn record_operation(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    operation: &str,
    id: Option<Uuid>,
) -> Result<()> {
    write(tx, app, who, (operation, id), None).await
}

/// The same of what was done about a request, whose digest the event has.
pub async fn record_operation_about(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    (operation, id): (&str, Uuid),
    request_sha256: Sha256Hex,
) -> Result<()> {
    write(tx, app, who, (operation, Some(id)), Some(request_sha256)).await
}

async fn write(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    (operation, id): (&str, Option<Uuid>),
    request_sha256: Option<Sha256Hex>,
) -> Result<()> {
    let noun = noun(operation);
    let name = id.map_or_else(|| noun.to_owned(), |id| format!("{noun}/{id}"));
    let event = Event {
        request_sha256,
        ..event(app, who, operation, name)?
    };
    // What is done to a session is part of its trail.
    let is_of_session = noun == "session" || noun.starts_with("session_");
    let session_id = id.filter(|_| is_of_session).map(SessionId::from_uuid);
    record(tx, event, who.organization_id(), session_id).await
}

/// Records in `tx` that `who` changed what a member may do: who it is, and the roles before and after. `None` before
/// stands for no member.
pub async fn record_member_change(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    operation: &str,
    member: &UserId,
    (from, to): (Option<Role>, Role),
) -> Result<()> {
    let word = |role: Role| SafeText::new("role", role.as_str());
    let event = Event {
        change: Some(Change {
            from: from.map(word).transpose()?,
            to: Some(word(to)?),
        }),
        ..event(app, who, operation, format!("member/{member}"))?
    };
    record(tx, event, who.organization_id(), None).await
}

/// Records in `tx` that a member keeps a role that `who` would have lowered: the roles now and wanted.
pub(crate) async fn record_role_kept(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    member: &UserId,
    (now, wanted): (Role, Role),
    why: LastOf,
) -> Result<()> {
    let word = |role: Role| SafeText::new("role", role.as_str());
    let event = Event {
        outcome: Outcome::Deny,
        reason: Some(SafeText::new("outcome_reason", why.as_str())?),
        severity: Some(Severity::Warn),
        change: Some(Change {
            from: Some(word(now)?),
            to: Some(word(wanted)?),
        }),
        ..event(app, who, "member_update", format!("member/{member}"))?
    };
    record(tx, event, who.organization_id(), None).await
}

/// Records in `tx` that `who` changed something of a session, in its trail: the operation, the target as `noun/id`, and
/// the closed words before and after, if there are any.
pub async fn record_session_change(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    session_id: SessionId,
    (operation, target): (&str, impl Into<String> + Send),
    change: (Option<&str>, Option<&str>),
) -> Result<()> {
    let event = changed(app, who, (operation, target.into()), change)?;
    record(tx, event, who.organization_id(), Some(session_id)).await
}

/// The same of what is no part of a session.
pub async fn record_change(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    (operation, target): (&str, impl Into<String> + Send),
    change: (Option<&str>, Option<&str>),
) -> Result<()> {
    let event = changed(app, who, (operation, target.into()), change)?;
    record(tx, event, who.organization_id(), None).await
}

fn changed(
    app: &App,
    who: &impl AuditedActor,
    (operation, target): (&str, String),
    (from, to): (Option<&str>, Option<&str>),
) -> Result<Event> {
    let word = |word: Option<&str>| word.map(|word| SafeText::new("change", word)).transpose();
    let (from, to) = (word(from)?, word(to)?);
    Ok(Event {
        change: (from.is_some() || to.is_some()).then_some(Change { from, to }),
        ..event(app, who, operation, target)?
    })
}

/// Records in `tx` that `who` ended a membership: whose, the role until now, and which member the sessions and automations
/// went to.
pub async fn record_member_end(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    (member, role): (&UserId, Role),
    successor: &UserId,
) -> Result<()> {
    let end = Event {
        change: Some(Change {
            from: Some(SafeText::new("role", role.as_str())?),
            to: None,
        }),
        ..event(app, who, "member_remove", format!("member/{member}"))?
    };
    record(tx, end, who.organization_id(), None).await?;
    let successor = event(app, who, "member_succeed", format!("member/{successor}"))?;
    record(tx, successor, who.organization_id(), None).await
}

/// Records in `tx` that `who` had the name and address of a former member erased.
pub async fn record_member_erasure(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    member: &UserId,
) -> Result<()> {
    let erasure = event(app, who, "member_erase", format!("member/{member}"))?;
    record(tx, erasure, who.organization_id(), None).await
}

/// Records in `tx` that `who` did `operation` on an organization, which may be another one than its own.
pub async fn record_organization_change(
    tx: &mut Tx,
    app: &App,
    who: &impl AuditedActor,
    operation: &str,
    id: &OrganizationId,
) -> Result<()> {
    let event = event(app, who, operation, format!("organization/{id}"))?;
    record(tx, event, who.organization_id(), None).await
}

fn event(app: &App, who: &impl AuditedActor, operation: &str, target: String) -> Result<Event> {
    Ok(Event {
        target: Some((
            SafeText::new("target.name", target)?,
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
    })
}
