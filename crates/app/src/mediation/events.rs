//! The events of a call: `authz_decision` when it is decided, `tool_call` when it has ended.

use domain::{
    audit::{ActionType, Actor, Event, Outcome, SafeText},
    caller::Caller,
    clock::Timestamp,
    policy::{PolicyVersions, Principal, RuleId},
    run::{Run, RunError, RunState},
};
use store::NewAuditEvent;

use super::attempt::Malformed;
use crate::{audit::prepare, context::App, error::Result, policy::Policy};

/// What the events of a run have in common.
#[derive(Debug)]
pub(super) struct Story<'a> {
    pub(super) app: &'a App,
    pub(super) run: &'a Run,
    pub(super) agent_name: Option<&'a SafeText<120>>,
    /// What it was decided under: the policy of the run, and the one in force where that is another.
    pub(super) pinned: &'a Policy,
    pub(super) current: &'a Policy,
    pub(super) at: Timestamp,
}

impl Story<'_> {
    /// What was decided. A call that waits for a person is allowed by its lane, for a reason of its own.
    pub(super) fn decision(
        &self,
        rule: Option<RuleId>,
        reason: Option<&str>,
    ) -> Result<NewAuditEvent> {
        let denied = matches!(self.run.state, RunState::Denied { .. }) || rule.is_some();
        let outcome = if denied {
            Outcome::Deny
        } else {
            Outcome::Allow
        };
        let mut event = self.event(ActionType::AuthzDecision, outcome)?;
        event.rule = rule;
        let reason = rule.map(RuleId::as_str).or(reason);
        event.reason = reason.map(word).transpose()?;
        if self.pinned.id() != self.current.id() {
            let current = &self.current.versions().lanes.blob;
            event.policy_ref = Some(SafeText::new("policy_ref", format!("current:{current}"))?);
        }
        self.prepare(event)
    }

    /// How the call went. `action` is what its kind of run is recorded as.
    pub(super) fn result(
        &self,
        action: ActionType,
        outcome: Outcome,
        reason: Option<&str>,
        error: Option<&RunError>,
    ) -> Result<NewAuditEvent> {
        let mut event = self.event(action, outcome)?;
        event.reason = reason.map(word).transpose()?;
        event.outputs.clone_from(&self.run.outputs);
        event.response_sha256.clone_from(&self.run.response_sha256);
        event.error = error.map(|error| (error.code, error.retryable));
        self.prepare(event)
    }

    fn event(&self, action: ActionType, outcome: Outcome) -> Result<Event> {
        let run = self.run;
        let actor = Actor {
            class: run.actor.class,
            id: SafeText::new("actor_id", run.actor.id.clone())?,
        };
        let versions = self.pinned.versions().clone();
        let mut event = Event::new(
            self.app.event_id(),
            self.at,
            action,
            outcome,
            actor,
            versions,
        );
        event.agent_name = self.agent_name.cloned();
        event.role = Some(run.actor.role.clone());
        event.case_id.clone_from(&run.case_id);
        event.run_id = Some(SafeText::new("run_id", run.id.to_string())?);
        let parent = run.parent_id.map(|id| id.to_string());
        event.parent_run_id = parent
            .map(|id| SafeText::new("parent_run_id", id))
            .transpose()?;
        let correlation = run.correlation_id.clone();
        event.correlation_id = correlation
            .map(|id| SafeText::new("correlation_id", id))
            .transpose()?;
        if let Some(target) = &run.target {
            event.lane.clone_from(&target.lane);
            event.target = Some((
                SafeText::new("target.name", target.tool_name.clone())?,
                SafeText::new("target.operation", target.operation.as_str())?,
            ));
        }
        event.request_sha256.clone_from(&run.request_sha256);
        event.inputs.clone_from(&run.inputs);
        Ok(event)
    }

    fn prepare(&self, event: Event) -> Result<NewAuditEvent> {
        prepare(event, &self.run.organization_id, self.run.session_id)
    }
}

/// Both events of a request that could not be read, which has no run.
pub(super) fn malformed(
    app: &App,
    caller: &Caller,
    principal: &Principal,
    malformed: &Malformed,
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

fn word(text: &str) -> Result<SafeText<64>> {
    Ok(SafeText::new("outcome_reason", text)?)
}
