//! Permits for tests of what runs a call. There is one way to get one, and it is the decision: this asks
//! it under a policy of one lane.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use app::policy::{PolicyFiles, load};
use domain::policy::{
    Facts, FilePin, Lane, LaneId, LaneRequest, LockFacts, Operation, Permit, PolicyRole,
    PolicyVersions, Principal, RoleClass, RoleId, RunFacts, Snapshot, ToolFacts, ToolSpec, decide,
};

/// A permit for one call of the operation.
pub fn permit(operation: &Operation) -> Permit {
    let lane_id = LaneId::new("TEST_LANE").expect("a good name");
    let role = RoleId::new("TEST_ROLE").expect("a good name");
    let pin = FilePin::of(b"test", None);
    let versions = PolicyVersions {
        lanes: pin.clone(),
        roles: pin.clone(),
        tools: pin,
    };
    let lane = Lane {
        id: lane_id.clone(),
        purpose: "test".into(),
        callers: BTreeSet::from([role.clone()]),
        tools: BTreeSet::from([operation.clone()]),
        writes: BTreeSet::new(),
        requires: BTreeSet::new(),
        prohibits: BTreeSet::new(),
        hold: None,
        hold_max: None,
    };
    let holder = PolicyRole {
        id: role.clone(),
        description: "test".into(),
        class: RoleClass::Agent,
        lanes: BTreeSet::from([lane_id.clone()]),
    };
    let operations = BTreeSet::from([operation.clone()]);
    let snapshot = Snapshot::build(vec![lane], vec![holder], operations, versions.clone());
    let snapshot = snapshot.expect("a good policy");
    let principal = Principal {
        class: RoleClass::Agent,
        actor_id: "agent-1".into(),
        role,
    };
    let call = LaneRequest {
        tool_name: operation.to_string(),
        operation: operation.clone(),
        write: None,
        lane_id: Some(lane_id),
        claimed_actor: None,
        claimed_role: None,
        scope: BTreeMap::new(),
        case_id: None,
    };
    let facts = Facts {
        lock: LockFacts::Open,
        run: RunFacts {
            parent_usable: true,
            versions: Some(versions),
            as_expected: true,
        },
        tool: Some(ToolFacts {
            enabled: true,
            external: false,
            writes_shared: false,
        }),
        scope: BTreeMap::new(),
        references: Vec::new(),
        change_digests: false,
    };
    decide(&snapshot, &snapshot, &principal, &call, &facts).expect("the one lane allows it")
}

/// A tool of the built-in policy.
pub fn built_in_tool(operation: &str) -> Arc<ToolSpec> {
    let policy = load(PolicyFiles::built_in()).expect("the built-in policy loads");
    let operation = operation.parse().expect("an operation");
    let spec = policy.tool(&operation);
    Arc::clone(spec.expect("a registered tool"))
}
