//! Caller, lane and operation. No claim in a body changes the caller.

use domain::case::CaseMember;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
};

use super::desk::{CALLS, CASE, Desk, call, dictation_call, with};

testkit::on_both_databases!(
    a_call_that_is_in_order_is_made_and_told,
    case_1_an_actor_that_is_not_the_caller_is_denied,
    case_2_a_role_that_is_not_the_callers_is_denied,
    case_4_a_name_that_looks_like_another_is_no_name,
    case_5_an_operation_of_another_tool_is_denied,
    case_6_without_a_lane_there_is_no_call,
    case_7_a_role_is_not_inherited_from_the_parent_run,
    case_8_a_longer_name_is_another_tool,
    case_57_unauthenticated_callers_do_not_fill_the_log,
    the_safety_lock_denies_everything,
    a_service_and_a_sandbox_are_agents,
);

#[track_caller]
pub(super) fn denied(answer: &TestResponse, reason: &str) -> Value {
    let body = answer.json();
    assert_eq!(answer.status, 403, "{body}");
    assert_eq!(body["outcome"], "deny");
    assert_eq!(body["outcome_reason"], reason, "{body}");
    assert_eq!(body["error"]["error_code"], "POLICY_DENIED");
    assert_eq!(body["error"]["retryable"], false);
    assert_eq!(body["output_artifacts"], json!([]));
    body
}

#[track_caller]
pub(super) fn invalid(answer: &TestResponse) -> Value {
    let body = answer.json();
    assert_eq!(answer.status, 400, "{body}");
    assert_eq!(body["outcome"], "failure");
    assert_eq!(body["error"]["error_code"], "INVALID_REQUEST", "{body}");
    assert_eq!(body["error"]["retryable"], false);
    body
}

async fn a_call_that_is_in_order_is_made_and_told(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let mut body = with(dictation_call(&run), "correlation_id", json!("corr-7"));
    body["actor"] = json!({
        "actor_type": "human",
        "actor_id": Person::Member.user_id().as_str(),
        "agent_name": "scribe",
    });
    let answer = desk.send(body).await.expect(200);
    assert_eq!(answer["outcome"], "success");
    assert_eq!(answer["correlation_id"], "corr-7");
    assert_eq!(answer["tool_name"], "dictation.start");
    assert_eq!(desk.dictation.calls(), 1);
    assert_eq!(desk.dictation.last_parameters()["note"], "hello");
    let told = desk.told(0).await;
    let expected = [
        "system/success/-",
        "authz_decision/allow/-",
        "tool_call/success/-",
    ];
    assert_eq!(told, expected);
    let events = desk.events().await;
    let (decision, result) = (&events[1], &events[2]);
    for event in [decision, result] {
        assert_eq!(event["run_id"], answer["run_id"]);
        assert_eq!(event["parent_run_id"], run.as_str());
        assert_eq!(event["case_id"], CASE);
        assert_eq!(event["lane_id"], "TOOL_INTERVIEW_CAPTURE");
        assert_eq!(event["role_id"], "ORGANIZATION_MEMBER");
        assert_eq!(event["correlation_id"], "corr-7");
        assert_eq!(event["target"]["operation"], "dictation.start");
        assert!(event["request_hash_sha256"].is_string());
    }
    assert_eq!(decision["actor"]["agent_name"], "scribe");
    assert_eq!(
        result["response_hash_sha256"],
        answer["response_hash_sha256"]
    );
    assert!(
        !events
            .iter()
            .any(|event| event.to_string().contains("hello")),
        "a parameter's text is in no event"
    );
}

async fn case_1_an_actor_that_is_not_the_caller_is_denied(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    for actor in [
        json!({"actor_type": "human", "actor_id": "user_acme_owner"}),
        json!({"actor_type": "agent", "actor_id": Person::Member.user_id().as_str()}),
    ] {
        let body = with(dictation_call(&run), "actor", actor);
        denied(&desk.send(body).await, "actor_mismatch");
    }
    assert_eq!(desk.dictation.calls(), 0);
    let expected = [
        "authz_decision/deny/actor_mismatch",
        "tool_call/deny/actor_mismatch",
    ];
    assert_eq!(desk.told(1).await, expected.repeat(2));
}

async fn case_2_a_role_that_is_not_the_callers_is_denied(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    for role in [
        "ORGANIZATION_ADMIN",
        "CASE_AGENT",
        "organization_member",
        "ROOT",
    ] {
        let body = with(dictation_call(&run), "role_id", json!(role));
        denied(&desk.send(body).await, "role_mismatch");
    }
    assert_eq!(desk.dictation.calls(), 0);
}

async fn case_4_a_name_that_looks_like_another_is_no_name(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let names = [
        "Dictation.start",
        "dictation.start.",
        ".dictation.start",
        "dictation..start",
        "dictation.start\0",
        "dictation.\u{200b}start",
        "dict\u{0430}tion.start",
        "dictation start",
        "",
    ];
    for name in names {
        for member in ["operation", "tool_name"] {
            let body = with(dictation_call(&run), member, json!(name));
            let answer = invalid(&desk.send(body).await);
            assert!(answer["run_id"].is_null());
            let text = answer.to_string();
            assert!(
                name.is_empty() || !text.contains(&format!("\"{name}\"")),
                "{text}"
            );
        }
    }
    assert_eq!(desk.dictation.calls(), 0);
    let expected = [
        "authz_decision/deny/invalid_request",
        "tool_call/failure/invalid_request",
    ];
    assert_eq!(desk.told(1).await, expected.repeat(2 * names.len()));
}

