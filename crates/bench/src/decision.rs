//! What does deciding alone cost? No database, no network: a policy, a call and its facts, in memory.

use std::{collections::BTreeMap, hint::black_box};

use anyhow::{anyhow, ensure};
use app::{
    policy::{Policy, PolicyFiles, load},
    system::SystemClock,
};
use domain::{
    clock::Clock as _,
    policy::{
        Call, CaseRelation, Facts, Principal, RoleClass, RunFacts, ScopeKey, ScopeTruth, decide,
    },
};

use crate::table::Table;

pub(crate) const NAME: &str = "decision";

const DECISIONS: u32 = 500_000;

pub(crate) fn measure(table: &mut Table) -> anyhow::Result<()> {
    let policy = load(PolicyFiles::built_in()).map_err(|problems| anyhow!("{problems}"))?;
    for (name, verified) in [
        ("decision, allowed", ScopeTruth::Verified),
        ("decision, denied", ScopeTruth::Refuted),
    ] {
        let (principal, call, facts) = question(&policy, verified)?;
        let snapshot = policy.snapshot();
        let ask = || decide(snapshot, snapshot, &principal, &call, &facts);
        let expected = verified == ScopeTruth::Verified;
        ensure!(ask().is_ok() == expected, "the decision went the wrong way");
        let clock = SystemClock::new();
        for _ in 0..DECISIONS {
            let _ = black_box(ask());
        }
        table.rate(name, "-", DECISIONS, clock.monotonic());
    }
    Ok(())
}

/// Text recognition on a picture of a case, as a person who works on the case asks for it.
fn question(policy: &Policy, member: ScopeTruth) -> anyhow::Result<(Principal, Call, Facts)> {
    let text = |error: &dyn std::fmt::Display| anyhow!("{error}");
    let operation = "ocr.extract".parse().map_err(|error| text(&error))?;
    let role: domain::policy::RoleId = "ORGANIZATION_MEMBER"
        .parse()
        .map_err(|error| text(&error))?;
    let case_id: domain::policy::CaseId = "CASE-1".parse().map_err(|error| text(&error))?;
    let tool = policy.tool_facts(policy, &operation);
    let principal = Principal {
        class: RoleClass::Human,
        actor_id: "user_1".to_owned(),
        role,
    };
    let scope = BTreeMap::from([
        (ScopeKey::CaseId, case_id.to_string()),
        (ScopeKey::RunId, "run".to_owned()),
    ]);
    let facts = Facts {
        safety_lock: false,
        run: RunFacts {
            parent_usable: true,
            versions: Some(policy.versions().clone()),
            as_expected: true,
        },
        tool,
        scope: scope.keys().map(|key| (*key, member)).collect(),
        references: vec![CaseRelation::SameCase],
        destination_registered: false,
        delivery_recorded: false,
        change_digests: false,
    };
    let call = Call {
        tool_name: "ocr.extract".to_owned(),
        operation,
        write: None,
        lane_id: Some(
            "TOOL_DOCUMENT_INTAKE"
                .parse()
                .map_err(|error| text(&error))?,
        ),
        claimed_actor: None,
        claimed_role: None,
        scope,
        case_id: Some(case_id),
        destination: None,
    };
    Ok((principal, call, facts))
}
