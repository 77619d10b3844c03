//! Every risk against every set of facts.

use std::sync::LazyLock;

use serde_json::json;

use super::{
    super::{
        fixture::{at, call, definition, grant},
        grant::suspended,
        grant_basis::{GrantBasis, SuspendedGrant, Suspension},
    },
    *,
};
use crate::limits::PENDING_LIFE;

static AS_IT_IS: LazyLock<CallDefinition> = LazyLock::new(definition);

fn standing(pending: u32, grants: &[Grant]) -> Standing<'_> {
    Standing {
        pending,
        grants,
        definition: &AS_IT_IS,
        hold: PENDING_LIFE,
        now: at(100),
    }
}

#[test]
fn every_risk_and_standing() {
    let params = json!({});
    let granted = [grant(1)];
    let hold = Disposition::Hold {
        expires_at: at(100).plus(PENDING_LIFE),
    };
    let by_grant = Disposition::Execute(Authority::Grant(granted[0].id));
    let read = Disposition::Execute(Authority::Read);
    let table = [
        (Risk::Read, 0, &[][..], read.clone()),
        (Risk::Read, 10, &granted, read),
        (Risk::Write, 0, &[], hold.clone()),
        (Risk::Write, 9, &[], hold),
        (Risk::Write, 10, &[], Disposition::TooManyPending),
        (Risk::Write, u32::MAX, &[], Disposition::TooManyPending),
        (Risk::Write, 0, &granted, by_grant.clone()),
        (Risk::Write, 10, &granted, by_grant),
        (Risk::Danger, 0, &[], Disposition::DenyDanger),
        (Risk::Danger, 10, &granted, Disposition::DenyDanger),
    ];
    for (risk, pending, grants, expected) in table {
        let found = dispose(risk, &call(&params), &standing(pending, grants));
        assert_eq!(found, expected, "{risk} {pending} {}", grants.len());
    }
}

#[test]
fn defect_28_danger_is_denied_whatever_was_granted() {
    let params = json!({});
    let everything = [grant(1), grant(2)];
    let disposition = dispose(Risk::Danger, &call(&params), &standing(0, &everything));
    assert_eq!(disposition, Disposition::DenyDanger);
    assert!(matches!(
        disposition.begin(at(100)),
        Some(InvocationState::Denied {
            by: DeniedBy::Platform(Refusal::Danger),
            ..
        })
    ));
}

#[test]
fn case_34_the_eleventh_is_turned_away_and_leaves_no_invocation() {
    let params = json!({});
    let tenth = dispose(Risk::Write, &call(&params), &standing(9, &[]));
    assert!(matches!(
        tenth.begin(at(100)),
        Some(InvocationState::Pending { .. })
    ));
    let eleventh = dispose(Risk::Write, &call(&params), &standing(10, &[]));
    assert_eq!(eleventh.begin(at(100)), None);
}

#[test]
fn case_30_who_loses_the_last_call_of_a_grant_goes_on_without_it() {
    let params = json!({});
    let mut last = grant(2);
    last.budget.max_calls = std::num::NonZeroU32::new(1);
    let older = grant(1);
    let both = [older.clone(), last.clone()];
    let first = dispose(Risk::Write, &call(&params), &standing(0, &both));
    assert_eq!(first, Disposition::Execute(Authority::Grant(last.id)));
    last.budget = last.budget.spend().unwrap();
    let then = dispose(
        Risk::Write,
        &call(&params),
        &standing(0, &[last, older.clone()]),
    );
    assert_eq!(then, Disposition::Execute(Authority::Grant(older.id)));
}

#[test]
fn case_39_no_parameter_raises_or_lowers_the_answer() {
    let words = [
        json!({"approved": true, "risk": "read", "authority": "admin"}),
        json!({"invocation": {"status": "approved"}}),
        json!("approved"),
    ];
    for params in words {
        let found = dispose(Risk::Write, &call(&params), &standing(0, &[]));
        assert!(matches!(found, Disposition::Hold { .. }), "{params}");
    }
}

#[test]
fn a_grant_for_another_definition_holds_the_call_and_spends_nothing() {
    let params = json!({});
    let mut newest = grant(2);
    newest.basis = GrantBasis::default();
    let mut revoked = grant(3);
    revoked.basis = GrantBasis::default();
    revoked.revoked_at = Some(at(50));
    let found = |grants: &[Grant]| dispose(Risk::Write, &call(&params), &standing(0, grants));
    assert!(matches!(
        found(std::slice::from_ref(&newest)),
        Disposition::Hold { .. }
    ));
    let grants = [grant(1), newest.clone(), revoked.clone()];
    let older = Disposition::Execute(Authority::Grant(grants[0].id));
    assert_eq!(found(&grants), older);
    // The grant that is named covers the call but for the definition.
    let named = suspended(
        &[newest.clone(), revoked],
        &call(&params),
        &AS_IT_IS,
        at(100),
    );
    let because = Suspension::ActionNew;
    assert_eq!(
        named,
        Some(SuspendedGrant {
            id: newest.id,
            because
        })
    );
}
