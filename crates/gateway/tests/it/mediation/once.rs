//! A call happens once, however often it is asked for.

use futures::future::join_all;
use serde_json::{Value, json};
use testkit::{database::Backend, tool::Behaviour};
use tools::Failure;

use super::{
    desk::{CALLS, CASE, Desk, dictation_call, with},
    identity::denied,
};

testkit::on_both_databases!(
    case_25_a_key_is_good_for_one_call_of_one_caller,
    case_26_fifty_calls_under_one_key_are_one,
    case_27_a_run_that_has_ended_is_not_run_again,
    a_run_made_beforehand_is_used_once,
    a_failure_is_repeated_as_it_was,
    a_denial_claims_no_key,
    two_instances_make_one_call_of_one_key,
    a_retry_is_a_new_run_below_the_failed_one,
    many_calls_at_once_are_told_in_their_order,
    many_calls_at_once_are_made_beside_a_broken_log,
);

async fn case_25_a_key_is_good_for_one_call_of_one_caller(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let first = desk.send_keyed("k", dictation_call(&run)).await.expect(200);
    let again = desk.send_keyed("k", dictation_call(&run)).await.expect(200);
    assert_eq!(first, again, "the same answer, to the letter");
    assert_eq!(desk.dictation.calls(), 1);
    let other = with(dictation_call(&run), "parameters", json!({"note": "other"}));
    let seen = desk.events().await.len();
    let answer = desk.send_keyed("k", other).await;
    assert_eq!(answer.status, 409);
    assert_eq!(answer.json()["code"], "IDEMPOTENCY_CONFLICT");
    let expected = [
        "authz_decision/deny/run_invalid",
        "tool_call/failure/idempotency_conflict",
    ];
    assert_eq!(desk.told(seen).await, expected);
    // Another caller's key of the same name is another key.
    let admin = desk.app.person(testkit::app::Person::Admin);
    let member = domain::case::CaseMember::User(testkit::app::Person::Admin.user_id());
    let mut tx = desk.app.app.db.write().await.unwrap();
    let now = domain::clock::Clock::now(&*desk.app.clock);
    store::case_member_insert(
        &mut tx,
        &desk.app.acme,
        &super::desk::case_id(CASE),
        &member,
        now,
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let run = desk.run_of(&admin, Some(CASE)).await;
    let call = admin.post(CALLS, dictation_call(&run));
    let theirs = call.header("idempotency-key", "k").await.expect(200);
    assert_ne!(theirs["run_id"], first["run_id"]);
    assert_eq!(desk.dictation.calls(), 2);
}

async fn case_26_fifty_calls_under_one_key_are_one(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    desk.dictation.behave(Behaviour::Hangs);
    let body = dictation_call(&run);
    let calls = join_all((0..50).map(|_| desk.send_keyed("k", body.clone())));
    let released = async {
        desk.dictation.started().await;
        desk.dictation.release();
    };
    let (answers, ()) = tokio::join!(calls, released);
    let answers: Vec<Value> = answers.iter().map(|answer| answer.expect(200)).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(answers[0]["outcome"], "success");
    assert_eq!(desk.dictation.calls(), 1);
    let told = desk.told(1).await;
    assert_eq!(told, ["authz_decision/allow/-", "tool_call/success/-"]);
}

async fn case_27_a_run_that_has_ended_is_not_run_again(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let first = desk.send(dictation_call(&run)).await.expect(200);
    let body = with(dictation_call(&run), "run_id", first["run_id"].clone());
    let answer = denied(&desk.send(body).await, "run_invalid");
    assert_ne!(
        answer["run_id"], first["run_id"],
        "the ended run stays as it was"
    );
    assert_eq!(desk.dictation.calls(), 1);
    let id = first["run_id"].as_str().unwrap();
    assert_eq!(desk.run_status(id).await.0, "completed");
    for verb in ["cancel", "end"] {
        let path = format!("/v1/runs/{id}/{verb}");
        let answer = desk.member().post(&path, json!({"status": "failed"})).await;
        assert_eq!(answer.status, 409, "{verb}");
    }
    assert_eq!(desk.run_status(id).await.0, "completed");
}

async fn a_run_made_beforehand_is_used_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let body = json!({"run_kind": "tool_gateway", "parent_run_id": run});
    let made = desk.member().post("/v1/runs", body).await.expect(201);
    assert_eq!(
        (&made["status"], &made["case_id"]),
        (&json!("created"), &json!(CASE))
    );
    let body = with(dictation_call(&run), "run_id", made["run_id"].clone());
    let calls = join_all((0..4).map(|_| desk.send(body.clone()))).await;
    let mut statuses: Vec<u16> = calls.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403, 403, 403]);
    assert_eq!(desk.dictation.calls(), 1);
    let used = calls.iter().find(|answer| answer.status == 200).unwrap();
    assert_eq!(used.json()["run_id"], made["run_id"]);
    // Under another parent, or with another caller's, it is unknown.
    let other = desk.run().await;
    let body = json!({"run_kind": "tool_gateway", "parent_run_id": run});
    let made = desk.member().post("/v1/runs", body).await.expect(201);
    let body = with(dictation_call(&other), "run_id", made["run_id"].clone());
    denied(&desk.send(body).await, "run_invalid");
}

