//! From asking to the end.

use serde_json::{Value, json};
use testkit::{database::Backend, standin::Fault};

use super::desk::{Desk, issue};
use crate::support::UNKNOWN_ID;

testkit::on_both_databases!(
    a_read_runs_at_once,
    a_write_waits_runs_when_approved_and_is_told,
    danger_is_denied_and_on_record,
    a_denied_write_never_runs,
    an_undecided_call_expires,
    defect_20_of_many_at_once_the_eleventh_pending_is_too_many,
    the_sixty_first_of_a_minute_is_too_many,
    who_may_decide,
    what_is_wrong_is_named_before_anything_happens,
    a_failure_is_told_as_one,
    a_lost_answer_is_an_unknown_outcome,
    a_repeated_request_is_the_same_invocation,
    a_repeated_request_finds_its_invocation_where_there_is_no_room_for_another,
    a_session_that_is_stopped_takes_its_questions_along,
);

async fn a_read_runs_at_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    let answer = desk.invoke("list_issues", json!({})).await.expect(200);
    let invocation = &answer["invocation"];
    assert_eq!(invocation["status"], "completed");
    assert_eq!(invocation["riskLevel"], "read");
    assert_eq!(invocation["authority"]["kind"], "read");
    let issues = &answer["result"]["items"];
    assert_eq!(issues[0]["title"], "Log in fails on Safari", "{answer}");
    assert_eq!(desk.linear.requests().len(), 1);
    assert_eq!(
        desk.told().await,
        [
            "authz_decision/allow/- linear/list_issues",
            "tool_call/success/- linear/list_issues",
        ]
    );
    let shown = desk.show(invocation).await;
    assert_eq!(shown["status"], "completed");
    assert_eq!(shown["result"], answer["result"]);
}

async fn a_write_waits_runs_when_approved_and_is_told(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk
        .invoke("create_issue", issue("Blank page"))
        .await
        .expect(202);
    assert_eq!(asked["message"], "Action requires approval");
    assert_eq!(asked["invocation"]["status"], "pending");
    assert_eq!(asked["invocation"]["params"]["title"], "Blank page");
    assert_eq!(desk.linear.requests().len(), 0);
    let approved = desk
        .approve(&asked["invocation"], json!({}))
        .await
        .expect(200);
    assert_eq!(approved["invocation"]["status"], "completed");
    assert_eq!(approved["invocation"]["authority"]["kind"], "approval");
    assert_eq!(approved["result"]["issue"]["title"], "Blank page");
    assert_eq!(approved.get("grant"), None);
    assert_eq!(desk.linear.changes(), 1);
    let again = desk.approve(&asked["invocation"], json!({})).await;
    again.expect_problem(409, "CONFLICT");
    assert_eq!(desk.linear.changes(), 1);
    assert_eq!(
        desk.told().await,
        [
            "authz_decision/allow/approval_required linear/create_issue",
            "authz_decision/allow/- linear/create_issue",
            "tool_call/success/- linear/create_issue",
        ]
    );
}

async fn danger_is_denied_and_on_record(backend: Backend) {
    let desk = Desk::open(backend).await;
    let answer = desk
        .invoke("delete_issue", json!({"issueId": "ENG-1"}))
        .await;
    let answer = answer.expect(403);
    assert_eq!(answer["invocation"]["status"], "denied");
    assert_eq!(
        answer["error"],
        "this action is dangerous and always denied"
    );
    assert_eq!(desk.linear.requests().len(), 0);
    let refused = desk.approve(&answer["invocation"], json!({})).await;
    refused.expect_problem(409, "CONFLICT");
    assert_eq!(
        desk.told().await,
        [
            "authz_decision/deny/danger linear/delete_issue",
            "tool_call/deny/danger linear/delete_issue",
        ]
    );
}

async fn a_denied_write_never_runs(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Blank page").await;
    let owner = desk.app.owner();
    let denied = desk
        .decide(&owner, &asked, "deny", json!({"reason": "not today"}))
        .await;
    let denied = denied.expect(200)["invocation"].clone();
    assert_eq!(
        (&denied["status"], &denied["error"]),
        (&json!("denied"), &json!("not today"))
    );
    desk.approve(&asked, json!({}))
        .await
        .expect_problem(409, "CONFLICT");
    let again = desk.decide(&owner, &asked, "deny", json!({})).await;
    again.expect_problem(409, "CONFLICT");
    assert_eq!(desk.show(&asked).await["status"], "denied");
    assert_eq!(desk.linear.requests().len(), 0);
    let told = desk.told().await;
    assert_eq!(
        told[1],
        "tool_call/deny/denied_by_person linear/create_issue"
    );
}

