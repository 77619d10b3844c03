//! The events of a call: `authz_decision` when it is decided, `tool_call` when it has ended.

use domain::{
    audit::{ActionType, Actor, Event, Outcome, SafeText},
    clock::Timestamp,
    policy::RuleId,
    run::{Run, RunError, RunState},
};
use store::NewAuditEvent;

use crate::{audit::prepare, context::App, error::Result, policy::Policy};

/// Makes the events of a run: what they have in common.
#[derive(Debug)]
pub(super) struct CallEvents<'a> {
    pub(super) app: &'a App,
    pub(super) run: &'a Run,
    pub(super) agent_name: Option<&'a SafeText<120>>,
    /// The policy that the run is pinned to.
    pub(super) pinned: &'a Policy,
    /// The policy in force when the call was decided.
    pub(super) current: &'a Policy,
    pub(super) at: Timestamp,
}

impl CallEvents<'_> {
    /// The `authz_decision` event. A call that is held is allowed by its lane, with the reason why it waits.
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

    /// The event of the result; `action` is its type.
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

/// A reason, as an event has it.
pub(super) fn word(text: &str) -> Result<SafeText<64>> {
    Ok(SafeText::new("outcome_reason", text)?)
}
