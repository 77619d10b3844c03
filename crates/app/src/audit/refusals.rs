//! Records refused requests in the log of the caller's organization. An event holds what the caller requested, never
//! what is stored, so that it shows and changes nothing of another organization.
//!
//! The first of its kind is recorded before it is answered. Repetitions within a minute are counted and recorded as one
//! event with the count ([`domain::audit::Refusals`]), so that refused requests can fill neither the log nor the disk.

use std::time::Duration;

use domain::{
    audit::{ActionType, Actor, Event, Folded, Outcome, Refused, SafeText, Severity},
    caller::Caller,
    id::{OrganizationId, SessionId},
    limits::{AUDIT_REFUSALS_FOLD_EVERY, AUDIT_REFUSALS_RECORD_MAX},
    sharing::SessionViewer,
};
use tokio_util::sync::CancellationToken;

use super::{emit::noun, record};
use crate::{
    access::{AuditedActor as _, GatewayActor, Participant},
    context::App,
    error::Result,
};

/// What requests that there was no room to tell apart are recorded as.
const MANY: &str = "request_many";

/// A request that the gateway refused.
#[derive(Debug)]
pub struct RefusedRequest {
    /// Its name in the API, such as `action_approve`.
    pub operation: String,
    /// What it names, such as `action/ID`, if it names anything by an id.
    pub subject: Option<String>,
    /// The session it names. It counts if it is one of the caller's organization.
    pub session_id: Option<SessionId>,
}

/// Records that `caller` was refused `request`, or counts it. A log that cannot be written now is written with the next
/// fold: the refusal itself waits for nothing else.
pub async fn record_refusal(
    app: &App,
    caller: &Caller,
    request: RefusedRequest,
    status: u16,
    reason: &'static str,
) {
    let refused = match describe(caller, request, status, reason) {
        Ok(refused) => refused,
        Err(error) => {
            count_refusal(reason);
            tracing::warn!(%error, "a refused request cannot be put on record");
            return;
        }
    };
    record_refused(app, caller.organization_id(), refused).await;
}

/// Counts a refusal that no organization has the record of.
pub(crate) fn count_refusal(reason: &'static str) {
    metrics::counter!("proliferate_refused_requests_total", "reason" => reason).increment(1);
}

/// Records that a request without a caller was refused what an organization offers, such as an invitation that was used.
/// The organization must follow from a secret that the request holds, or every client could write into its log.
pub(crate) async fn record_anonymous_refusal(
    app: &App,
    organization_id: &OrganizationId,
    (operation, subject): (&str, String),
    (status, reason): (u16, &'static str),
) {
    let Ok(actor) = GatewayActor(organization_id.clone()).actor() else {
        return count_refusal(reason);
    };
    let refused = Refused {
        actor,
        operation: operation.to_owned(),
        subject,
        session_id: None,
        status,
        reason,
    };
    record_refused(app, organization_id, refused).await;
}

/// Records a refusal in the log of an organization, or counts it: also one of a request without a caller.
pub(crate) async fn record_refused(app: &App, organization_id: &OrganizationId, refused: Refused) {
    count_refusal(refused.reason);
    if !app.refusals().lock().note(organization_id, &refused) {
        return;
    }
    let folded = Folded {
        refused: Some(refused),
        count: 1,
    };
    let recorded = tokio::time::timeout(
        AUDIT_REFUSALS_RECORD_MAX,
        write(app, organization_id, &folded),
    );
    if !matches!(recorded.await, Ok(Ok(()))) {
        put_back(app, organization_id, &folded);
    }
}

/// Records what was counted since the last fold.
pub async fn fold_refusals(app: &App) {
    let taken = app.refusals().lock().take();
    for (organization_id, folded) in taken {
        if write(app, &organization_id, &folded).await.is_err() {
            put_back(app, &organization_id, &folded);
        }
    }
}

/// Folds every minute until `stop`, and once more at the end.
pub async fn fold_until(app: App, stop: CancellationToken) {
    let every: Duration = AUDIT_REFUSALS_FOLD_EVERY;
    while stop
        .run_until_cancelled(tokio::time::sleep(every))
        .await
        .is_some()
    {
        fold_refusals(&app).await;
    }
    fold_refusals(&app).await;
}

fn put_back(app: &App, organization_id: &OrganizationId, folded: &Folded) {
    tracing::warn!(%organization_id, count = folded.count,
        "refused requests were not put on record; the next fold tries again");
    app.refusals().lock().put_back(organization_id, folded);
}

fn describe(
    caller: &Caller,
    request: RefusedRequest,
    status: u16,
    reason: &'static str,
) -> Result<Refused> {
    let own = match caller {
        Caller::Sandbox { session_id, .. } => Some(*session_id),
        Caller::User { .. } | Caller::Service { .. } => None,
    };
    // A name that the log has no room for is left out; what was asked for is known all the same.
    let subject = request.subject.filter(|subject| name(subject).is_ok());
    Ok(Refused {
        actor: Participant::of(caller)?.actor()?,
        subject: subject.unwrap_or_else(|| noun(&request.operation).to_owned()),
        operation: request.operation,
        session_id: own.or(request.session_id),
        status,
        reason,
    })
}

fn name(text: &str) -> Result<SafeText<200>> {
    Ok(SafeText::new("target.name", text)?)
}

async fn write(app: &App, organization_id: &OrganizationId, folded: &Folded) -> Result<()> {
    let mut tx = app.db.write().await?;
    let mut session_id = None;
    let event = if let Some(refused) = &folded.refused {
        if let Some(id) = refused.session_id {
            let asked = [(organization_id, id, SessionViewer::All)];
            let known = store::fact_sessions(&mut tx, &asked).await?;
            session_id = Some(id).filter(|_| known == [true]);
        }
        let target = (refused.subject.as_str(), refused.operation.as_str());
        let word = refused.reason.to_ascii_lowercase();
        event(app, refused.actor.clone(), target, &word, refused.status)?
    } else {
        let actor = GatewayActor(organization_id.clone()).actor()?;
        event(app, actor, ("request", MANY), "refused", 429)?
    };
    let event = Event {
        count: Some(folded.count).filter(|count| *count > 1),
        ..event
    };
    record(&mut tx, event, organization_id, session_id).await?;
    tx.commit().await?;
    Ok(())
}

fn event(
    app: &App,
    actor: Actor,
    (target, operation): (&str, &str),
    reason: &str,
    status: u16,
) -> Result<Event> {
    // Denied is who may not, or may not now; all else failed.
    let outcome = match status {
        402..=404 | 429 => Outcome::Deny,
        _ => Outcome::Failure,
    };
    Ok(Event {
        reason: Some(SafeText::new("outcome_reason", reason)?),
        severity: Some(Severity::Warn),
        target: Some((name(target)?, SafeText::new("target.operation", operation)?)),
        ..Event::new(
            app.event_id(),
            app.now(),
            ActionType::System,
            outcome,
            actor,
            app.policy_versions(),
        )
    })
}
