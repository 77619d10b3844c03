//! Action bodies: the shapes of the seed, what is refused, and every state as it is shown.

use domain::{
    action::{
        Authority, Binding, Bound, DeniedBy, Effect, Invocation, InvocationState, Mismatch,
        Refusal, ResultRef, Risk,
    },
    audit::Sha256Hex,
    clock::Timestamp,
    id::{ArtifactId, GrantId, InvocationId, OrganizationId, RunId, SessionId, UserId},
    policy::PolicyId,
    run::{RunError, RunErrorCode},
};
use serde_json::{Value, from_value, json, to_value};
use uuid::Uuid;

use super::*;
use domain::action::{ApprovalMode as DomainMode, GrantScopeKind};

const ID: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_767_605_400_000_000 + seconds * 1_000_000).unwrap()
}

fn uuid() -> Uuid {
    ID.parse().unwrap()
}

fn ann() -> UserId {
    UserId::new("ann").unwrap()
}

fn invocation(state: InvocationState) -> Invocation {
    Invocation {
        id: InvocationId::from_uuid(uuid()),
        organization_id: OrganizationId::new("acme").unwrap(),
        session_id: SessionId::from_uuid(uuid()),
        run_id: RunId::from_uuid(uuid()),
        integration_id: None,
        integration: "linear".parse().unwrap(),
        action: "create_issue".parse().unwrap(),
        risk: Risk::Write,
        binding: Binding {
            call: Sha256Hex::of(b"call"),
            tool: Sha256Hex::of(b"tool"),
            policy: PolicyId::parse(&"0".repeat(64)).unwrap(),
        },
        suspended: None,
        created_at: at(0),
        state,
    }
}

fn pending() -> InvocationState {
    InvocationState::Pending {
        expires_at: at(300),
        returned: None,
    }
}

fn states() -> Vec<InvocationState> {
    let mismatch = Mismatch {
        changed: vec![Bound::Tool, Bound::Policy],
    };
    let result = ResultRef {
        sha256: Sha256Hex::of(b"{}"),
        artifact: Some(ArtifactId::from_uuid(uuid())),
    };
    let executing = |authority| InvocationState::Executing {
        claimed_at: at(10),
        authority,
    };
    let approval = Authority::Approval {
        by: ann(),
        at: at(9),
    };
    let error = RunError::new(RunErrorCode::ToolTimeout, "no answer in 30 s", false);
    vec![
        pending(),
        InvocationState::Pending {
            expires_at: at(300),
            returned: Some(mismatch),
        },
        pending().approve(ann(), DomainMode::Once, at(9)).unwrap(),
        executing(Authority::Read),
        executing(Authority::Grant(GrantId::from_uuid(uuid())))
            .complete(result, at(12))
            .unwrap(),
        executing(approval)
            .fail(error, Effect::Unknown, None, at(40))
            .unwrap(),
        pending().deny(ann(), Some("not today"), at(9)).unwrap(),
        InvocationState::Denied {
            at: at(0),
            by: DeniedBy::Platform(Refusal::Danger),
            reason: None,
        },
        pending().expire(at(300)).unwrap(),
    ]
}

fn view(state: InvocationState) -> InvocationView {
    InvocationView::new(invocation(state), json!({"title": "x"}), None)
}

#[test]
fn every_state_as_it_is_shown() {
    // Members that all have are in the first; the others list the differences.
    let first = to_value(view(pending())).unwrap();
    let differing = |state: InvocationState| {
        let mut shown = to_value(view(state)).unwrap();
        let members = shown.as_object_mut().unwrap();
        members.retain(|name, value| first.get(name) != Some(value) || name == "status");
        shown
    };
    insta::assert_json_snapshot!("pending", first);
    let others: Vec<Value> = states().into_iter().skip(1).map(differing).collect();
    insta::assert_json_snapshot!("others", others);
    for state in states() {
        let shown = view(state);
        let text = serde_json::to_string(&shown).unwrap();
        assert_eq!(
            serde_json::from_str::<InvocationView>(&text).unwrap(),
            shown
        );
    }
}

#[test]
fn invoking_in_the_words_of_the_seed() {
    let body = json!({"integration": "linear", "action": "list_issues"});
    let request: InvokeRequest = from_value(body.clone()).unwrap();
    assert_eq!(to_value(&request).unwrap(), body);
    assert!(request.params.is_empty());
    for bad in [
        json!({"action": "list_issues"}),
        json!({"integration": "linear"}),
        json!({"integration": "linear", "action": "x", "params": []}),
        json!({"integration": "linear", "action": "x", "risk": "read"}),
        json!({"integration": "linear", "action": "x", "sessionId": ID}),
    ] {
        assert!(from_value::<InvokeRequest>(bad.clone()).is_err(), "{bad}");
    }
    let odd: InvokeRequest = from_value(json!({"integration": "*", "action": "a b"})).unwrap();
    assert_eq!(odd.integration().unwrap_err().field, "integration");
    assert_eq!(odd.action().unwrap_err().field, "action");
}

