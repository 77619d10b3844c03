//! The organization's safety lock, and the tickets that lift a lane out of it.

use std::time::Duration;

use app::locks;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
};

use super::{
    desk::{CALLS, CASE, Desk, dictation_call, with},
    identity::denied,
};

testkit::on_both_databases!(
    a_lock_stops_the_next_call_on_every_instance,
    a_lock_stops_no_other_organization,
    two_people_lift_one_lane_for_a_time,
    a_ticket_that_is_not_in_order_lifts_nothing,
    a_ticket_is_used_once,
    the_admin_who_opened_a_ticket_cannot_approve_it,
    what_was_lifted_is_put_back,
    a_ticket_ends_with_its_lock,
    a_ticket_ends_with_its_time,
    an_operator_locks_what_no_ticket_lifts,
    an_override_grants_no_more_than_the_lock_removed,
);

const LANE: &str = "TOOL_INTERVIEW_CAPTURE";
const WHY: &str = "agents write where they should not";
const TICKETS: &str = "/v1/override-tickets";
const HALF_AN_HOUR: Duration = Duration::from_mins(30);

fn admin(app: &TestApp) -> Client {
    app.person(Person::Admin)
}

async fn turn(client: &Client, way: &str) -> TestResponse {
    let path = format!("/v1/safety-lock/{way}");
    client.post(&path, json!({ "reason": WHY })).await
}

/// A ticket that the owner opened.
async fn opened(desk: &Desk, lane: &str) -> Value {
    let body = json!({ "laneId": lane, "reason": "the hearing is at noon", "minutes": 30 });
    desk.app.owner().post(TICKETS, body).await.expect(201)
}

/// A ticket that the owner opened and an admin approved.
async fn approved(desk: &Desk, lane: &str) -> Value {
    let ticket = opened(desk, lane).await;
    let path = format!("{TICKETS}/{}/approve", text(&ticket["id"]));
    let approved = admin(&desk.app).post(&path, json!({})).await.expect(200);
    assert_eq!(approved["status"], "approved");
    assert_eq!(approved["approvedBy"], Person::Admin.user_id().as_str());
    approved
}

/// The call that uses a ticket or puts its rule back, by the admin.
async fn used(desk: &Desk, operation: &str, ticket: &Value) -> TestResponse {
    let client = admin(&desk.app);
    let run = desk.run_of(&client, None).await;
    client.post(CALLS, using(operation, ticket, &run)).await
}

