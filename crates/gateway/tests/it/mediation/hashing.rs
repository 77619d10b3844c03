//! What is hashed is what is run.

use axum::http::Method;
use serde_json::{Value, json};
use testkit::{app::TestResponse, database::Backend};

use super::{
    desk::{CALLS, Desk, dictation_call, with},
    identity::invalid,
};

testkit::on_both_databases!(
    case_21_numbers_that_would_collide_are_refused,
    case_22_a_key_given_twice_is_refused,
    case_23_the_hash_of_another_body_is_refused,
    the_hash_of_this_body_is_accepted_in_either_case,
    case_53_what_is_no_call_is_on_record_and_repeats_nothing,
);

async fn send_text(desk: &Desk, text: String) -> TestResponse {
    let call = desk.member().call(Method::POST, CALLS);
    call.body("application/json", text).await
}

async fn case_21_numbers_that_would_collide_are_refused(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let body = dictation_call(&run).to_string();
    for number in [
        "9007199254740993",
        "9007199254740992",
        "1e400",
        "-9007199254740993",
    ] {
        let text = body.replace("\"hello\"", number);
        assert_ne!(text, body);
        invalid(&send_text(&desk, text).await);
    }
    assert_eq!(desk.dictation.calls(), 0);
    let text = body.replace("\"hello\"", "9007199254740991");
    send_text(&desk, text).await.expect(200);
}

async fn case_22_a_key_given_twice_is_refused(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let body = dictation_call(&run).to_string();
    let twice = body.replace(
        "\"note\":\"hello\"",
        "\"note\":\"hello\",\"note\":\"other\"",
    );
    assert_ne!(twice, body);
    invalid(&send_text(&desk, twice).await);
    let lane = "\"lane_id\":\"TOOL_INTERVIEW_CAPTURE\"";
    let twice = body.replace(lane, &format!("\"lane_id\":\"ACTION_READ\",{lane}"));
    assert_ne!(twice, body);
    invalid(&send_text(&desk, twice).await);
    assert_eq!(desk.dictation.calls(), 0);
}

async fn case_23_the_hash_of_another_body_is_refused(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let first = desk.send(dictation_call(&run)).await.expect(200);
    let hash = request_hash(&desk, &first).await;
    let mut other = with(dictation_call(&run), "request_hash_sha256", json!(hash));
    other["parameters"]["note"] = json!("another");
    let answer = invalid(&desk.send(other).await);
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .contains("request_hash_sha256")
    );
    assert_eq!(desk.dictation.calls(), 1);
}

async fn the_hash_of_this_body_is_accepted_in_either_case(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let first = desk.send(dictation_call(&run)).await.expect(200);
    let hash = request_hash(&desk, &first).await;
    for hash in [hash.clone(), hash.to_uppercase()] {
        let body = with(dictation_call(&run), "request_hash_sha256", json!(hash));
        desk.send(body).await.expect(200);
    }
    assert_eq!(desk.dictation.calls(), 3);
}

async fn request_hash(desk: &Desk, answer: &Value) -> String {
    let path = format!("/v1/runs/{}", answer["run_id"].as_str().unwrap());
    let run = desk.member().get(&path).await.expect(200);
    run["request_hash_sha256"].as_str().unwrap().to_owned()
}

async fn case_53_what_is_no_call_is_on_record_and_repeats_nothing(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let seen = desk.events().await.len();
    let planted = "privileged-5ecre7";
    let mut bodies = vec![
        format!("{planted} is not JSON"),
        format!("[\"{planted}\"]"),
        json!({"operation": planted}).to_string(),
        "\u{feff}{}".to_owned(),
        "[".repeat(100),
    ];
    for (member, value) in [
        ("tool_name", json!(7)),
        ("parameters", json!(planted)),
        (
            "actor",
            json!({"actor_type": planted, "actor_id": "x", "other": planted}),
        ),
        ("input_artifacts", json!([{"artifact_id": planted}])),
        (planted, json!(planted)),
        ("contract_version", json!("v2")),
        ("correlation_id", json!("line\nbreak \u{1b}[31m")),
        (
            "actor",
            json!({"actor_type": "human", "actor_id": "a", "agent_name": "CR\r\nLF"}),
        ),
        ("run_id", json!("not a run")),
    ] {
        bodies.push(with(dictation_call(&run), member, value).to_string());
    }
    let count = bodies.len();
    for body in bodies {
        let answer = send_text(&desk, body).await;
        let text = invalid(&answer).to_string();
        assert!(
            !text.contains(planted) && !text.contains("\\u001b"),
            "{text}"
        );
    }
    let events = desk.events().await;
    assert_eq!(events.len(), seen + 2 * count);
    let text = json!(events).to_string();
    assert!(!text.contains(planted) && !text.contains("\\u001b") && !text.contains("\\r"));
    assert_eq!(desk.dictation.calls(), 0);
}