#[test]
fn defect_25_a_result_that_is_null_is_a_result() {
    let answer = |result| InvokeResponse {
        invocation: view(pending()),
        result,
        message: None,
        error: None,
    };
    let null = to_value(answer(Some(Value::Null))).unwrap();
    assert_eq!(null.get("result"), Some(&Value::Null));
    let read: InvokeResponse = from_value(null).unwrap();
    assert_eq!(read.result, Some(Value::Null));
    assert_eq!(to_value(answer(None)).unwrap().get("result"), None);
}

#[test]
fn approving_once_or_with_a_grant() {
    let request = |mut body: Value| {
        if body.get("callSha256").is_none() {
            body["callSha256"] = "0".repeat(64).into();
        }
        from_value::<ApproveRequest>(body).unwrap()
    };
    let missing = from_value::<ApproveRequest>(json!({"mode": "once"})).unwrap_err();
    assert_eq!(missing.to_string(), "missing field `callSha256`");
    let grant = |body| request(body).grant();
    assert_eq!(grant(json!({})), Ok(None));
    assert_eq!(grant(json!({"mode": "once"})), Ok(None));
    let session = (GrantScopeKind::Session, None);
    assert_eq!(grant(json!({"mode": "grant"})), Ok(Some(session)));
    let two = std::num::NonZeroU32::new(2);
    let body = json!({"mode": "grant", "grant": {"scope": "org", "maxCalls": 2}});
    assert_eq!(grant(body), Ok(Some((GrantScopeKind::Organization, two))));
    let table = [
        (json!({"grant": {"scope": "org"}}), "grant"),
        (
            json!({"mode": "grant", "grant": {"maxCalls": 0}}),
            "grant.maxCalls",
        ),
    ];
    for (body, field) in table {
        assert_eq!(grant(body).unwrap_err().field, field);
    }
    let bad = request(json!({"callSha256": "abc"}));
    assert_eq!(bad.call_sha256().unwrap_err().field, "callSha256");
    for refused in [
        json!({"mode": "always"}),
        json!({"mode": "grant", "grant": {"integration": "*"}}),
        json!({"params": {}}),
    ] {
        let mut refused = refused;
        refused["callSha256"] = "0".repeat(64).into();
        assert!(
            from_value::<ApproveRequest>(refused.clone()).is_err(),
            "{refused}"
        );
    }
}

#[test]
fn what_is_available_and_the_inbox_as_they_are_shown() {
    let available = AvailableActions {
        integrations: vec![AvailableIntegration {
            integration_id: Some(uuid()),
            integration: "linear".into(),
            display_name: "Linear".into(),
            actions: vec![ActionView {
                name: "create_issue".into(),
                description: "Creates an issue.".into(),
                risk_level: RiskLevel::Write,
                params: vec![ActionParam {
                    name: "teamId".into(),
                    param_type: ActionParamType::String,
                    required: true,
                    description: "The team.".into(),
                }],
            }],
        }],
        unavailable: vec![UnavailableIntegration {
            integration: format!("connector:{ID}"),
            display_name: "Docs".into(),
            reason: "no answer in 15 s".into(),
        }],
    };
    insta::assert_json_snapshot!("available", available);
    let inbox = InboxResponse {
        invocations: vec![InboxEntry {
            invocation: view(pending()),
            session_title: Some("Login".into()),
        }],
        total: 1,
    };
    let shown = to_value(&inbox).unwrap();
    assert_eq!(shown["invocations"][0]["sessionTitle"], "Login");
    assert_eq!(shown["invocations"][0]["status"], "pending");
    assert_eq!(from_value::<InboxResponse>(shown).unwrap(), inbox);
}

#[test]
fn pages_are_bounded_and_filters_known() {
    let query = |body| from_value::<InboxQuery>(body);
    assert_eq!(query(json!({})).unwrap().slice(), Ok((50, 0)));
    assert_eq!(
        query(json!({"limit": 101}))
            .unwrap()
            .slice()
            .unwrap_err()
            .field,
        "limit"
    );
    assert!(query(json!({"status": "expired"})).is_ok());
    assert!(query(json!({"status": "open"})).is_err());
    assert!(query(json!({"organizationId": "other"})).is_err());
}
