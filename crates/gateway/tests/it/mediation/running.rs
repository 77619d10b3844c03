//! Calls that take their time: waiting, polling, deadlines, cancelling, failures, outputs.

use serde_json::{Value, json};
use testkit::{app::Person, database::Backend, tool::Behaviour};
use tools::Failure;

use super::{
    desk::{CALLS, CASE, Desk, call, dictation_call},
    identity::{denied, invalid},
};

testkit::on_both_databases!(
    a_call_that_takes_long_is_polled,
    a_call_is_cancelled,
    only_those_concerned_see_and_stop_a_run,
    every_failure_is_told_in_the_words_of_the_contract,
    a_tool_that_panics_ends_its_run,
    what_a_tool_leaves_is_an_artifact_of_the_case,
    what_a_tool_may_not_leave_is_not_kept,
    who_goes_away_does_not_stop_the_call,
    a_run_that_was_ended_takes_no_more_calls,
    many_calls_at_once_are_all_made_and_told,
);

async fn show(desk: &Desk, run: &Value, query: &str) -> Value {
    let path = format!("/v1/runs/{}{query}", run.as_str().unwrap());
    desk.member().get(&path).await.expect(200)
}

async fn a_call_that_takes_long_is_polled(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    desk.dictation.behave(Behaviour::Hangs);
    let path = format!("{CALLS}?wait=0");
    let answer = desk.member().post(&path, dictation_call(&run)).await;
    let answer = answer.expect(202);
    assert_eq!(answer["outcome"], "allow");
    assert!(answer["error"].is_null() && answer["response_hash_sha256"].is_null());
    let id = &answer["run_id"];
    let view = show(&desk, id, "").await;
    assert_eq!(
        (&view["status"], &view["answer"]["outcome"]),
        (&json!("running"), &json!("allow"))
    );
    desk.dictation.started().await;
    desk.dictation.release();
    let view = show(&desk, id, "?wait=20").await;
    assert_eq!(view["status"], "completed");
    assert_eq!(view["answer"]["outcome"], "success");
    // Another instance sees it too, by looking.
    let other = desk.beside(backend).await;
    assert_eq!(show(&other, id, "?wait=1").await, view);
    let children = format!("/v1/runs/{run}/children");
    let page = desk.member().get(&children).await.expect(200);
    assert_eq!(page["items"][0]["run_id"], *id);
}

async fn a_call_is_cancelled(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    desk.dictation.behave(Behaviour::Hangs);
    let path = format!("{CALLS}?wait=0");
    let answer = desk.member().post(&path, dictation_call(&run)).await;
    let id = answer.expect(202)["run_id"].clone();
    desk.dictation.started().await;
    let cancel = format!("/v1/runs/{}/cancel", id.as_str().unwrap());
    let view = desk.member().post(&cancel, json!({})).await.expect(200);
    assert_eq!(view["status"], "cancelled");
    assert_eq!(view["answer"]["outcome"], "failure");
    assert_eq!(desk.member().post(&cancel, json!({})).await.status, 409);
    let expected = [
        "authz_decision/allow/-",
        "tool_call/failure/run_cancel",
        // Who cancelled it, and that it could not be cancelled again.
        "system/success/-",
        "system/failure/conflict",
    ];
    assert_eq!(desk.told(1).await, expected);
}

async fn only_those_concerned_see_and_stop_a_run(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let answer = desk.send(dictation_call(&run)).await.expect(200);
    let path = format!("/v1/runs/{}", answer["run_id"].as_str().unwrap());
    let unknown = "/v1/runs/0192f0c1-2345-7abc-8def-0123456789ab";
    // An admin is no member of the case; a foreigner is of another organization.
    for client in [desk.app.person(Person::Admin), desk.app.foreigner()] {
        let seen = client.get(&path).await;
        assert_eq!(seen.status, 404);
        let mut seen = seen.json();
        let mut none = client.get(unknown).await.json();
        for body in [&mut seen, &mut none] {
            body.as_object_mut().unwrap().remove("request_id");
        }
        assert_eq!(seen, none);
        assert_eq!(
            client
                .post(&format!("{path}/cancel"), json!({}))
                .await
                .status,
            404
        );
    }
    let body = json!({"status": "completed"});
    let end = format!("/v1/runs/{run}/end");
    assert_eq!(desk.app.owner().post(&end, body).await.status, 404);
}

async fn every_failure_is_told_in_the_words_of_the_contract(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let planted = "ghp_5ecre7 privileged";
    let failures = [
        (Failure::Timeout, 504, "TOOL_TIMEOUT", false),
        (
            Failure::Invalid("language is not one of eng, deu".into()),
            400,
            "INVALID_REQUEST",
            false,
        ),
        (
            Failure::Tool {
                reason: "it broke",
                retryable: false,
            },
            502,
            "TOOL_ERROR",
            false,
        ),
        (
            Failure::Tool {
                reason: "it broke",
                retryable: true,
            },
            502,
            "TOOL_ERROR",
            true,
        ),
        (
            Failure::Unavailable {
                hint: "install it".into(),
            },
            503,
            "DEPENDENCY_DOWN",
            true,
        ),
    ];
    for (failure, status, code, retryable) in failures {
        desk.dictation.behave(Behaviour::Fails(failure));
        let mut body = dictation_call(&run);
        body["parameters"]["note"] = json!(planted);
        let answer = desk.send(body).await;
        assert_eq!(answer.status, status, "{code}");
        let answer = answer.json();
        assert_eq!(answer["outcome"], "failure");
        assert_eq!(answer["error"]["error_code"], code);
        assert_eq!(answer["error"]["retryable"], retryable);
        assert!(!answer.to_string().contains(planted));
    }
    // What may be run again may be tried again after a time-out.
    desk.status.behave(Behaviour::Fails(Failure::Timeout));
    let answer = desk.send(call("transcription.status", &run)).await;
    assert_eq!(answer.json()["error"]["retryable"], true);
    assert!(!json!(desk.events().await).to_string().contains(planted));
}

