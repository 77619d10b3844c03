//! Tables over one small policy, and properties over random ones.

mod locks;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

fn versions(text: &str) -> PolicyVersions {
    let pin = FilePin::of(text.as_bytes(), None);
    PolicyVersions {
        lanes: pin.clone(),
        roles: pin.clone(),
        tools: pin,
    }
}

fn lane(id: &str, callers: &[&str], tools: &[&str]) -> Lane {
    Lane {
        id: LaneId::new(id).unwrap(),
        purpose: "test".into(),
        callers: callers
            .iter()
            .map(|role| RoleId::new(*role).unwrap())
            .collect(),
        tools: tools
            .iter()
            .map(|name| Operation::new(*name).unwrap())
            .collect(),
        writes: BTreeSet::new(),
        requires: BTreeSet::from([ScopeKey::CaseId]),
        prohibits: BTreeSet::from([Prohibition::CrossCaseLookup, Prohibition::ExternalExport]),
        hold: None,
        hold_max: None,
    }
}

fn role(id: &str, class: RoleClass, lanes: &[&str]) -> PolicyRole {
    PolicyRole {
        id: RoleId::new(id).unwrap(),
        description: "test".into(),
        class,
        lanes: lanes
            .iter()
            .map(|lane| LaneId::new(*lane).unwrap())
            .collect(),
    }
}

fn operations() -> BTreeSet<Operation> {
    ["ocr.extract", "document.text"]
        .iter()
        .map(|name| Operation::new(*name).unwrap())
        .collect()
}

fn snapshot() -> Snapshot {
    let lanes = vec![
        lane("INTAKE", &["AGENT"], &["ocr.extract"]),
        lane("ADMIN", &["BOSS"], &["document.text"]),
    ];
    let roles = vec![
        role("AGENT", RoleClass::Agent, &["INTAKE"]),
        role("BOSS", RoleClass::Human, &["ADMIN"]),
    ];
    Snapshot::build(lanes, roles, operations(), versions("one")).unwrap()
}

fn principal() -> Principal {
    Principal {
        class: RoleClass::Agent,
        actor_id: "agent-1".into(),
        role: RoleId::new("AGENT").unwrap(),
    }
}

fn call() -> LaneRequest {
    LaneRequest {
        tool_name: "ocr".into(),
        operation: Operation::new("ocr.extract").unwrap(),
        write: None,
        lane_id: Some(LaneId::new("INTAKE").unwrap()),
        claimed_actor: Some((RoleClass::Agent, "agent-1".into())),
        claimed_role: None,
        scope: BTreeMap::from([(ScopeKey::CaseId, "CASE_1".into())]),
        case_id: Some(CaseId::new("CASE_1").unwrap()),
    }
}

fn facts() -> Facts {
    Facts {
        lock: LockFacts::Open,
        run: RunFacts {
            parent_usable: true,
            versions: Some(versions("one")),
            as_expected: true,
        },
        tool: Some(ToolFacts {
            enabled: true,
            external: false,
            writes_shared: false,
        }),
        scope: BTreeMap::from([(ScopeKey::CaseId, ScopeTruth::Verified)]),
        references: vec![CaseRelation::SameCase],
        change_digests: false,
    }
}

/// Locked by the organization, but for these lanes.
fn lifted(lanes: &[&str]) -> LockFacts {
    let lanes = lanes.iter().map(|lane| LaneId::new(*lane).unwrap());
    LockFacts::Organization {
        lifted: lanes.collect(),
    }
}

fn rule(principal: &Principal, call: &LaneRequest, facts: &Facts) -> Option<RuleId> {
    let snapshot = snapshot();
    decide(&snapshot, &snapshot, principal, call, facts)
        .err()
        .map(|denial| denial.rule)
}

#[test]
fn what_is_plainly_allowed_is_permitted() {
    let snapshot = snapshot();
    let permit = decide(&snapshot, &snapshot, &principal(), &call(), &facts()).unwrap();
    assert_eq!(permit.operation().as_str(), "ocr.extract");
    assert_eq!(permit.lane_id().as_str(), "INTAKE");
    assert_eq!(permit.case_id().unwrap().as_str(), "CASE_1");
}

