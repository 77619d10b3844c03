//! Calls that end at once: what becomes of them is what a model reads.

use domain::limits::{ACTION_RATE_MAX, IDEMPOTENCY_KEY_LENGTH_MAX};
use serde_json::json;
use testkit::{app::Person, database::Backend, standin::Fault};

use super::{Desk, ask, call, last, message, path, post, text};
use crate::actions::desk::issue;

testkit::on_both_databases!(
    a_read_runs_and_is_on_record,
    a_write_that_is_granted_runs_at_once,
    danger_is_denied_and_on_record,
    wrong_arguments_are_told_to_the_model,
    a_failure_of_the_service_is_returned_with_its_text,
    a_rate_limited_caller_gets_the_time_to_wait,
    a_person_may_call_and_is_on_record_as_one,
    a_member_who_may_only_watch_calls_nothing,
    a_call_repeated_under_its_key_is_done_once,
    a_key_that_no_index_takes_is_refused_by_name,
    what_is_wrong_beside_the_arguments_is_on_record_and_does_nothing,
);

async fn a_read_runs_and_is_on_record(backend: Backend) {
    let desk = Desk::open(backend).await;
    let result = call(&desk, "linear__list_teams", json!({})).await;
    assert_eq!(result["isError"], false);
    let structured = &result["structuredContent"];
    assert!(structured.is_object(), "{result}");
    let said: serde_json::Value = serde_json::from_str(text(&result)).unwrap();
    assert_eq!(&said, structured);
    let told = desk.told().await;
    assert!(
        told.iter().any(|line| line.contains("linear/list_teams")),
        "{told:?}"
    );
}

async fn a_write_that_is_granted_runs_at_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.grant(Some(1)).await;
    let result = call(&desk, "linear__create_issue", issue("Granted")).await;
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(desk.linear.changes(), 1);
    // The second has no grant left, and no wait was requested.
    let params = json!({"name": "linear__create_issue", "arguments": issue("Second"),
        "_meta": {"proliferate/wait": 0}});
    let held = ask(&desk, "tools/call", params).await;
    assert_eq!(held["structuredContent"]["status"], "pending");
    assert_eq!(desk.linear.changes(), 1);
}

async fn danger_is_denied_and_on_record(backend: Backend) {
    let desk = Desk::open(backend).await;
    let result = call(&desk, "linear__delete_issue", json!({"issueId": "ENG-1"})).await;
    assert_eq!(result["isError"], true, "{result}");
    assert!(text(&result).contains("danger"), "{result}");
    let told = desk.told().await;
    let line = "tool_call/deny/danger linear/delete_issue";
    assert!(told.contains(&line.to_owned()), "{told:?}");
    assert_eq!(desk.linear.requests().len(), 0);
}

async fn wrong_arguments_are_told_to_the_model(backend: Backend) {
    let desk = Desk::open(backend).await;
    let result = call(&desk, "linear__create_issue", json!({"teamId": "t"})).await;
    assert_eq!(result["isError"], true, "{result}");
    assert!(text(&result).contains("title"), "{result}");
    assert_eq!(desk.linear.requests().len(), 0);
    let result = call(
        &desk,
        "proliferate__wait_for_action",
        json!({"invocationId": 7}),
    )
    .await;
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("invocationId"), "{result}");
}

async fn a_failure_of_the_service_is_returned_with_its_text(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.linear.fail_next([Fault::Status(401)]);
    let result = call(&desk, "linear__list_issues", json!({})).await;
    assert_eq!(result["isError"], true, "{result}");
    let plain = desk.agent.get(&desk.path("invocations")).await.expect(200);
    let error = plain["invocations"][0]["error"].as_str().unwrap();
    assert_eq!(text(&result), error);
}

async fn a_rate_limited_caller_gets_the_time_to_wait(backend: Backend) {
    let desk = Desk::open(backend).await;
    for _ in 0..ACTION_RATE_MAX {
        let result = call(&desk, "linear__list_teams", json!({})).await;
        assert_eq!(result["isError"], false, "{result}");
    }
    let result = call(&desk, "linear__list_teams", json!({})).await;
    assert_eq!(result["isError"], true);
    let said = text(&result);
    assert!(
        said.contains("try again in") && said.ends_with("seconds"),
        "{said}"
    );
}

