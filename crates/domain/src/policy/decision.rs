//! The decision. No I/O, no clock: all lookups happened before and are passed in as [`Facts`]. Checks
//! run in a fixed order; every failed one is recorded, the first one names the rule.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    lane::{
        Lane, OVERRIDE_DISABLE, OVERRIDE_ENABLE, Prohibition, RoleClass, ScopeKey, WriteTarget,
    },
    name::{CaseId, LaneId, Operation, RoleId},
    pins::PolicyVersions,
    snapshot::Snapshot,
};

/// The authenticated caller, from the credential alone. Nothing here comes from the request's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    pub class: RoleClass,
    pub actor_id: String,
    pub role: RoleId,
}

/// What a caller asks the lane to allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneRequest {
    pub tool_name: String,
    pub operation: Operation,
    /// What it writes to, for a call that writes records: then the lane must list this target.
    pub write: Option<WriteTarget>,
    pub lane_id: Option<LaneId>,
    /// Actor and role as the body claims them; they must agree with the principal.
    pub claimed_actor: Option<(RoleClass, String)>,
    pub claimed_role: Option<String>,
    pub scope: BTreeMap<ScopeKey, String>,
    pub case_id: Option<CaseId>,
}

/// What was looked up about the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Whether calls are locked, and which are exempt.
    pub lock: LockFacts,
    pub run: RunFacts,
    /// `None` if no such tool is registered.
    pub tool: Option<ToolFacts>,
    /// The verification result of each scope value; a missing entry was not verified.
    pub scope: BTreeMap<ScopeKey, ScopeTruth>,
    /// For each input, handle and case reference of the call.
    pub references: Vec<CaseRelation>,
    /// Whether the call brings digests of what it changes, before and after.
    pub change_digests: bool,
}

/// Who has locked calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LockFacts {
    Open,
    /// An admin of the organization. Calls in these lanes pass for a time, by tickets that are in use now.
    Organization {
        lifted: BTreeSet<LaneId>,
    },
    /// An operator, for all organizations.
    Installation,
}

/// The run the call belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    /// Whether the parent run is running and the caller's own.
    pub parent_usable: bool,
    /// The pins the run was started under; `None` if they are missing or malformed.
    pub versions: Option<PolicyVersions>,
    /// Whether those are the pins the caller expects, where it names some.
    pub as_expected: bool,
}

/// What is registered about the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolFacts {
    pub enabled: bool,
    /// Whether running it sends data outside the platform.
    pub external: bool,
    /// Whether it writes where other cases read.
    pub writes_shared: bool,
}

/// The verification result of a scope value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeTruth {
    Verified,
    /// Missing, or not the caller's: the two are not distinguished.
    Refuted,
}

/// How a reference relates to the case of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseRelation {
    SameCase,
    /// Of another case, or missing: the two are not distinguished.
    Elsewhere,
}

crate::text_enum! {
    /// Which check failed; the first one is the rule of a denial. In the order they run.
    RuleId {
        SafetyLock = "safety_lock",
        RunInvalid = "run_invalid",
        PolicyPinMissing = "policy_pin_missing",
        PolicyPinMismatch = "policy_pin_mismatch",
        ActorMismatch = "actor_mismatch",
        RoleMismatch = "role_mismatch",
        RoleUnknown = "role_unknown",
        RoleClassMismatch = "role_class_mismatch",
        ToolUnknown = "tool_unknown",
        ToolDisabled = "tool_disabled",
        ToolNameMismatch = "tool_name_mismatch",
        LaneMissing = "lane_missing",
        LaneUnknown = "lane_unknown",
        RoleNotAllowed = "role_not_allowed",
        OperationNotAllowed = "operation_not_allowed",
        WriteNotAllowed = "write_not_allowed",
        ScopeMissing = "scope_missing",
        ScopeNotVerified = "scope_not_verified",
        ProhibitedCrossCaseLookup = "prohibited_cross_case_lookup",
        ProhibitedExternalExport = "prohibited_external_export",
        ProhibitedSharedKnowledgeWrite = "prohibited_shared_knowledge_write",
        ProhibitedSilentChanges = "prohibited_silent_changes",
    }
}