/// Each change alone turns the permit above into the denial beside it.
#[test]
fn each_check_alone_denies() {
    type Change = fn(&mut Principal, &mut LaneRequest, &mut Facts);
    let table: &[(RuleId, Change)] = &[
        (RuleId::SafetyLock, |_, _, f| {
            f.lock = LockFacts::Installation;
        }),
        (RuleId::SafetyLock, |_, _, f| f.lock = lifted(&[])),
        (RuleId::SafetyLock, |_, _, f| f.lock = lifted(&["ADMIN"])),
        (RuleId::RunInvalid, |_, _, f| f.run.parent_usable = false),
        (RuleId::PolicyPinMissing, |_, _, f| f.run.versions = None),
        (RuleId::PolicyPinMismatch, |_, _, f| {
            f.run.versions = Some(versions("other"));
        }),
        (RuleId::PolicyPinMismatch, |_, _, f| {
            f.run.as_expected = false;
        }),
        (RuleId::WriteNotAllowed, |_, c, _| {
            c.write = Some(WriteTarget {
                table: TableName::new("case_notes").unwrap(),
                mode: WriteMode::Append,
            });
        }),
        (RuleId::ActorMismatch, |_, c, _| {
            c.claimed_actor = Some((RoleClass::Agent, "agent-2".into()));
        }),
        (RuleId::ActorMismatch, |_, c, _| {
            c.claimed_actor = Some((RoleClass::Human, "agent-1".into()));
        }),
        (RuleId::RoleMismatch, |_, c, _| {
            c.claimed_role = Some("BOSS".into());
        }),
        (RuleId::RoleUnknown, |p, _, _| {
            p.role = RoleId::new("UNKNOWN").unwrap();
        }),
        (RuleId::RoleClassMismatch, |p, c, _| {
            p.class = RoleClass::Human;
            c.claimed_actor = None;
        }),
        (RuleId::RoleNotAllowed, |p, c, _| {
            p.role = RoleId::new("BOSS").unwrap();
            p.class = RoleClass::Human;
            c.claimed_actor = None;
        }),
        (RuleId::ToolUnknown, |_, _, f| f.tool = None),
        (RuleId::ToolDisabled, |_, _, f| {
            f.tool.as_mut().unwrap().enabled = false;
        }),
        (RuleId::ToolNameMismatch, |_, c, _| {
            c.tool_name = "document".into();
        }),
        (RuleId::ToolNameMismatch, |_, c, _| {
            c.tool_name = "oc".into();
        }),
        (RuleId::LaneMissing, |_, c, _| c.lane_id = None),
        (RuleId::LaneUnknown, |_, c, _| {
            c.lane_id = Some(LaneId::new("INTAK").unwrap());
        }),
        (RuleId::RoleNotAllowed, |_, c, _| {
            c.lane_id = Some(LaneId::new("ADMIN").unwrap());
            c.tool_name = "document".into();
            c.operation = Operation::new("document.text").unwrap();
        }),
        (RuleId::OperationNotAllowed, |_, c, _| {
            c.tool_name = "document".into();
            c.operation = Operation::new("document.text").unwrap();
        }),
        (RuleId::OperationNotAllowed, |_, c, _| {
            c.operation = Operation::new("ocr.extract.evil").unwrap();
        }),
        (RuleId::ScopeMissing, |_, c, _| c.scope.clear()),
        (RuleId::ScopeMissing, |_, c, _| {
            _ = c.scope.insert(ScopeKey::CaseId, "  ".into());
        }),
        (RuleId::ScopeNotVerified, |_, _, f| f.scope.clear()),
        (RuleId::ScopeNotVerified, |_, _, f| {
            _ = f.scope.insert(ScopeKey::CaseId, ScopeTruth::Refuted);
        }),
        (RuleId::ProhibitedCrossCaseLookup, |_, _, f| {
            f.references.push(CaseRelation::Elsewhere);
        }),
        (RuleId::ProhibitedExternalExport, |_, _, f| {
            f.tool.as_mut().unwrap().external = true;
        }),
    ];
    assert_eq!(rule(&principal(), &call(), &facts()), None);
    for (index, (expected, change)) in table.iter().enumerate() {
        let (mut p, mut c, mut f) = (principal(), call(), facts());
        change(&mut p, &mut c, &mut f);
        assert_eq!(rule(&p, &c, &f), Some(*expected), "row {index}");
    }
}

#[test]
fn a_change_can_tighten_a_running_run_and_never_loosen_it() {
    let pinned = snapshot();
    let roles = || vec![role("AGENT", RoleClass::Agent, &["INTAKE"])];
    let tools = |names: &[&str]| vec![lane("INTAKE", &["AGENT"], names)];
    let tighter = Snapshot::build(
        tools(&["document.text"]),
        roles(),
        operations(),
        versions("two"),
    )
    .unwrap();
    let denial = decide(&pinned, &tighter, &principal(), &call(), &facts()).unwrap_err();
    assert_eq!(denial.rule, RuleId::OperationNotAllowed);
    assert_eq!(
        denial.failed,
        [Check {
            rule: RuleId::OperationNotAllowed,
            tightened: true
        }]
    );

    let looser = Snapshot::build(
        tools(&["ocr.extract", "document.text"]),
        roles(),
        operations(),
        versions("three"),
    )
    .unwrap();
    let mut other = call();
    other.tool_name = "document".into();
    other.operation = Operation::new("document.text").unwrap();
    let denial = decide(&pinned, &looser, &principal(), &other, &facts()).unwrap_err();
    assert_eq!(
        denial.failed,
        [Check {
            rule: RuleId::OperationNotAllowed,
            tightened: false
        }]
    );
}