fn using(operation: &str, ticket: &Value, run: &str) -> Value {
    let (before, after) = match operation {
        "override.enable" => ("lockedSha256", "liftedSha256"),
        _ => ("liftedSha256", "lockedSha256"),
    };
    json!({
        "tool_name": operation,
        "operation": operation,
        "lane_id": "SYSTEM_OVERRIDE",
        "parent_run_id": run,
        "scope": { "override_ticket_id": ticket["id"], "override_reason": "now" },
        "parameters": { "before_sha256": ticket[before], "after_sha256": ticket[after] },
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

async fn ticket_status(desk: &Desk, ticket: &Value) -> String {
    let path = format!("{TICKETS}/{}", text(&ticket["id"]));
    let shown = admin(&desk.app).get(&path).await.expect(200);
    text(&shown["status"]).to_owned()
}

async fn a_lock_stops_the_next_call_on_every_instance(backend: Backend) {
    let desk = Desk::open(backend).await;
    let other = desk.beside(backend).await;
    let run = desk.run().await;
    desk.send(dictation_call(&run)).await.expect(200);

    let locked = turn(&admin(&desk.app), "engage").await.expect(200);
    assert_eq!(locked["lock"]["reason"], WHY);
    turn(&desk.app.owner(), "engage")
        .await
        .expect_problem(409, "CONFLICT");
    for desk in [&desk, &other] {
        denied(&desk.send(dictation_call(&run)).await, "safety_lock");
        let shown = desk.member().get("/v1/safety-lock").await.expect(200);
        assert_eq!(
            (&shown["engaged"], &shown["installation"]),
            (&json!(true), &json!(false))
        );
        assert_eq!(shown["lock"]["engagedBy"], Person::Admin.user_id().as_str());
    }
    assert_eq!(desk.dictation.calls(), 1);

    let open = turn(&desk.app.owner(), "release").await.expect(200);
    assert_eq!(open["engaged"], false);
    turn(&desk.app.owner(), "release")
        .await
        .expect_problem(409, "CONFLICT");
    other.send(dictation_call(&run)).await.expect(200);

    let events = desk.events().await;
    let turns: Vec<&Value> = events
        .iter()
        .filter(|event| event["action_type"] == "policy_change")
        .collect();
    let operations: Vec<&Value> = turns
        .iter()
        .map(|turn| &turn["target"]["operation"])
        .collect();
    assert_eq!(operations, ["safety_lock_engage", "safety_lock_release"]);
    assert_eq!(
        turns[0]["actor"]["actor_id"],
        Person::Admin.user_id().as_str()
    );
    // The log has the digest of the reasons and none of their text.
    assert!(
        turns
            .iter()
            .all(|turn| turn["request_hash_sha256"].is_string())
    );
    assert!(!json!(events).to_string().contains("should not"));
}

async fn a_lock_stops_no_other_organization(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    turn(&desk.app.foreigner(), "engage").await.expect(200);
    desk.send(dictation_call(&run)).await.expect(200);
    let shown = desk.member().get("/v1/safety-lock").await.expect(200);
    assert_eq!(shown["engaged"], false);
    // Their tickets are private to the organization, too.
    let body = json!({ "laneId": LANE, "reason": "x", "minutes": 5 });
    let theirs = desk.app.foreigner().post(TICKETS, body).await.expect(201);
    turn(&admin(&desk.app), "engage").await.expect(200);
    let answer = used(&desk, "override.enable", &theirs).await;
    denied(&answer, "safety_lock");
    let path = format!("{TICKETS}/{}", text(&theirs["id"]));
    assert_eq!(admin(&desk.app).get(&path).await.status, 404);
}

async fn two_people_lift_one_lane_for_a_time(backend: Backend) {
    let desk = Desk::open(backend).await;
    let other = desk.beside(backend).await;
    let run = desk.run().await;
    turn(&admin(&desk.app), "engage").await.expect(200);
    let before = desk.events().await.len();
    let ticket = approved(&desk, LANE).await;
    // Nothing passes by the yes alone.
    denied(&desk.send(dictation_call(&run)).await, "safety_lock");

    used(&desk, "override.enable", &ticket).await.expect(200);
    for desk in [&desk, &other] {
        desk.send(dictation_call(&run)).await.expect(200);
        let elsewhere = with(
            dictation_call(&run),
            "lane_id",
            json!("TOOL_DOCUMENT_INTAKE"),
        );
        denied(&desk.send(elsewhere).await, "safety_lock");
    }
    let shown = desk.member().get("/v1/safety-lock").await.expect(200);
    assert_eq!(shown["lifted"][0]["id"], ticket["id"]);

    // It has expired for every decision, before that was stored.
    for app in [&desk.app, &other.app] {
        app.clock.advance(HALF_AN_HOUR);
    }
    for desk in [&desk, &other] {
        denied(&desk.send(dictation_call(&run)).await, "safety_lock");
    }
    assert_eq!(desk.dictation.calls(), 2);
    assert_eq!(ticket_status(&desk, &ticket).await, "expired");
    assert_eq!(locks::sweep(&desk.app.app).await.unwrap(), 1);
    assert_eq!(locks::sweep(&other.app.app).await.unwrap(), 0);

    let events = desk.events().await;
    let overrides = events.iter().skip(before);
    let overrides = overrides.filter(|event| event["action_type"] == "override");
    let told = overrides.map(|event| {
        let field = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let actor = field(&event["actor"]["actor_type"]);
        let reason = field(&event["outcome_reason"]);
        format!("{} {actor} {reason}", text(&event["target"]["operation"]))
    });
    let expected = [
        "override_ticket_open human -",
        "override_ticket_approve human -",
        "override.enable human -",
        "override_ticket_expire system expired",
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

async fn a_ticket_that_is_not_in_order_lifts_nothing(backend: Backend) {
    let desk = Desk::open(backend).await;
    turn(&admin(&desk.app), "engage").await.expect(200);
    // It is not approved yet.
    let ticket = opened(&desk, LANE).await;
    denied(
        &used(&desk, "override.enable", &ticket).await,
        "safety_lock",
    );
    // Nothing was lifted that could be put back.
    let ticket = approved(&desk, LANE).await;
    denied(
        &used(&desk, "override.disable", &ticket).await,
        "safety_lock",
    );
    // There is none, or it is no id.
    for id in ["0192f0c1-2345-7abc-8def-0123456789ab", "a-ticket", " "] {
        let ticket = with(ticket.clone(), "id", json!(id));
        let answer = used(&desk, "override.enable", &ticket).await;
        denied(&answer, "safety_lock");
    }
    // The call says that it changes something else, or nothing.
    for name in ["lockedSha256", "liftedSha256"] {
        let ticket = with(ticket.clone(), name, json!("0".repeat(64)));
        let answer = used(&desk, "override.enable", &ticket).await;
        denied(&answer, "prohibited_silent_changes");
    }
    // The admin withdraws it.
    let path = format!("{TICKETS}/{}/close", text(&ticket["id"]));
    desk.app.owner().post(&path, json!({})).await.expect(200);
    denied(
        &used(&desk, "override.enable", &ticket).await,
        "safety_lock",
    );
    // It was not used in time.
    let late = approved(&desk, LANE).await;
    desk.app.clock.advance(Duration::from_hours(1));
    denied(&used(&desk, "override.enable", &late).await, "safety_lock");
    let path = format!("{TICKETS}/{}/close", text(&late["id"]));
    let closed = desk.app.owner().post(&path, json!({})).await;
    closed.expect_problem(410, "EXPIRED");
    assert_eq!(locks::sweep(&desk.app.app).await.unwrap(), 2);

    let owner = desk.app.owner();
    for (lane, minutes, reason) in [
        ("NO_SUCH_LANE", 5, "x"),
        ("SYSTEM_OVERRIDE", 5, "x"),
        (LANE, 0, "x"),
        (LANE, 61, "x"),
        (LANE, 5, "  "),
    ] {
        let body = json!({ "laneId": lane, "reason": reason, "minutes": minutes });
        let refused = owner.post(TICKETS, body).await;
        refused.expect_problem(400, "INVALID_REQUEST");
    }
    // There is a bound on them.
    for _ in 0..20 {
        opened(&desk, LANE).await;
    }
    let body = json!({ "laneId": LANE, "reason": "x", "minutes": 5 });
    let refused = owner.post(TICKETS, body).await;
    refused.expect_problem(409, "LIMIT_REACHED");
}

async fn a_ticket_is_used_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    turn(&admin(&desk.app), "engage").await.expect(200);
    let ticket = approved(&desk, LANE).await;
    let client = admin(&desk.app);
    let run = desk.run_of(&client, None).await;
    let body = using("override.enable", &ticket, &run);
    let calls = (0..8).map(|n| {
        let call = client.post(CALLS, body.clone());
        async move { call.header("idempotency-key", &format!("key-{n}")).await }
    });
    let answers = futures::future::join_all(calls).await;
    let (good, bad): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(good.len(), 1);
    for answer in bad {
        // Decided before it was used and then too late, or decided after.
        assert!([400, 403].contains(&answer.status), "{}", answer.text());
    }
    // A retry after a lost response gets the same response.
    let run_id = &good[0].json()["run_id"];
    let won = answers.iter().position(|answer| answer.status == 200);
    let key = format!("key-{}", won.unwrap());
    let again = client.post(CALLS, body.clone());
    let again = again.header("idempotency-key", &key).await.expect(200);
    assert_eq!(again["run_id"], *run_id);
    // After its end it is no good either.
    used(&desk, "override.disable", &ticket).await.expect(200);
    denied(
        &used(&desk, "override.enable", &ticket).await,
        "safety_lock",
    );
}

async fn the_admin_who_opened_a_ticket_cannot_approve_it(backend: Backend) {
    let desk = Desk::open(backend).await;
    turn(&admin(&desk.app), "engage").await.expect(200);
    let ticket = opened(&desk, LANE).await;
    let path = format!("{TICKETS}/{}/approve", text(&ticket["id"]));
    for client in [desk.app.owner(), desk.member()] {
        let refused = client.post(&path, json!({})).await;
        refused.expect_problem(403, "FORBIDDEN");
    }
    assert_eq!(ticket_status(&desk, &ticket).await, "requested");
    admin(&desk.app).post(&path, json!({})).await.expect(200);
    let again = admin(&desk.app).post(&path, json!({})).await;
    again.expect_problem(409, "CONFLICT");
    // A member has no way into the lane.
    let run = desk.run_of(&desk.member(), None).await;
    let answer = desk.send(using("override.enable", &ticket, &run)).await;
    denied(&answer, "role_not_allowed");
}

async fn what_was_lifted_is_put_back(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    turn(&admin(&desk.app), "engage").await.expect(200);
    let ticket = approved(&desk, LANE).await;
    used(&desk, "override.enable", &ticket).await.expect(200);
    desk.send(dictation_call(&run)).await.expect(200);
    // One in use is ended by a call that is on record, and not by the way.
    let path = format!("{TICKETS}/{}/close", text(&ticket["id"]));
    let closed = desk.app.owner().post(&path, json!({})).await;
    closed.expect_problem(409, "CONFLICT");
    used(&desk, "override.disable", &ticket).await.expect(200);
    denied(&desk.send(dictation_call(&run)).await, "safety_lock");
    assert_eq!(ticket_status(&desk, &ticket).await, "disabled");
}

async fn a_ticket_ends_with_its_lock(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    turn(&admin(&desk.app), "engage").await.expect(200);
    let active = approved(&desk, LANE).await;
    used(&desk, "override.enable", &active).await.expect(200);
    let waiting = approved(&desk, LANE).await;
    turn(&admin(&desk.app), "release").await.expect(200);
    for ticket in [&active, &waiting] {
        assert_eq!(ticket_status(&desk, ticket).await, "closed");
    }
    // A new lock is whole.
    turn(&admin(&desk.app), "engage").await.expect(200);
    denied(&desk.send(dictation_call(&run)).await, "safety_lock");
    denied(
        &used(&desk, "override.enable", &waiting).await,
        "safety_lock",
    );
    let told = desk.told(0).await;
    let closed = told
        .iter()
        .filter(|line| *line == "override/success/lock_released");
    assert_eq!(closed.count(), 2);
}

async fn a_ticket_ends_with_its_time(backend: Backend) {
    let desk = Desk::open(backend).await;
    turn(&admin(&desk.app), "engage").await.expect(200);
    let ticket = approved(&desk, LANE).await;
    // Approved late, and still lifted for its whole time.
    desk.app.clock.advance(Duration::from_mins(59));
    used(&desk, "override.enable", &ticket).await.expect(200);
    let run = desk.run().await;
    desk.app
        .clock
        .advance(HALF_AN_HOUR.saturating_sub(Duration::from_secs(1)));
    desk.send(dictation_call(&run)).await.expect(200);
    assert_eq!(locks::sweep(&desk.app.app).await.unwrap(), 0);
    desk.app.clock.advance(Duration::from_secs(1));
    denied(&desk.send(dictation_call(&run)).await, "safety_lock");
    denied(
        &used(&desk, "override.disable", &ticket).await,
        "safety_lock",
    );
}

async fn an_operator_locks_what_no_ticket_lifts(backend: Backend) {
    let desk = Desk::open(backend).await;
    let builder = TestApp::builder(backend).safety_lock();
    let locked = desk.beside_with(builder).await;
    turn(&admin(&desk.app), "engage").await.expect(200);
    let run = desk.run().await;
    let ticket = approved(&desk, LANE).await;
    denied(
        &used(&locked, "override.enable", &ticket).await,
        "safety_lock",
    );
    used(&desk, "override.enable", &ticket).await.expect(200);
    desk.send(dictation_call(&run)).await.expect(200);
    denied(&locked.send(dictation_call(&run)).await, "safety_lock");
    let shown = locked.member().get("/v1/safety-lock").await.expect(200);
    assert_eq!(shown["installation"], true);
}

async fn an_override_grants_no_more_than_the_lock_removed(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    turn(&admin(&desk.app), "engage").await.expect(200);
    let ticket = approved(&desk, LANE).await;
    used(&desk, "override.enable", &ticket).await.expect(200);
    let elsewhere = with(dictation_call(&run), "case_id", json!("CASE-0002"));
    let other_tool = with(dictation_call(&run), "operation", json!("ocr.extract"));
    for (call, reason) in [
        (elsewhere, "run_invalid"),
        (other_tool, "tool_name_mismatch"),
        (
            with(dictation_call(&run), "scope", json!({})),
            "scope_missing",
        ),
    ] {
        denied(&desk.send(call).await, reason);
    }
    // Nor does a ticket let a call of another tool through the lock by being named in it.
    let mut naming = dictation_call(&run);
    naming["lane_id"] = json!("TOOL_DOCUMENT_INTAKE");
    naming["scope"] = json!({ "override_ticket_id": ticket["id"], "case_id": CASE });
    denied(&desk.send(naming).await, "safety_lock");
}
