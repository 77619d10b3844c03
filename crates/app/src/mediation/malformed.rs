//! Requests that are no call: they have no run, and leave both events.

use domain::{
    audit::{ActionType, Actor, Event, Outcome, SafeText},
    caller::Caller,
    policy::{LaneId, Operation, PolicyVersions, Principal},
    run::{RunError, RunErrorCode},
};
use store::NewAuditEvent;

use super::{commit, events::word, identify::principal};
use crate::{audit::prepare, context::App, error::Result};

/// A request that cannot be decided.
#[derive(Debug)]
pub(crate) struct MalformedCall {
    /// What is wrong, as a sentence for the caller.
    pub(crate) message: String,
    pub(crate) operation: Option<Operation>,
    pub(crate) lane_id: Option<LaneId>,
    pub(crate) correlation_id: Option<SafeText<120>>,
}

impl MalformedCall {
    /// A request that is not JSON, or JSON of another shape. `member` is the wrong member, where one can be named.
    pub(crate) fn shapeless(member: Option<&'static str>) -> Self {
        let message = match member {
            None => "the body is not a tool call".to_owned(),
            Some(member) => format!("{member} is missing or not what it should be"),
        };
        Self {
            message,
            operation: None,
            lane_id: None,
            correlation_id: None,
        }
    }

    /// Records both events, and returns the error for the caller.
    pub(crate) async fn record(&self, app: &App, caller: &Caller) -> Result<RunError> {
        let principal = principal(caller)?;
        let error = RunError::new(RunErrorCode::InvalidRequest, &self.message, false);
        let events = events(app, caller, &principal, self, &error)?;
        commit::record_events(app, events).await?;
        Ok(error)
    }
}

/// The `authz_decision` and the `tool_call` event.
fn events(
    app: &App,
    caller: &Caller,
    principal: &Principal,
    malformed: &MalformedCall,
    error: &RunError,
) -> Result<Vec<NewAuditEvent>> {
    let reason = word("invalid_request")?;
    let versions = app.policy.current().versions().clone();
    let base = |action, outcome, versions: PolicyVersions| -> Result<Event> {
        let actor = Actor {
            class: principal.class,
            id: SafeText::new("actor_id", principal.actor_id.clone())?,
        };
        let mut event = Event::new(app.event_id(), app.now(), action, outcome, actor, versions);
        event.reason = Some(reason.clone());
        event.role = Some(principal.role.clone());
        event.lane.clone_from(&malformed.lane_id);
        event.correlation_id.clone_from(&malformed.correlation_id);
        if let Some(operation) = &malformed.operation {
            let operation = SafeText::new("target.operation", operation.as_str())?;
            let name = SafeText::new("target.name", operation.as_str())?;
            event.target = Some((name, operation));
        }
        Ok(event)
    };
    let decision = base(ActionType::AuthzDecision, Outcome::Deny, versions.clone())?;
    let mut result = base(ActionType::ToolCall, Outcome::Failure, versions)?;
    result.error = Some((error.code, error.retryable));
    let session_id = match caller {
        Caller::Sandbox { session_id, .. } => Some(*session_id),
        Caller::User { .. } | Caller::Service { .. } => None,
    };
    [decision, result]
        .into_iter()
        .map(|event| prepare(event, caller.organization_id(), session_id))
        .collect()
}