#[test]
fn case_3_a_policy_that_contradicts_itself_is_refused_with_every_mistake() {
    let lanes = vec![
        lane("INTAKE", &["AGENT", "GHOST"], &["ocr.extract", "made.up"]),
        lane("INTAKE", &[], &["ocr.extract"]),
        lane("EMPTY", &[], &[]),
        lane("CLOSED", &["AGENT"], &["ocr.extract"]),
    ];
    let roles = vec![role("AGENT", RoleClass::Agent, &["EMPTY", "NOWHERE"])];
    let problems = Snapshot::build(lanes, roles, operations(), versions("x")).unwrap_err();
    let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "lane INTAKE is defined twice",
            "lane CLOSED lists role AGENT, but the role does not list the lane",
            "lane EMPTY allows nothing",
            "role AGENT lists lane EMPTY, but the lane does not list the role",
            "role AGENT names lane NOWHERE, which does not exist",
        ]
    );
    let lanes = vec![lane("INTAKE", &["GHOST"], &["made.up"])];
    let problems = Snapshot::build(lanes, vec![], operations(), versions("x")).unwrap_err();
    let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "lane INTAKE names role GHOST, which does not exist",
            "lane INTAKE names operation made.up, which is not registered",
        ]
    );
}

/// Also those tables that the log does not have yet.
#[test]
fn no_lane_writes_the_log() {
    for (table, refused) in [
        ("audit_ledger", true),
        ("audit_events", true),
        ("audit_checkpoints", true),
        ("audit_nodes", true),
        ("audit.events", true),
        ("case_audits", false),
    ] {
        let mut lane = lane("INTAKE", &[], &[]);
        lane.writes.insert(WriteTarget {
            table: TableName::new(table).unwrap(),
            mode: WriteMode::Append,
        });
        let built = Snapshot::build(vec![lane], vec![], operations(), versions("x"));
        assert_eq!(built.is_err(), refused, "{table}");
    }
}

#[test]
fn names_that_look_alike_cannot_be_written() {
    let bad = [
        "",
        "Ocr.extract",
        "ocr.extract\0",
        "ocr\u{200b}.extract",
        "осr.extract",
        "a b",
        "a/b",
    ];
    for text in bad {
        assert!(Operation::new(text).is_err(), "{text:?}");
    }
    for text in [
        "../C2",
        "C1/../../C2",
        "C1//x",
        "%2e%2e",
        "abc",
        " CASE",
        "CASE\n",
    ] {
        assert!(CaseId::new(text).is_err(), "{text:?}");
    }
}

proptest! {
    /// Deny by default: over random policies and calls, a permit is given only where every condition
    /// holds when they are written out independently.
    #[test]
    fn a_permit_means_that_every_condition_holds(
        in_lane: bool, in_role: bool, listed: bool, scoped: bool, verified: bool, same_case: bool,
        external: bool, enabled: bool, pinned: bool, usable: bool, class_matches: bool,
        lock in locks::locks(),
    ) {
        let mut lane = lane("INTAKE", if in_lane { &["AGENT"] } else { &["OTHER"] }, if listed { &["ocr.extract"] } else { &["document.text"] });
        lane.callers.insert(RoleId::new("OTHER").unwrap());
        let agent_lanes: &[&str] = if in_lane && in_role { &["INTAKE"] } else { &[] };
        if !(in_lane && in_role) { lane.callers.remove(&RoleId::new("AGENT").unwrap()); }
        let roles = vec![
            role("AGENT", RoleClass::Agent, agent_lanes),
            role("OTHER", RoleClass::Agent, &["INTAKE"]),
        ];
        let snapshot = Snapshot::build(vec![lane], roles, operations(), versions("one")).unwrap();
        let (mut p, mut c, mut f) = (principal(), call(), facts());
        if !class_matches { p.class = RoleClass::System; c.claimed_actor = None; }
        if !scoped { c.scope.clear(); }
        if !verified { f.scope.clear(); }
        if !same_case { f.references.push(CaseRelation::Elsewhere); }
        f.tool = Some(ToolFacts { enabled, external, writes_shared: false });
        if !pinned { f.run.versions = None; }
        f.run.parent_usable = usable;
        f.lock = lock.clone();
        let locked = match lock {
            LockFacts::Open => false,
            LockFacts::Installation => true,
            LockFacts::Organization { lifted } => {
                lifted.iter().all(|lane| lane.as_str() != "INTAKE")
            }
        };
        let allowed = in_lane && in_role && listed && scoped && verified && same_case && !external
            && enabled && pinned && usable && !locked && class_matches;
        prop_assert_eq!(decide(&snapshot, &snapshot, &p, &c, &f).is_ok(), allowed);
    }
}