async fn an_undecided_call_expires(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Blank page").await;
    desk.later(299);
    assert_eq!(desk.show(&asked).await["status"], "pending");
    desk.later(1);
    // Read before a sweep stored it.
    assert_eq!(desk.show(&asked).await["status"], "expired");
    desk.approve(&asked, json!({}))
        .await
        .expect_problem(410, "EXPIRED");
    let owner = desk.app.owner();
    let denied = desk.decide(&owner, &asked, "deny", json!({})).await;
    denied.expect_problem(410, "EXPIRED");
    assert_eq!(app::actions::expire(&desk.app.app).await.unwrap(), 1);
    assert_eq!(app::actions::expire(&desk.app.app).await.unwrap(), 0);
    desk.approve(&asked, json!({}))
        .await
        .expect_problem(410, "EXPIRED");
    let listed = desk
        .agent
        .get(&desk.path("invocations?status=expired"))
        .await;
    assert_eq!(listed.expect(200)["invocations"][0]["id"], asked["id"]);
    assert_eq!(desk.linear.requests().len(), 0);
    let told = desk.told().await;
    assert_eq!(
        told[1],
        "tool_call/failure/not_decided_in_time linear/create_issue"
    );
}

async fn defect_20_of_many_at_once_the_eleventh_pending_is_too_many(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asks = (0..14).map(|number| desk.invoke("create_issue", issue(&format!("no. {number}"))));
    let answers = futures::future::join_all(asks).await;
    let held = answers.iter().filter(|answer| answer.status == 202).count();
    assert_eq!(held, 10);
    let refused: Vec<_> = answers
        .iter()
        .filter(|answer| answer.status != 202)
        .collect();
    assert_eq!(refused.len(), 4);
    for answer in refused {
        answer.expect_problem(429, "RATE_LIMITED");
        assert_eq!(answer.header("retry-after"), Some("30"));
    }
    desk.later(300);
    desk.ask("there is room again").await;
}

async fn the_sixty_first_of_a_minute_is_too_many(backend: Backend) {
    let desk = Desk::open(backend).await;
    for _ in 0..60 {
        desk.invoke("list_issues", json!({})).await.expect(200);
    }
    let refused = desk.invoke("list_issues", json!({})).await;
    refused.expect_problem(429, "RATE_LIMITED");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(desk.linear.requests().len(), 60);
    desk.later(61);
    desk.invoke("list_issues", json!({})).await.expect(200);
}

async fn who_may_decide(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Blank page").await;
    for verb in ["approve", "deny"] {
        let member = desk
            .decide(&desk.app.member(), &asked, verb, json!({}))
            .await;
        member.expect_problem(403, "FORBIDDEN");
        let agent = desk.decide(&desk.agent, &asked, verb, json!({})).await;
        agent.expect_problem(403, "FORBIDDEN");
        let foreigner = desk
            .decide(&desk.app.foreigner(), &asked, verb, json!({}))
            .await;
        foreigner.expect_problem(404, "NOT_FOUND");
        let unknown = json!({"id": UNKNOWN_ID});
        let nothing = desk
            .decide(&desk.app.owner(), &unknown, verb, json!({}))
            .await;
        nothing.expect_problem(404, "NOT_FOUND");
    }
    assert_eq!(desk.show(&asked).await["status"], "pending");
    // Only the agent in the sandbox asks.
    let body = json!({"integration": "linear", "action": "list_issues"});
    let person = desk.app.owner().post(&desk.path("invoke"), body).await;
    person.expect_problem(403, "FORBIDDEN");
    assert_eq!(desk.linear.requests().len(), 0);
}