/// A failed check, and the policy it failed under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Check {
    pub rule: RuleId,
    /// Failed only under the policy in force now, which is tighter than the one the run is pinned to.
    pub tightened: bool,
}

/// A refusal with every failed check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The first failed check, which the caller is told.
    pub rule: RuleId,
    /// All of them, for the record.
    pub failed: Vec<Check>,
}

/// The right to execute this one call once. Not cloneable, not constructible elsewhere; an executor
/// takes it by value.
#[derive(Debug, PartialEq, Eq)]
pub struct Permit {
    operation: Operation,
    lane_id: LaneId,
    role: RoleId,
    case_id: Option<CaseId>,
}

impl Permit {
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    pub fn lane_id(&self) -> &LaneId {
        &self.lane_id
    }

    pub fn role(&self) -> &RoleId {
        &self.role
    }

    pub fn case_id(&self) -> Option<&CaseId> {
        self.case_id.as_ref()
    }
}

/// Decides under the policy the run is pinned to and under the one in force now; both must allow, so a
/// change can tighten a running run and never loosen it.
///
/// INVARIANT: deny by default. The permit is made in the one branch where no check failed.
pub fn decide(
    pinned: &Snapshot,
    current: &Snapshot,
    principal: &Principal,
    call: &LaneRequest,
    facts: &Facts,
) -> Result<Permit, Denial> {
    let under_pinned = failures(pinned, principal, call, facts);
    let under_current = lane_failures(current, principal, call, facts);
    let tightened = under_current.difference(&under_pinned).copied();
    let mut failed: Vec<_> = tightened
        .map(|rule| Check {
            rule,
            tightened: true,
        })
        .collect();
    failed.extend(under_pinned.iter().map(|rule| Check {
        rule: *rule,
        tightened: false,
    }));
    failed.sort();
    match (failed.first(), &call.lane_id) {
        (None, Some(lane_id)) => Ok(Permit {
            operation: call.operation.clone(),
            lane_id: lane_id.clone(),
            role: principal.role.clone(),
            case_id: call.case_id.clone(),
        }),
        (first, _) => {
            let rule = first.map_or(RuleId::LaneMissing, |check| check.rule);
            Err(Denial { rule, failed })
        }
    }
}

fn failures(
    snapshot: &Snapshot,
    principal: &Principal,
    call: &LaneRequest,
    facts: &Facts,
) -> BTreeSet<RuleId> {
    let mut failed = lane_failures(snapshot, principal, call, facts);
    let mut fail_if = |condition: bool, rule: RuleId| {
        if condition {
            failed.insert(rule);
        }
    };
    fail_if(locked(call, facts), RuleId::SafetyLock);
    fail_if(!facts.run.parent_usable, RuleId::RunInvalid);
    match &facts.run.versions {
        None => fail_if(true, RuleId::PolicyPinMissing),
        Some(pins) => {
            let mismatch = !pins.same_policy(snapshot.versions()) || !facts.run.as_expected;
            fail_if(mismatch, RuleId::PolicyPinMismatch);
        }
    }
    if let Some((class, actor_id)) = &call.claimed_actor {
        let same = *class == principal.class && *actor_id == principal.actor_id;
        fail_if(!same, RuleId::ActorMismatch);
    }
    if let Some(role) = &call.claimed_role {
        fail_if(role != principal.role.as_str(), RuleId::RoleMismatch);
    }
    match &facts.tool {
        None => fail_if(true, RuleId::ToolUnknown),
        Some(tool) => fail_if(!tool.enabled, RuleId::ToolDisabled),
    }
    fail_if(
        !call.operation.belongs_to(&call.tool_name),
        RuleId::ToolNameMismatch,
    );
    failed
}

