//! What does deciding alone cost? No database, no network: a policy, a call and its facts, in memory.

use std::{collections::BTreeMap, hint::black_box, num::NonZeroU32};

use anyhow::{anyhow, ensure};
use app::{
    policy::{Policy, PolicyFiles, load},
    system::{SystemClock, SystemEntropy},
};
use domain::{
    action::{
        ActionCall, BuiltInActions, CallDefinition, Condition, Disposition, Grant, GrantBasis,
        GrantDraft, GrantScope, JsonPointer, Predicate, Risk, Standing, dispose,
    },
    audit::Sha256Hex,
    clock::Clock as _,
    id::{GrantId, OrganizationId, SessionId},
    limits::{GRANT_CANDIDATES_MAX, PENDING_LIFE},
    policy::{
        CaseRelation, Facts, LaneRequest, LockFacts, Principal, RoleClass, RunFacts, ScopeKey,
        ScopeTruth, decide,
    },
};

use serde_json::json;

use crate::table::Table;

pub(crate) const NAME: &str = "decision";

const DECISIONS: u32 = 500_000;

pub(crate) fn measure(table: &mut Table) -> anyhow::Result<()> {
    let policy = load(PolicyFiles::built_in()).map_err(|problems| anyhow!("{problems}"))?;
    for (name, verified) in [
        ("decision, allowed", ScopeTruth::Verified),
        ("decision, denied", ScopeTruth::Refuted),
    ] {
        let (principal, call, facts) = sample_call(&policy, verified)?;
        let snapshot = policy.snapshot();
        let decide_once = || decide(snapshot, snapshot, &principal, &call, &facts);
        let expected = verified == ScopeTruth::Verified;
        ensure!(
            decide_once().is_ok() == expected,
            "the decision went the wrong way"
        );
        let clock = SystemClock::new();
        for _ in 0..DECISIONS {
            let _ = black_box(decide_once());
        }
        table.rate(name, "-", DECISIONS, clock.monotonic());
    }
    measure_grants(table)
}

/// A write, with as many grants as are ever looked at, of which the oldest covers it.
fn measure_grants(table: &mut Table) -> anyhow::Result<()> {
    let now = SystemClock::new().now();
    let organization_id = "acme".parse()?;
    let session_id = SessionId::generate(now, &SystemEntropy);
    let sha256 = Sha256Hex::of(b"as it is");
    let names = ("linear".parse()?, "create_issue".parse()?);
    let basis = GrantBasis {
        built_in: BuiltInActions([(names, sha256.clone())].into()),
        ..GrantBasis::default()
    };
    let definition = CallDefinition::BuiltIn { sha256 };
    let grant = |number: u32| -> anyhow::Result<Grant> {
        let pointer = JsonPointer::new("pointer", "/teamId")?;
        let team = if number == 0 { "ENG" } else { "OPS" };
        let draft = GrantDraft {
            scope: GrantScope::Organization,
            integration: "linear".parse()?,
            action: "create_issue".parse()?,
            predicates: vec![Predicate::new(pointer, Condition::Equals(team.into()))?],
            max_calls: NonZeroU32::new(1000),
            expires_at: None,
        };
        let id = GrantId::generate(now, &SystemEntropy);
        Ok(draft.into_grant(
            id,
            OrganizationId::clone(&organization_id),
            ("ada".parse()?, basis.clone()),
            now,
        ))
    };
    let grants: Vec<Grant> = (0..GRANT_CANDIDATES_MAX)
        .map(grant)
        .collect::<anyhow::Result<_>>()?;
    let (integration, action) = ("linear".parse()?, "create_issue".parse()?);
    let params = json!({"teamId": "ENG", "title": "Blank page"});
    let call = ActionCall {
        organization_id: &organization_id,
        session_id,
        integration: &integration,
        action: &action,
        params: &params,
    };
    for (name, grants) in [
        ("grant decision, of 1", &grants[..1]),
        ("grant decision, of 100", &grants[..]),
    ] {
        let standing = Standing {
            pending: 0,
            grants,
            definition: &definition,
            hold: PENDING_LIFE,
            now,
        };
        let decide_once = || dispose(Risk::Write, &call, &standing);
        ensure!(
            matches!(decide_once(), Disposition::Execute(_)),
            "no grant covers it"
        );
        let clock = SystemClock::new();
        for _ in 0..DECISIONS {
            let _ = black_box(decide_once());
        }
        table.rate(name, "-", DECISIONS, clock.monotonic());
    }
    Ok(())
}

/// Text recognition on a picture of a case, as a member of the case requests it.
fn sample_call(
    policy: &Policy,
    member: ScopeTruth,
) -> anyhow::Result<(Principal, LaneRequest, Facts)> {
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
        lock: LockFacts::Open,
        run: RunFacts {
            parent_usable: true,
            versions: Some(policy.versions().clone()),
            as_expected: true,
        },
        tool,
        scope: scope.keys().map(|key| (*key, member)).collect(),
        references: vec![CaseRelation::SameCase],
        change_digests: false,
    };
    let call = LaneRequest {
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
    };
    Ok((principal, call, facts))
}