async fn what_is_wrong_is_named_before_anything_happens(backend: Backend) {
    let desk = Desk::open(backend).await;
    let table = [
        ("linear", "create_issue", json!({"teamId": "x"}), "params"),
        (
            "linear",
            "create_issue",
            json!({"teamId": "x", "title": 7}),
            "params",
        ),
        ("linear", "no_such_action", json!({}), "action"),
        ("sentry", "list_issues", json!({}), "integration"),
        ("nothing", "list_issues", json!({}), "integration"),
        ("*", "list_issues", json!({}), "integration"),
    ];
    for (integration, action, params, field) in table {
        let body = json!({"integration": integration, "action": action, "params": params});
        let answer = desk.agent.post(&desk.path("invoke"), body).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
    let twice = r#"{"integration": "linear", "action": "list_issues", "params": {"a": 1, "a": 2}}"#;
    let call = desk
        .agent
        .call("POST".parse().unwrap(), &desk.path("invoke"));
    let answer = call.body("application/json", twice).await;
    answer.expect_problem(400, "INVALID_JSON");
    let listed = desk.agent.get(&desk.path("invocations")).await.expect(200);
    assert_eq!(listed["invocations"], json!([]));
    assert_eq!(desk.linear.requests().len(), 0);
}

async fn a_failure_is_told_as_one(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.linear.fail_next([Fault::Status(401)]);
    let answer = desk.invoke("list_issues", json!({})).await.expect(502);
    let invocation = &answer["invocation"];
    assert_eq!(invocation["status"], "failed");
    assert_eq!(invocation["outcomeUnknown"], false);
    let error = answer["error"].as_str().unwrap();
    assert!(
        error.starts_with("Linear does not accept the credential"),
        "{error}"
    );
    let told = desk.told().await;
    assert_eq!(told[1], "tool_call/failure/unauthorized linear/list_issues");
}

async fn a_lost_answer_is_an_unknown_outcome(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Blank page").await;
    desk.linear.fail_next([Fault::CutAfter]);
    let answer = desk.approve(&asked, json!({})).await.expect(502);
    assert_eq!(answer["invocation"]["status"], "failed");
    assert_eq!(answer["invocation"]["outcomeUnknown"], true);
    assert_eq!(desk.linear.changes(), 1);
    desk.approve(&asked, json!({}))
        .await
        .expect_problem(409, "CONFLICT");
    assert_eq!(desk.linear.changes(), 1);
}

async fn a_repeated_request_is_the_same_invocation(backend: Backend) {
    let desk = Desk::open(backend).await;
    let send = async |title: &str| desk.ask_once(title).await;
    let first = send("Blank page").await.expect(202)["invocation"].clone();
    let second = send("Blank page").await.expect(202)["invocation"].clone();
    assert_eq!(first["id"], second["id"]);
    send("Another")
        .await
        .expect_problem(409, "IDEMPOTENCY_CONFLICT");
    desk.approve(&first, json!({})).await.expect(200);
    let third: Value = send("Blank page").await.expect(200);
    assert_eq!(third["invocation"]["id"], first["id"]);
    assert_eq!(third["result"]["issue"]["title"], "Blank page");
    assert_eq!(desk.linear.changes(), 1);
}

async fn a_repeated_request_finds_its_invocation_where_there_is_no_room_for_another(
    backend: Backend,
) {
    let desk = Desk::open(backend).await;
    let first = desk.ask_once("Blank page").await.expect(202)["invocation"].clone();
    for number in 2..=10 {
        desk.ask(&format!("no. {number}")).await;
    }
    let again = desk.ask_once("Blank page").await.expect(202)["invocation"].clone();
    assert_eq!(again["id"], first["id"]);
    let other = desk.ask_once("Another").await;
    other.expect_problem(409, "IDEMPOTENCY_CONFLICT");
    let full = desk.invoke("create_issue", issue("no. 11")).await;
    full.expect_problem(429, "RATE_LIMITED");
}

async fn a_session_that_is_stopped_takes_its_questions_along(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Blank page").await;
    let owner = desk.app.owner();
    let path = format!("/v1/sessions/{}", desk.session);
    owner.delete(&path).await.expect(200);
    let id = asked["id"].as_str().unwrap();
    let shown = owner.get(&format!("/v1/actions/{id}")).await.expect(200);
    let shown = &shown["invocation"];
    assert_eq!(
        (&shown["status"], &shown["error"]),
        (&json!("denied"), &json!("its session ended"))
    );
    let approved = desk.approve(&asked, json!({})).await;
    approved.expect_problem(409, "CONFLICT");
    assert_eq!(desk.linear.requests().len(), 0);
    let told = desk.told().await;
    assert_eq!(told[1], "tool_call/deny/session_ended linear/create_issue");
}
