//! Which calls a grant covers, and why.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    super::{
        fixture::{admin, at, basis, call, definition, draft, grant, organization, session},
        predicate::{Condition, JsonPointer},
    },
    *,
};

fn of(draft: GrantDraft) -> Grant {
    draft.into_grant(grant(1).id, organization(), (admin(), basis()), at(1))
}

fn explain(grant: &Grant, params: &Value) -> Verdict {
    grant.explain(&call(params), &definition(), at(100))
}

fn predicate(pointer: &str, condition: Condition) -> Predicate {
    Predicate::new(JsonPointer::new("pointer", pointer).unwrap(), condition).unwrap()
}

#[test]
fn every_reason_has_its_sentence() {
    let params = json!({"teamId": "T1"});
    let base = || draft("linear", "create_issue", Some(2));
    let session_of = |number| GrantDraft {
        scope: GrantScope::Session(session(number)),
        ..base()
    };
    let conditional = GrantDraft {
        predicates: vec![
            predicate("/teamId", Condition::Prefix("T".to_owned())),
            predicate("/teamId", Condition::OneOf(vec![json!("T2"), json!("T3")])),
        ],
        ..base()
    };
    let mut other_organization = of(base());
    other_organization.organization_id = OrganizationId::new("other").unwrap();
    let mut revoked = of(base());
    revoked.revoked_at = Some(at(50));
    let mut expired = of(base());
    expired.expires_at = Some(at(100));
    let mut exhausted = of(base());
    exhausted.budget.used_calls = 2;
    let mut last = of(base());
    last.budget.used_calls = 1;
    last.expires_at = Some(at(101));
    let table = [
        (of(base()), "it covers this call, with 2 calls left"),
        (
            last,
            "it covers this call, which is its last, until 1970-01-01T00:01:41Z",
        ),
        (
            of(draft("*", "*", None)),
            "it covers this call, without a limit of calls",
        ),
        (of(session_of(1)), "it covers this call, with 2 calls left"),
        (of(session_of(2)), "it is for another session"),
        (other_organization, "it is not of this organization"),
        (
            of(draft("sentry", "*", None)),
            "it is for the integration sentry",
        ),
        (
            of(draft("*", "update_issue", None)),
            "it is for the action update_issue",
        ),
        (revoked, "it was revoked at 1970-01-01T00:00:50Z"),
        (expired, "it expired at 1970-01-01T00:01:40Z"),
        (exhausted, "its 2 calls are used up"),
        (of(conditional), "/teamId must be one of 2 granted values"),
    ];
    for (grant, sentence) in table {
        let verdict = explain(&grant, &params);
        assert_eq!(verdict.to_string(), sentence);
        let applies = sentence.starts_with("it covers");
        assert_eq!(
            grant.matches(&call(&params), &definition(), at(100)),
            applies,
            "{sentence}"
        );
    }
}

#[test]
fn wildcards_and_names_in_every_combination() {
    let params = json!({});
    let table = [
        ("linear", "create_issue", true),
        ("linear", "*", true),
        ("*", "create_issue", true),
        ("*", "*", true),
        ("linear", "update_issue", false),
        ("sentry", "create_issue", false),
        ("sentry", "*", false),
        ("*", "update_issue", false),
    ];
    for (integration, action, covers) in table {
        let grant = of(draft(integration, action, None));
        assert_eq!(
            grant.matches(&call(&params), &definition(), at(100)),
            covers,
            "{integration} {action}"
        );
    }
}

#[test]
fn all_conditions_must_hold() {
    let grant = of(GrantDraft {
        predicates: vec![
            predicate("/teamId", Condition::Equals(json!("T1"))),
            predicate("/labels/0", Condition::Prefix("bug".to_owned())),
        ],
        ..draft("*", "*", None)
    });
    let table = [
        (json!({"teamId": "T1", "labels": ["bug-ui"]}), true),
        (json!({"teamId": "T1", "labels": ["feature"]}), false),
        (json!({"teamId": "T2", "labels": ["bug"]}), false),
        (json!({"teamId": "T1"}), false),
        (json!({"labels": ["bug"]}), false),
        (json!(null), false),
        (json!(["T1", "bug"]), false),
    ];
    for (params, covers) in table {
        assert_eq!(
            grant.matches(&call(&params), &definition(), at(100)),
            covers,
            "{params}"
        );
    }
}