async fn a_tool_that_panics_ends_its_run(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    desk.dictation.behave(Behaviour::Panics);
    let answer = desk.send(dictation_call(&run)).await;
    assert_eq!(answer.status, 502);
    assert_eq!(answer.json()["error"]["error_code"], "TOOL_ERROR");
    assert!(!answer.text().contains("own panic"));
    let expected = ["authz_decision/allow/-", "tool_call/failure/tool_error"];
    assert_eq!(desk.told(1).await, expected);
}

async fn what_a_tool_leaves_is_an_artifact_of_the_case(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let stop = testkit::tool::FakeTool::new(Behaviour::Leaves("audio", "la la la"));
    let app = testkit::app::TestApp::builder(backend)
        .builtin("dictation.stop", stop)
        .beside(&desk.app)
        .await;
    let answer = app.member().post(CALLS, call("dictation.stop", &run)).await;
    let answer = answer.expect(200);
    let output = &answer["output_artifacts"][0];
    assert_eq!(output["artifact_kind"], "audio");
    assert_eq!(output["case_id"], CASE);
    assert_eq!(output["byte_size"], 8);
    assert_eq!(output["lineage"]["run_id"], answer["run_id"]);
    assert_eq!(output["lineage"]["transformation"], "dictation.stop");
    let events = desk.events().await;
    let result = events.last().unwrap();
    assert_eq!(
        result["output_artifacts"][0]["hash_sha256"],
        output["hash_sha256"]
    );
    assert!(!result.to_string().contains("la la la"));
}

async fn what_a_tool_may_not_leave_is_not_kept(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    desk.dictation
        .behave(Behaviour::Leaves("audio", "la la la"));
    let answer = desk.send(dictation_call(&run)).await;
    assert_eq!(answer.status, 502);
    let page = format!("/v1/artifacts?caseId={CASE}");
    let page = desk.member().get(&page).await.expect(200);
    assert_eq!(page["items"], json!([]));
}

async fn who_goes_away_does_not_stop_the_call(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    desk.dictation.behave(Behaviour::Hangs);
    {
        let call = std::pin::pin!(desk.send_keyed("k", dictation_call(&run)));
        tokio::select! {
            _ = call => panic!("it hangs"),
            () = desk.dictation.started() => {}
        }
    }
    desk.dictation.release();
    let answer = desk.send_keyed("k", dictation_call(&run)).await.expect(200);
    assert_eq!(answer["outcome"], "success");
    assert_eq!(desk.dictation.calls(), 1);
}

async fn a_run_that_was_ended_takes_no_more_calls(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let path = format!("/v1/runs/{run}/end");
    let body = json!({"status": "completed"});
    let ended = desk.member().post(&path, body.clone()).await.expect(200);
    assert_eq!(ended["status"], "completed");
    assert_eq!(desk.member().post(&path, body).await.status, 409);
    denied(&desk.send(dictation_call(&run)).await, "run_invalid");
    let unknown = dictation_call("0192f0c1-2345-7abc-8def-0123456789ab");
    denied(&desk.send(unknown).await, "run_invalid");
    let mut none = dictation_call(&run);
    none["parent_run_id"] = json!(null);
    denied(&desk.send(none).await, "run_invalid");
    let bad = json!({"run_kind": "promotion"});
    assert_eq!(desk.member().post("/v1/runs", bad).await.status, 400);
    invalid(&desk.send(dictation_call("not an id")).await);
}

async fn many_calls_at_once_are_all_made_and_told(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let calls = (0..200).map(|n| {
        let tool = if n % 2 == 0 {
            "dictation.start"
        } else {
            "transcription.status"
        };
        let mut body = call(tool, &run);
        if n % 10 == 0 {
            body["lane_id"] = json!("ACTION_READ");
        }
        desk.send(body)
    });
    let answers = futures::future::join_all(calls).await;
    let count = |status: u16| {
        answers
            .iter()
            .filter(|answer| answer.status == status)
            .count()
    };
    assert_eq!((count(200), count(403)), (180, 20));
    assert_eq!((desk.dictation.calls(), desk.status.calls()), (80, 100));
    let told = desk.told(1).await;
    let told = |line: &str| told.iter().filter(|told| *told == line).count();
    assert_eq!(told("authz_decision/allow/-"), 180);
    assert_eq!(told("tool_call/success/-"), 180);
    assert_eq!(told("tool_call/deny/operation_not_allowed"), 20);
}