/// Whether the lock stops the call. The calls that enable and disable an exemption pass an organization's lock
/// with their ticket, otherwise an exemption would be impossible; all other checks still apply to them.
///
/// INVARIANT: nothing here allows anything. A lock that does not stop a call leaves it to the other checks.
fn locked(call: &LaneRequest, facts: &Facts) -> bool {
    match &facts.lock {
        LockFacts::Open => false,
        LockFacts::Installation => true,
        LockFacts::Organization { lifted } => {
            let lane = call.lane_id.as_ref();
            let is_lifted = lane.is_some_and(|lane| lifted.contains(lane));
            let ticket = facts.scope.get(&ScopeKey::OverrideTicketId);
            let is_good = ticket == Some(&ScopeTruth::Verified);
            let handles = matches!(call.operation.as_str(), OVERRIDE_ENABLE | OVERRIDE_DISABLE);
            !(is_lifted || handles && is_good)
        }
    }
}

/// The checks that depend on the policy's text.
fn lane_failures(
    snapshot: &Snapshot,
    principal: &Principal,
    call: &LaneRequest,
    facts: &Facts,
) -> BTreeSet<RuleId> {
    let mut failed = BTreeSet::new();
    let role = snapshot.role(&principal.role);
    match role {
        None => _ = failed.insert(RuleId::RoleUnknown),
        Some(role) if role.class != principal.class => {
            failed.insert(RuleId::RoleClassMismatch);
        }
        Some(_) => {}
    }
    let Some(lane_id) = &call.lane_id else {
        failed.insert(RuleId::LaneMissing);
        return failed;
    };
    let Some(lane) = snapshot.lane(lane_id) else {
        failed.insert(RuleId::LaneUnknown);
        return failed;
    };
    // Both files must list it.
    let listed = role.is_some_and(|role| role.lanes.contains(lane_id));
    if !listed || !lane.callers.contains(&principal.role) {
        failed.insert(RuleId::RoleNotAllowed);
    }
    match &call.write {
        Some(target) if !lane.writes.contains(target) => _ = failed.insert(RuleId::WriteNotAllowed),
        None if !lane.tools.contains(&call.operation) => {
            failed.insert(RuleId::OperationNotAllowed);
        }
        Some(_) | None => {}
    }
    for key in &lane.requires {
        let given = call
            .scope
            .get(key)
            .is_some_and(|value| !value.trim().is_empty());
        if !given {
            failed.insert(RuleId::ScopeMissing);
        } else if facts.scope.get(key) != Some(&ScopeTruth::Verified) {
            failed.insert(RuleId::ScopeNotVerified);
        }
    }
    // Access to another case is refused, whether or not the lane repeats the prohibition.
    if facts.references.contains(&CaseRelation::Elsewhere) {
        failed.insert(RuleId::ProhibitedCrossCaseLookup);
    }
    failed.extend(prohibited(lane, facts));
    failed
}

fn prohibited<'a>(lane: &'a Lane, facts: &'a Facts) -> impl Iterator<Item = RuleId> + 'a {
    lane.prohibits
        .iter()
        .filter_map(|prohibition| violates(*prohibition, facts))
}

/// The predicate behind each word. What cannot be known counts as a violation.
fn violates(prohibition: Prohibition, facts: &Facts) -> Option<RuleId> {
    let tool = facts.tool.as_ref();
    let (violated, rule) = match prohibition {
        Prohibition::CrossCaseLookup => (
            facts.references.contains(&CaseRelation::Elsewhere),
            RuleId::ProhibitedCrossCaseLookup,
        ),
        Prohibition::ExternalExport => (
            tool.is_none_or(|tool| tool.external),
            RuleId::ProhibitedExternalExport,
        ),
        Prohibition::SharedKnowledgeWrite => (
            tool.is_none_or(|tool| tool.writes_shared),
            RuleId::ProhibitedSharedKnowledgeWrite,
        ),
        Prohibition::SilentChanges => (!facts.change_digests, RuleId::ProhibitedSilentChanges),
        // Every call obeys them: no request names an address to send to, and an export is recorded with its decision.
        Prohibition::RawExternalDestination | Prohibition::UnauditedDelivery => return None,
    };
    violated.then_some(rule)
}