async fn a_person_may_call_and_is_on_record_as_one(backend: Backend) {
    let desk = Desk::open(backend).await;
    let params = json!({"name": "linear__list_teams", "arguments": {}});
    let call = message("tools/call", params);
    let answer = post(&desk.app.owner(), &path(&desk), call.clone()).await;
    let result = &last(&answer)["result"];
    assert_eq!(result["isError"], false, "{result}");
    let invocations = desk.agent.get(&desk.path("invocations")).await.expect(200);
    let mut actors: Vec<String> = Vec::new();
    for invocation in invocations["invocations"].as_array().unwrap() {
        let run = invocation["runId"].as_str().unwrap().parse().unwrap();
        let mut conn = desk.app.app.db.read().await.unwrap();
        let run = store::run_fetch(&mut conn, &desk.app.acme, run)
            .await
            .unwrap()
            .unwrap();
        actors.push(run.actor.id);
    }
    assert_eq!(actors, [Person::Owner.user_id().as_str()]);
    let service = desk.app.with_token(desk.app.service_token(&desk.app.acme));
    post(&service, &path(&desk), call)
        .await
        .expect_problem(403, "FORBIDDEN");
}

async fn a_call_repeated_under_its_key_is_done_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.grant(None).await;
    let params = json!({"name": "linear__create_issue", "arguments": issue("Once"),
        "_meta": {"proliferate/idempotencyKey": "a-key-of-the-client"}});
    let first = ask(&desk, "tools/call", params.clone()).await;
    let second = ask(&desk, "tools/call", params).await;
    assert_eq!(first, second);
    assert_eq!(first["isError"], false, "{first}");
    assert_eq!(desk.linear.changes(), 1);
}

async fn a_member_who_may_only_watch_calls_nothing(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.grant(Some(1)).await;
    let seen = desk.linear.requests().len();
    let params = json!({"name": "linear__create_issue", "arguments": issue("Mine")});
    for client in [desk.app.member(), desk.app.person(Person::Admin)] {
        let answer = post(&client, &path(&desk), message("tools/call", params.clone())).await;
        let result = &last(&answer)["result"];
        assert_eq!(result["isError"], true, "{result}");
        assert!(text(result).contains("may watch"), "{result}");
    }
    assert_eq!(desk.linear.requests().len(), seen);
    assert_eq!(refusals(&desk, "forbidden").await, 2);
    // Neither the grant nor the session's share of calls was touched.
    for _ in 0..ACTION_RATE_MAX {
        let call = message("tools/call", params.clone());
        post(&desk.app.member(), &path(&desk), call).await;
    }
    let result = call(&desk, "linear__create_issue", issue("Granted")).await;
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(desk.linear.changes(), 1);
}

/// How many refused requests of the route are in the log.
async fn refusals(desk: &Desk, reason: &str) -> usize {
    app::audit::sign_pending(&desk.app.app, &desk.app.acme)
        .await
        .unwrap();
    let events = desk
        .app
        .owner()
        .get("/v1/audit/events?limit=100")
        .await
        .expect(200);
    let events = events["items"].as_array().unwrap().iter();
    let events = events.map(|item| &item["record"]["event"]);
    events
        .filter(|event| event["target"]["operation"] == "mcp" && event["outcome_reason"] == reason)
        .count()
}

async fn a_key_that_no_index_takes_is_refused_by_name(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.grant(None).await;
    let long = "k".repeat(IDEMPOTENCY_KEY_LENGTH_MAX + 1);
    for key in ["", "a\0b", "a\nb", &long] {
        let params = json!({"name": "linear__create_issue", "arguments": issue("Keyed"),
            "_meta": {"proliferate/idempotencyKey": key}});
        let result = ask(&desk, "tools/call", params).await;
        assert_eq!(result["isError"], true, "{result}");
        assert!(text(&result).contains("Idempotency-Key"), "{result}");
    }
    // Repetitions are counted in one event.
    assert_eq!(refusals(&desk, "invalid_request").await, 1);
    let body = json!({"integration": "linear", "action": "create_issue", "params": issue("Keyed")});
    let invoke = desk.agent.post(&desk.path("invoke"), body.clone());
    let refused = invoke.header("idempotency-key", &long).await;
    let problem = refused.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(
        problem["errors"][0]["field"], "Idempotency-Key",
        "{problem}"
    );
    assert_eq!(desk.linear.changes(), 0);
    let longest = "k".repeat(IDEMPOTENCY_KEY_LENGTH_MAX);
    let invoke = desk.agent.post(&desk.path("invoke"), body);
    invoke.header("idempotency-key", &longest).await.expect(200);
}

async fn what_is_wrong_beside_the_arguments_is_on_record_and_does_nothing(backend: Backend) {
    for meta in [
        json!({"proliferate/idempotencyKey": 7}),
        json!({"proliferate/wait": "long"}),
    ] {
        let desk = Desk::open(backend).await;
        desk.grant(None).await;
        let params =
            json!({"name": "linear__create_issue", "arguments": issue("A"), "_meta": meta});
        let answer = post(&desk.agent, &path(&desk), message("tools/call", params)).await;
        assert_eq!(last(&answer)["error"]["code"], -32602, "{}", answer.text());
        assert_eq!(refusals(&desk, "invalid_request").await, 1);
        assert_eq!(desk.linear.changes(), 0);
    }
}
