//! A decision in words. Rules are named as the caller and the log see them; the sentence beside each says
//! what it means to the caller or admin who has to do something about it.

use domain::policy::{Denial, Permit, RuleId};

/// What was decided, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub allowed: bool,
    /// The rule that a caller is told; `None` if it is allowed.
    pub rule: Option<RuleId>,
    /// Every failed check, in the order they run.
    pub failed: Vec<FailedCheck>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCheck {
    pub rule: RuleId,
    pub meaning: &'static str,
    /// Failed only under the policy in force now, not under the one the run was started under.
    pub tightened: bool,
}

impl Explanation {
    pub fn of(decision: &Result<Permit, Denial>) -> Self {
        let (rule, failed) = match decision {
            Ok(_) => (None, &[][..]),
            Err(denial) => (Some(denial.rule), &*denial.failed),
        };
        let failed = failed.iter().map(|check| FailedCheck {
            rule: check.rule,
            meaning: meaning(check.rule),
            tightened: check.tightened,
        });
        Self {
            allowed: decision.is_ok(),
            rule,
            failed: failed.collect(),
        }
    }
}

/// What it means that this check failed.
pub const fn meaning(rule: RuleId) -> &'static str {
    match rule {
        RuleId::SafetyLock => "an operator or an admin has locked calls",
        RuleId::RunInvalid => "the run the call belongs to is not running, or not the caller's",
        RuleId::PolicyPinMissing => "the run does not say which policy it was started under",
        RuleId::PolicyPinMismatch => "the policy the run was started under is not the one named",
        RuleId::ActorMismatch => "the request names another actor than the credential",
        RuleId::RoleMismatch => "the request names another role than the credential",
        RuleId::RoleUnknown => "roles.yaml has no such role",
        RuleId::RoleClassMismatch => "the role is for another kind of actor",
        RuleId::ToolUnknown => "tools.yaml has no such operation",
        RuleId::ToolDisabled => "the tool is disabled in tools.yaml",
        RuleId::ToolNameMismatch => "the operation is not one of the named tool",
        RuleId::LaneMissing => "the call names no lane",
        RuleId::LaneUnknown => "lanes.yaml has no such lane",
        RuleId::RoleNotAllowed => "the lane does not let this role in",
        RuleId::OperationNotAllowed => "the lane does not allow this operation",
        RuleId::WriteNotAllowed => "the lane does not allow this table to be written so",
        RuleId::ScopeMissing => "the lane requires a scope value that was not given",
        RuleId::ScopeNotVerified => "a scope value does not exist, or is not the caller's",
        RuleId::ProhibitedCrossCaseLookup => "the call refers to another case",
        RuleId::ProhibitedExternalExport => "the tool sends data outside the gateway",
        RuleId::ProhibitedSharedKnowledgeWrite => "the tool writes where other cases read",
        RuleId::ProhibitedSilentChanges => "the digests before and after the change are missing",
    }
}
