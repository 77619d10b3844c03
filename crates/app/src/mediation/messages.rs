//! The sentences that callers are told about denials and failures. No text of a caller, a tool or an integration
//! gets in.

use domain::{
    action::Effect,
    policy::RuleId,
    run::{RunError, RunErrorCode},
};
use tools::{Failure, IntegrationFailure};

pub(super) const INPUT_NOT_ACCEPTED: &str = "the tool does not take inputs of this media type";

/// The sentence for a denial.
pub(super) const fn denied(rule: RuleId) -> &'static str {
    match rule {
        RuleId::SafetyLock => "calls are locked, by an operator or an admin",
        RuleId::RunInvalid => "the run or its parent is not one this call can belong to",
        RuleId::PolicyPinMissing => "the run is not pinned to a policy",
        RuleId::PolicyPinMismatch => "the run is pinned to another policy",
        RuleId::ActorMismatch => "the actor is not the authenticated caller",
        RuleId::RoleMismatch => "the role is not the authenticated caller's",
        RuleId::RoleUnknown => "the policy does not know the caller's role",
        RuleId::RoleClassMismatch => "the caller is not of the class its role is for",
        RuleId::ToolUnknown => "the tool is not registered",
        RuleId::ToolDisabled => "the tool is disabled",
        RuleId::ToolNameMismatch => "the operation does not belong to the tool",
        RuleId::LaneMissing => "a call needs a lane",
        RuleId::LaneUnknown => "the policy has no such lane",
        RuleId::RoleNotAllowed => "lane does not admit the caller's role",
        RuleId::OperationNotAllowed => "lane prohibits requested tool",
        RuleId::WriteNotAllowed => "lane prohibits requested write",
        RuleId::ScopeMissing => "the call lacks something the lane requires in its scope",
        RuleId::ScopeNotVerified => "the scope of the call could not be verified",
        RuleId::ProhibitedCrossCaseLookup => "an input is not of this case or session",
        RuleId::ProhibitedExternalExport => "lane prohibits sending anything outside",
        RuleId::ProhibitedSharedKnowledgeWrite => "lane prohibits writing where others read",
        RuleId::ProhibitedSilentChanges => "lane prohibits changes without digests",
    }
}

/// The reason of a call that contradicts what was done before.
pub(crate) const CONFLICT: &str = "conflict";

/// The error that a failure of an executor is to the caller, and the reason for the record.
pub(super) fn failed(failure: &Failure, idempotent: bool) -> (RunError, &'static str) {
    use RunErrorCode as Code;
    match failure {
        Failure::Invalid(message) => {
            let error = RunError::new(Code::InvalidRequest, message, false);
            (error, "parameters_not_accepted")
        }
        Failure::Conflict(message) => {
            let error = RunError::new(Code::InvalidRequest, message, false);
            (error, CONFLICT)
        }
        Failure::Timeout => {
            let message = "the tool did not end in time";
            // Running again what may have run is harmless only for an idempotent tool.
            let error = RunError::new(Code::ToolTimeout, message, idempotent);
            (error, "timeout")
        }
        Failure::Tool { reason, retryable } => {
            let error = RunError::new(Code::ToolError, reason, *retryable);
            (error, "tool_error")
        }
        Failure::Unavailable { hint } => {
            let error = RunError::new(Code::DependencyDown, hint, true);
            (error, "dependency_down")
        }
        Failure::Cancelled => (cancelled(), "cancelled"),
        Failure::Integration(failure) => (integration_failed(failure), failure.reason),
    }
}

/// The error of a run whose action the integration did not do: never in the integration's words.
pub(super) fn integration_failed(failure: &IntegrationFailure) -> RunError {
    let message = match (failure.effect, failure.code) {
        (Effect::Unknown, _) => "the answer was lost; whether it was done is not known",
        (Effect::Known, RunErrorCode::ToolTimeout) => "the integration did not answer in time",
        (Effect::Known, RunErrorCode::DependencyDown) => "the integration could not be reached",
        (Effect::Known, _) => "the integration rejected the request",
    };
    RunError::new(failure.code, message, failure.retryable)
}

pub(super) fn cancelled() -> RunError {
    RunError::new(RunErrorCode::ToolError, "the call was cancelled", false)
}

/// For a run whose process died: the effect may have happened.
pub(super) fn outcome_unknown(idempotent: bool) -> RunError {
    let message = "the call was cut off; whether it had its effect is not known";
    RunError::new(RunErrorCode::ToolError, message, idempotent)
}