async fn case_5_an_operation_of_another_tool_is_denied(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let body = with(dictation_call(&run), "tool_name", json!("transcription"));
    denied(&desk.send(body).await, "tool_name_mismatch");
    // The tool's own name, an operation of the lane's neighbour.
    let mut body = dictation_call(&run);
    body["tool_name"] = json!("ocr");
    body["operation"] = json!("ocr.extract");
    denied(&desk.send(body).await, "operation_not_allowed");
    assert_eq!(desk.dictation.calls(), 0);
}

async fn case_6_without_a_lane_there_is_no_call(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let mut absent = dictation_call(&run);
    absent.as_object_mut().unwrap().remove("lane_id");
    for (body, reason) in [
        (absent, "lane_missing"),
        (
            with(dictation_call(&run), "lane_id", json!(null)),
            "lane_missing",
        ),
        (
            with(dictation_call(&run), "lane_id", json!("")),
            "lane_missing",
        ),
        (
            with(dictation_call(&run), "lane_id", json!("NO_SUCH_LANE")),
            "lane_unknown",
        ),
    ] {
        let seen = desk.events().await.len();
        denied(&desk.send(body).await, reason);
        let expected = [
            format!("authz_decision/deny/{reason}"),
            format!("tool_call/deny/{reason}"),
        ];
        assert_eq!(desk.told(seen).await, expected);
    }
    assert_eq!(desk.dictation.calls(), 0);
}

async fn case_7_a_role_is_not_inherited_from_the_parent_run(backend: Backend) {
    let desk = Desk::open(backend).await;
    let service = desk.app.with_token(desk.app.service_token(&desk.app.acme));
    // The admin's own run, in the admin's own lane; the agent only borrows it.
    let admin = desk.app.person(Person::Admin);
    let run = desk.run_of(&admin, None).await;
    let mut body = call("export.bundle.create", &run);
    body["lane_id"] = json!("EXPORT_CASE_DATA");
    body["scope"] = json!({"export_reason": "handover"});
    let answer = service.post(CALLS, body).await;
    denied(&answer, "run_invalid");
    let events = desk.events().await;
    let decision = events
        .iter()
        .rev()
        .find(|event| event["action_type"] == "authz_decision");
    assert_eq!(decision.unwrap()["role_id"], "CASE_AGENT");
}

async fn case_8_a_longer_name_is_another_tool(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let mut body = dictation_call(&run);
    body["operation"] = json!("dictation.start.evil");
    denied(&desk.send(body).await, "tool_unknown");
    assert_eq!(desk.dictation.calls(), 0);
}

async fn case_57_unauthenticated_callers_do_not_fill_the_log(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let seen = desk.events().await.len();
    let strangers: [Client; 2] = [desk.app.anonymous(), desk.app.with_token("garbage")];
    for _ in 0..100 {
        for stranger in &strangers {
            let answer = stranger.post(CALLS, dictation_call(&run)).await;
            assert_eq!(answer.status, 401);
        }
    }
    assert_eq!(desk.events().await.len(), seen);
    assert_eq!(desk.dictation.calls(), 0);
}

async fn the_safety_lock_denies_everything(backend: Backend) {
    let desk = Desk::open_with(TestApp::builder(backend).safety_lock()).await;
    let run = desk.run().await;
    denied(&desk.send(dictation_call(&run)).await, "safety_lock");
    assert_eq!(desk.dictation.calls(), 0);
}

async fn a_service_and_a_sandbox_are_agents(backend: Backend) {
    let desk = Desk::open(backend).await;
    let service = desk.app.with_token(desk.app.service_token(&desk.app.acme));
    let session = desk
        .app
        .owner()
        .post("/proliferate/sessions", json!({}))
        .await;
    let session = session.expect(201)["sessionId"]
        .as_str()
        .unwrap()
        .to_owned();
    let sandbox = desk.app.sandbox(session.parse().unwrap()).await;
    let mut tx = desk.app.app.db.write().await.unwrap();
    let members: [CaseMember; 2] = [
        desk.app.service_member(),
        CaseMember::Session(session.parse().unwrap()),
    ];
    for member in &members {
        let now = domain::clock::Clock::now(&*desk.app.clock);
        let case = super::desk::case_id(CASE);
        store::case_member_insert(&mut tx, &desk.app.acme, &case, member, now)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    for (client, role) in [(service, "CASE_AGENT"), (sandbox, "SANDBOX_AGENT")] {
        let run = desk.run_of(&client, Some(CASE)).await;
        let answer = client.post(CALLS, dictation_call(&run)).await;
        assert_eq!(answer.expect(200)["outcome"], "success");
        let events = desk.events().await;
        let last = events.last().unwrap();
        assert_eq!(
            (&last["actor"]["actor_type"], &last["role_id"]),
            (&json!("agent"), &json!(role))
        );
    }
}
