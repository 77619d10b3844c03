//! Questions to a policy. Nothing here decides anything: `why` asks the real decision and reports.

use std::collections::BTreeMap;

use domain::policy::{
    CaseId, Facts, Lane, LaneId, LaneRequest, LockFacts, Operation, PolicyRole, Principal,
    RoleClass, RoleId, RunFacts, ScopeKey, ScopeTruth, WriteTarget, decide,
};

use super::{explain::Explanation, load::Policy};

/// A way to an operation: through this lane, in this role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneAccess<'a> {
    pub lane: &'a Lane,
    pub role: &'a PolicyRole,
}

/// Every way to an operation. Empty if it is not registered or disabled.
pub fn who_can<'a>(policy: &'a Policy, operation: &'a Operation) -> Vec<LaneAccess<'a>> {
    if policy.tool(operation).is_none_or(|tool| !tool.enabled) {
        return Vec::new();
    }
    let ways = policy.snapshot().who_can(operation);
    ways.map(|(lane, role)| LaneAccess { lane, role }).collect()
}

/// A call to explain.
#[derive(Debug, Clone)]
pub struct PolicyQuestion {
    pub role: RoleId,
    pub lane: Option<LaneId>,
    pub operation: Operation,
    /// What it writes to, for a call that writes records.
    pub write: Option<WriteTarget>,
    pub scope: BTreeMap<ScopeKey, String>,
}

/// Decides the call under this policy, supposing that all that has to be looked up is found in order: the
/// run is running and pinned to this policy, scope values are real and the caller's, nothing refers to
/// another case.
pub fn why(policy: &Policy, question: &PolicyQuestion) -> Explanation {
    let snapshot = policy.snapshot();
    let role = snapshot.role(&question.role);
    let principal = Principal {
        class: role.map_or(RoleClass::Human, |role| role.class),
        actor_id: "any".to_owned(),
        role: question.role.clone(),
    };
    let mut scope = question.scope.clone();
    // The gateway makes the run of a call that names none.
    scope
        .entry(ScopeKey::RunId)
        .or_insert_with(|| "run".to_owned());
    let case_id = scope.get(&ScopeKey::CaseId);
    let verified = scope.keys().map(|key| (*key, ScopeTruth::Verified));
    let verified: BTreeMap<_, _> = verified.collect();
    let call = LaneRequest {
        tool_name: question.operation.to_string(),
        operation: question.operation.clone(),
        write: question.write.clone(),
        lane_id: question.lane.clone(),
        claimed_actor: None,
        claimed_role: None,
        case_id: case_id.and_then(|text| CaseId::new(text).ok()),
        scope,
    };
    let facts = Facts {
        lock: LockFacts::Open,
        run: RunFacts {
            parent_usable: true,
            versions: Some(policy.versions().clone()),
            as_expected: true,
        },
        tool: policy.tool_facts(policy, &question.operation),
        scope: verified,
        references: Vec::new(),
        change_digests: true,
    };
    Explanation::of(&decide(snapshot, snapshot, &principal, &call, &facts))
}
