//! Invocations that wait for a person: until they end, until the time is up, and how to go on.

use serde_json::json;

use crate::{
    program::{Program, SESSION, run},
    stand_in::{End, Fault, Plan, StandIn},
};

const NEVER: Plan = Plan {
    looks: 0,
    end: None,
};
const SOON: Plan = Plan {
    looks: 3,
    end: Some(End::Completed),
};
const FIRST: &str = "00000000-0000-0000-0000-000000000001";

fn wait(url: &str, more: &[&str]) -> Program {
    let mut arguments = vec!["actions", "wait", FIRST];
    arguments.extend(more);
    Program::new(url, &arguments)
}

#[tokio::test]
async fn an_approved_write_ends_with_its_result() {
    let gateway = StandIn::start(SOON, []).await;
    let finished = run(&gateway.url, &[]).finish().await.ended(0);
    assert_eq!(finished.json(), json!({"id": "ENG-1"}));
    finished.said(&format!("go on with `proliferate actions wait {FIRST}`"));
    let look = format!("GET /invocations/{FIRST}");
    assert_eq!(gateway.lines(), ["POST /invoke", &look, &look, &look]);
}

#[tokio::test]
async fn without_a_wait_the_pending_one_is_shown_at_once() {
    let gateway = StandIn::start(NEVER, []).await;
    let finished = run(&gateway.url, &["--wait", "0"]).finish().await.ended(5);
    let document = finished.json();
    assert_eq!(document["invocation"]["status"], "pending");
    assert_eq!(
        document["resume"],
        format!("proliferate actions wait {FIRST}")
    );
    finished.said("is still pending\nhint: do not run it again");
    assert_eq!(gateway.lines(), ["POST /invoke"]);
}

#[tokio::test]
async fn the_time_is_up_without_a_decision_and_waiting_goes_on() {
    let gateway = StandIn::start(NEVER, []).await;
    let finished = run(&gateway.url, &["--wait", "1"]).finish().await.ended(5);
    assert_eq!(finished.json()["invocation"]["id"], FIRST);
    assert!(
        gateway.count("GET /invocations/") > 3,
        "{:?}",
        gateway.lines()
    );
    wait(&gateway.url, &["--wait", "0"]).finish().await.ended(5);
    assert_eq!(gateway.count("POST /invoke"), 1);
}

#[tokio::test]
async fn a_wait_is_taken_up_again() {
    let gateway = StandIn::start(SOON, []).await;
    run(&gateway.url, &["--wait", "0"]).finish().await.ended(5);
    let finished = wait(&gateway.url, &[]).finish().await.ended(0);
    assert_eq!(finished.json(), json!({"id": "ENG-1"}));
    assert_eq!(gateway.count("POST /invoke"), 1);
}

#[tokio::test]
async fn an_unknown_invocation_is_a_mistake_of_the_caller() {
    let gateway = StandIn::start(SOON, []).await;
    let finished = wait(&gateway.url, &[]).finish().await.ended(2);
    assert_eq!(finished.said("There is no such invocation.").stdout, "");
    let nonsense = Program::new(&gateway.url, &["actions", "wait", "abc"])
        .finish()
        .await;
    nonsense.ended(2);
    let long = wait(&gateway.url, &["--wait", "3601"]).finish().await;
    long.ended(2).said("3601 is not in 0..=3600");
}

#[tokio::test]
async fn a_refusal_while_waiting_still_shows_the_invocation() {
    let dead = Fault::Body(401, r#"{"status": 401, "detail": "No."}"#.to_owned());
    let gateway = StandIn::start(NEVER, [Fault::Serve, dead]).await;
    let finished = run(&gateway.url, &[]).finish().await.ended(6);
    assert_eq!(finished.json()["invocation"]["id"], FIRST);
    assert_eq!(finished.json()["invocation"]["sessionId"], SESSION);
}

#[tokio::test]
async fn a_status_that_is_newer_than_the_command_is_waited_for() {
    let newer = json!({"invocation": {"id": FIRST, "status": "second_opinion"}}).to_string();
    let gateway = StandIn::start(SOON, [Fault::Serve, Fault::Body(200, newer)]).await;
    run(&gateway.url, &[]).finish().await.ended(0);
}