async fn a_failure_is_repeated_as_it_was(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let failure = Failure::Tool {
        reason: "the microphone is broken",
        retryable: false,
    };
    desk.dictation.behave(Behaviour::Fails(failure));
    let first = desk.send_keyed("k", dictation_call(&run)).await;
    assert_eq!(first.status, 502);
    desk.dictation.behave(Behaviour::Succeeds);
    let again = desk.send_keyed("k", dictation_call(&run)).await;
    assert_eq!((again.status, again.json()), (502, first.json()));
    assert_eq!(desk.dictation.calls(), 1);
}

async fn a_denial_claims_no_key(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let wrong = with(dictation_call(&run), "lane_id", json!("ACTION_READ"));
    denied(&desk.send_keyed("k", wrong).await, "operation_not_allowed");
    desk.send_keyed("k", dictation_call(&run)).await.expect(200);
}

async fn two_instances_make_one_call_of_one_key(backend: Backend) {
    let desk = Desk::open(backend).await;
    let other = desk.beside(backend).await;
    let run = desk.run().await;
    let body = dictation_call(&run);
    let calls = (0..32).map(|n| {
        let desk = if n % 2 == 0 { &desk } else { &other };
        desk.send_keyed("k", body.clone())
    });
    let answers = join_all(calls).await;
    let answers: Vec<Value> = answers.iter().map(|answer| answer.expect(200)).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(desk.dictation.calls(), 1);
}

async fn a_retry_is_a_new_run_below_the_failed_one(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    desk.dictation.behave(Behaviour::Fails(Failure::Timeout));
    let failed = desk.send(dictation_call(&run)).await;
    assert_eq!(failed.status, 504);
    let failed = failed.json()["run_id"].as_str().unwrap().to_owned();
    desk.dictation.behave(Behaviour::Succeeds);
    let retry = desk.send(dictation_call(&failed)).await.expect(200);
    let path = format!("/v1/runs/{}", retry["run_id"].as_str().unwrap());
    let view = desk.member().get(&path).await.expect(200);
    assert_eq!(view["parent_run_id"], failed.as_str());
    assert_eq!(view["root_run_id"], run.as_str());
    // What succeeded is no parent.
    let done = retry["run_id"].as_str().unwrap();
    denied(&desk.send(dictation_call(done)).await, "run_invalid");
}

async fn many_calls_at_once_are_told_in_their_order(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let seen = desk.events().await.len();
    let answers = join_all((0..50).map(|_| desk.send(dictation_call(&run)))).await;
    let events = desk.events().await;
    assert_eq!(events.len(), seen + 100);
    for answer in answers {
        let id = answer.expect(200)["run_id"].clone();
        let told = events.iter().filter(|event| event["run_id"] == id);
        let told: Vec<_> = told.map(|event| event["action_type"].as_str()).collect();
        assert_eq!(told, [Some("authz_decision"), Some("tool_call")]);
    }
}

async fn many_calls_at_once_are_made_beside_a_broken_log(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    // An event that has its place waits again, which no code does: it cannot get another.
    desk.events().await;
    let columns = "organization_id, event_id, action_type, outcome, created_at, event";
    let again = format!(
        "INSERT INTO audit_pending ({columns}) SELECT {columns} FROM audit_ledger ORDER BY seq LIMIT 1"
    );
    desk.app.database.execute(&again).await;
    let answers = join_all((0..50).map(|_| desk.send(dictation_call(&run)))).await;
    for answer in answers {
        assert_eq!(answer.expect(200)["outcome"], "success");
    }
    assert_eq!(desk.dictation.calls(), 50);
    let mut conn = desk.app.app.db.read().await.unwrap();
    let waiting = store::audit_pending_list(&mut conn, None, 0, 1_000)
        .await
        .unwrap();
    assert_eq!(waiting.len(), 101, "what was recorded is there");
}
