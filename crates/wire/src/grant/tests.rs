//! Grant bodies: what is accepted, refused with the field named, and shown.

use domain::{
    action::{GrantBasis, GrantRequest, NotDecided},
    id::{GrantId, GrantRequestId, OrganizationId, SessionId, UserId},
};
use serde_json::{Value, from_value, json, to_value};

use super::*;

const ID: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_767_605_400_000_000 + seconds * 1_000_000).unwrap()
}

fn admin() -> UserId {
    UserId::new("ann").unwrap()
}

fn acme() -> OrganizationId {
    OrganizationId::new("acme").unwrap()
}

fn full() -> Value {
    json!({
        "scope": "session",
        "sessionId": ID,
        "integration": "linear",
        "action": "create_issue",
        "predicates": [
            {"pointer": "/teamId", "oneOf": ["ENG", 2]},
            {"pointer": "/parent", "equals": null},
            {"pointer": "/title", "prefix": "[bot]"},
        ],
        "maxCalls": 3,
        "expiresAt": "2026-02-01T00:00:00Z",
    })
}

fn with(changes: &Value) -> Value {
    let mut body = full();
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[test]
fn a_grant_as_it_is_shown() {
    let request: CreateGrantRequest = from_value(full()).unwrap();
    assert_eq!(to_value(&request).unwrap(), full());
    let id = GrantId::from_uuid(ID.parse().unwrap());
    let grant =
        request
            .draft()
            .unwrap()
            .into_grant(id, acme(), (admin(), GrantBasis::default()), at(0));
    let view = GrantView::new(&grant, Some(at(60)));
    assert_eq!(to_value(&view.predicates).unwrap(), full()["predicates"]);
    insta::assert_json_snapshot!(view);
}

#[test]
fn what_is_wrong_is_named() {
    let table = [
        (json!({"sessionId": "x"}), "sessionId"),
        (json!({"scope": "org"}), "sessionId"),
        (json!({"sessionId": null}), "sessionId"),
        (json!({"integration": "Linear"}), "integration"),
        (json!({"integration": "lin*"}), "integration"),
        (json!({"action": ""}), "action"),
        (json!({"maxCalls": 0}), "maxCalls"),
        (json!({"maxCalls": -1}), "maxCalls"),
        (json!({"maxCalls": 1_000_001}), "maxCalls"),
        (
            json!({"predicates": [{"pointer": "a", "prefix": "x"}]}),
            "predicates[0].pointer",
        ),
        (
            json!({"predicates": [{"pointer": "/a"}]}),
            "predicates[0].pointer",
        ),
        (
            json!({"predicates": [{"pointer": "/a", "equals": 1, "prefix": "x"}]}),
            "predicates[0].pointer",
        ),
        (
            json!({"predicates": [{"pointer": "/a", "oneOf": []}]}),
            "predicates[0].oneOf",
        ),
        (
            json!({"predicates": [{"pointer": "/a", "prefix": ""}]}),
            "predicates[0].prefix",
        ),
    ];
    for (changes, field) in table {
        let request: CreateGrantRequest = from_value(with(&changes)).unwrap();
        assert_eq!(request.draft().unwrap_err().field, field, "{changes}");
    }
    for refused in [
        json!({"usedCalls": 0}),
        json!({"createdBy": "root"}),
        json!({"scope": "everything"}),
        json!({"maxCalls": 1.5}),
        json!({"predicates": [{"pointer": "/a", "regex": "x"}]}),
    ] {
        assert!(
            from_value::<CreateGrantRequest>(with(&refused)).is_err(),
            "{refused}"
        );
    }
}

#[test]
fn case_29_an_agents_wish_as_it_is_shown() {
    let wish: RequestGrantRequest =
        from_value(json!({"integration": "*", "action": "*", "scope": "org"})).unwrap();
    let session = SessionId::from_uuid(ID.parse().unwrap());
    let id = GrantRequestId::from_uuid(ID.parse().unwrap());
    let draft = wish.draft(session).unwrap();
    let pending = GrantRequest::new(id, acme(), session, draft, at(0)).unwrap();
    let grant = GrantId::from_uuid(ID.parse().unwrap());
    let allowed = || (admin(), GrantBasis::default());
    let (granted, _) = pending.clone().grant(grant, allowed(), at(60)).unwrap();
    let refused = pending
        .state
        .clone()
        .refuse(admin(), Some("too much"), at(60));
    let refused = GrantRequest {
        state: refused.unwrap(),
        ..pending.clone()
    };
    assert!(matches!(
        refused.clone().grant(grant, allowed(), at(61)),
        Err(NotDecided::Conflict { .. })
    ));
    let views = [pending, granted, refused].map(GrantRequestView::from);
    insta::assert_json_snapshot!(views);
}

#[test]
fn a_wish_is_for_the_agents_own_session_unless_it_says_otherwise() {
    let session = SessionId::from_uuid(ID.parse().unwrap());
    let wish = |body| from_value::<RequestGrantRequest>(body);
    let plain = wish(json!({"integration": "linear", "action": "*", "maxCalls": null})).unwrap();
    assert_eq!(
        plain.draft(session).unwrap().scope,
        DomainScope::Session(session)
    );
    // It cannot name another session, nor claim another author.
    for bad in [json!({"sessionId": ID}), json!({"createdBy": "ann"})] {
        let mut body = json!({"integration": "linear", "action": "*"});
        body.as_object_mut()
            .unwrap()
            .extend(bad.as_object().unwrap().clone());
        assert!(wish(body).is_err(), "{bad}");
    }
}

#[test]
fn a_backtest_as_it_is_shown() {
    use domain::{
        action::{Judgement, Verdict},
        id::InvocationId,
    };
    let judgements = [
        Judgement::Allowed,
        Judgement::NotNeeded,
        Judgement::Danger,
        Judgement::NotCovered(Verdict::OtherSession),
    ];
    let id = InvocationId::from_uuid(ID.parse().unwrap());
    let entry = |judgement| BacktestEntry::new(id, at(0), ("linear", "create_issue"), judgement);
    let calls: Vec<BacktestEntry> = judgements.iter().map(entry).collect();
    let allowed = calls.iter().filter(|call| call.allowed).count();
    let response = BacktestResponse {
        calls,
        allowed,
        truncated: false,
    };
    insta::assert_json_snapshot!(response);
}