#[test]
fn a_reason_says_nothing_of_the_parameters_or_of_what_was_granted() {
    let grant = of(GrantDraft {
        predicates: vec![predicate("/to", Condition::Equals(json!("customer-eight")))],
        ..draft("*", "*", None)
    });
    let verdict = explain(&grant, &json!({"to": "s3cret-customer"}));
    for text in [verdict.to_string(), format!("{verdict:?}")] {
        assert!(
            !text.contains("s3cret") && !text.contains("eight"),
            "{text}"
        );
    }
}

#[test]
fn the_newest_is_tried_first_and_one_that_does_not_apply_not_at_all() {
    let params = json!({});
    let mut revoked = grant(9);
    revoked.revoked_at = Some(at(10));
    let mut twin = grant(3);
    twin.created_at = at(2);
    let grants = [grant(1), revoked, grant(2), twin];
    let order: Vec<u128> = candidates(&grants, &call(&params), &definition(), at(100))
        .iter()
        .map(|grant| grant.id.uuid().as_u128())
        .collect();
    // 3 and 2 were created at the same time; their ids settle the order.
    assert_eq!(order, [3, 2, 1]);
}

#[test]
fn case_33_a_grant_revoked_after_it_was_found_no_longer_applies() {
    let params = json!({});
    let mut found = grant(1);
    assert!(found.matches(&call(&params), &definition(), at(100)));
    found.revoked_at = Some(at(100));
    assert_eq!(explain(&found, &params), Verdict::Revoked { at: at(100) });
}

#[test]
fn an_approval_grants_exactly_what_was_approved() {
    let params = json!({"title": "x"});
    let call = call(&params);
    for (kind, scope) in [
        (GrantScopeKind::Session, GrantScope::Session(session(1))),
        (GrantScopeKind::Organization, GrantScope::Organization),
    ] {
        let draft = GrantDraft::like(&call, kind, NonZeroU32::new(2));
        assert_eq!((draft.scope, draft.scope.kind()), (scope, kind));
        assert_eq!(
            draft.integration,
            Pattern::Exactly(call.integration.clone())
        );
        assert_eq!(draft.action, Pattern::Exactly(call.action.clone()));
        let other = ActionCall {
            session_id: session(2),
            ..call
        };
        let shared = of(draft).matches(&other, &definition(), at(100));
        assert_eq!(shared, kind == GrantScopeKind::Organization);
    }
}

#[test]
fn a_draft_is_checked_before_it_is_saved() {
    let with_end = |expires_at| GrantDraft {
        expires_at,
        ..draft("*", "*", None)
    };
    assert!(with_end(None).check(at(100)).is_ok());
    assert!(with_end(Some(at(101))).check(at(100)).is_ok());
    for past in [100, 99] {
        let refused = with_end(Some(at(past))).check(at(100)).unwrap_err();
        assert_eq!(refused.field, "expiresAt");
    }
    let many = GrantDraft {
        predicates: vec![predicate("/a", Condition::Equals(Value::Null)); 11],
        ..draft("*", "*", None)
    };
    assert_eq!(many.check(at(1)).unwrap_err().field, "predicates");
}

#[test]
fn defect_24_a_grant_that_ended_can_be_told_for_the_sweeper() {
    let ended = |revoked: Option<i64>, expires: Option<i64>| {
        let grant = Grant {
            revoked_at: revoked.map(at),
            expires_at: expires.map(at),
            ..grant(1)
        };
        grant.ended_at(at(100))
    };
    assert_eq!(ended(None, None), None);
    assert_eq!(ended(None, Some(101)), None);
    assert_eq!(ended(None, Some(100)), Some(at(100)));
    assert_eq!(ended(Some(50), Some(101)), Some(at(50)));
    assert_eq!(ended(Some(90), Some(80)), Some(at(80)));
}

#[test]
fn defect_24_a_budget_serves_no_call_of_another_grant() {
    let params = json!({});
    let id = GrantId::from_uuid(Uuid::from_u128(4));
    let mut one =
        draft("*", "*", Some(1)).into_grant(id, organization(), (admin(), basis()), at(1));
    one.budget = one.budget.spend().unwrap();
    assert!(!one.matches(&call(&params), &definition(), at(2)));
    one.budget = one.budget.give_back();
    assert!(one.matches(&call(&params), &definition(), at(2)));
}
