//! What a lock stops, and what an exemption permits.

use super::*;

/// Who locked, which lane is exempt, and whether the call is one that manages the exemption: with its ticket,
/// without, or neither.
#[test]
fn a_lock_stops_what_is_not_lifted() {
    let table: &[(LockFacts, Handles, bool)] = &[
        (LockFacts::Open, Handles::Nothing, true),
        (lifted(&[]), Handles::Nothing, false),
        (lifted(&["OVERRIDE"]), Handles::Nothing, false),
        (lifted(&["INTAKE"]), Handles::Nothing, true),
        (lifted(&["INTAKE", "ADMIN"]), Handles::Nothing, true),
        (LockFacts::Installation, Handles::Nothing, false),
        (LockFacts::Open, Handles::WithTicket, true),
        (lifted(&[]), Handles::WithTicket, true),
        (lifted(&["INTAKE"]), Handles::WithTicket, true),
        (LockFacts::Installation, Handles::WithTicket, false),
        (LockFacts::Open, Handles::WithoutTicket, false),
        (lifted(&[]), Handles::WithoutTicket, false),
        (LockFacts::Installation, Handles::WithoutTicket, false),
    ];
    for (index, (lock, handles, passes)) in table.iter().enumerate() {
        let (snapshot, call, mut facts) = locked_case(*handles);
        facts.lock = lock.clone();
        let decided = decide(&snapshot, &snapshot, &principal(), &call, &facts);
        assert_eq!(decided.is_ok(), *passes, "row {index}: {decided:?}");
        if let Err(denial) = decided {
            let expected = match (lock, handles) {
                (LockFacts::Open, _) => RuleId::ScopeNotVerified,
                _ => RuleId::SafetyLock,
            };
            assert_eq!(denial.rule, expected, "row {index}");
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Handles {
    Nothing,
    WithTicket,
    WithoutTicket,
}

fn locked_case(handles: Handles) -> (Snapshot, LaneRequest, Facts) {
    let mut overrides = lane("OVERRIDE", &["AGENT"], &[OVERRIDE_ENABLE]);
    overrides.requires = BTreeSet::from([ScopeKey::OverrideTicketId]);
    let lanes = vec![
        lane("INTAKE", &["AGENT"], &["ocr.extract"]),
        lane("ADMIN", &["AGENT"], &["document.text"]),
        overrides,
    ];
    let lanes_of = &["INTAKE", "ADMIN", "OVERRIDE"];
    let roles = vec![role("AGENT", RoleClass::Agent, lanes_of)];
    let mut operations = operations();
    operations.insert(Operation::new(OVERRIDE_ENABLE).unwrap());
    let snapshot = Snapshot::build(lanes, roles, operations, versions("one")).unwrap();
    let (mut call, mut facts) = (call(), facts());
    let truth = match handles {
        Handles::Nothing => return (snapshot, call, facts),
        Handles::WithTicket => ScopeTruth::Verified,
        Handles::WithoutTicket => ScopeTruth::Refuted,
    };
    call.tool_name = OVERRIDE_ENABLE.into();
    call.operation = Operation::new(OVERRIDE_ENABLE).unwrap();
    call.lane_id = Some(LaneId::new("OVERRIDE").unwrap());
    call.scope = BTreeMap::from([(ScopeKey::OverrideTicketId, "ticket".into())]);
    facts.scope = BTreeMap::from([(ScopeKey::OverrideTicketId, truth)]);
    (snapshot, call, facts)
}

proptest! {
    /// A lock only removes permissions, and an exemption never gives more than the lock removed: over random calls,
    /// ones that manage the exemption among them, a call that passes a lock passes without it, and a denial has the
    /// same other reasons.
    #[test]
    fn an_override_lets_nothing_through_that_would_be_denied_without_the_lock(
        lock in locks(), handles in 0..3_usize, in_lane: bool, enabled: bool, usable: bool, pinned: bool,
        same_case: bool, external: bool, class_matches: bool, ticket_verified: bool, lane_given: bool,
    ) {
        let handles = [Handles::Nothing, Handles::WithTicket, Handles::WithoutTicket][handles];
        let (snapshot, mut c, mut f) = locked_case(handles);
        let mut p = principal();
        if !class_matches { p.class = RoleClass::System; c.claimed_actor = None; }
        if !in_lane { c.lane_id = Some(LaneId::new("ADMIN").unwrap()); }
        if !lane_given { c.lane_id = None; }
        if !same_case { f.references.push(CaseRelation::Elsewhere); }
        if !pinned { f.run.versions = None; }
        if ticket_verified {
            f.scope.insert(ScopeKey::OverrideTicketId, ScopeTruth::Verified);
        }
        f.run.parent_usable = usable;
        f.tool = Some(ToolFacts { enabled, external, writes_shared: false });
        f.lock = lock;
        let under_lock = decide(&snapshot, &snapshot, &p, &c, &f);
        let open = Facts { lock: LockFacts::Open, ..f.clone() };
        let without = decide(&snapshot, &snapshot, &p, &c, &open);
        if under_lock.is_ok() {
            prop_assert!(without.is_ok());
        }
        let failed = |decided: &Result<Permit, Denial>| match decided {
            Ok(_) => Vec::new(),
            Err(denial) => denial.failed.clone(),
        };
        let mut others = failed(&under_lock);
        others.retain(|check| check.rule != RuleId::SafetyLock);
        prop_assert_eq!(others, failed(&without));
    }
}

pub(super) fn locks() -> impl Strategy<Value = LockFacts> {
    prop_oneof![
        Just(LockFacts::Open),
        Just(LockFacts::Installation),
        proptest::sample::subsequence(vec!["ADMIN", "INTAKE", "OVERRIDE"], 0..=3)
            .prop_map(|lanes| lifted(&lanes)),
    ]
}
