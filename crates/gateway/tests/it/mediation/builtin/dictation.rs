//! Recordings: opened by a call, filled by uploads, stopped by a call that leaves one artifact.

use std::path::PathBuf;

use axum::http::Method;
use domain::{
    audit::Sha256Hex,
    limits::{RECORDING_CHUNK_BYTES_MAX, RECORDING_CHUNKS_MAX},
};
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
};

use super::{
    super::{
        desk::{CASE, Desk, MEETING, OTHER_CASE},
        identity::{denied, invalid},
    },
    content, interview, let_in, message, send,
};
use crate::support::UNKNOWN_ID;

testkit::on_both_databases!(
    pieces_become_one_artifact_in_their_order,
    a_missing_piece_keeps_the_recording_open,
    a_stop_that_failed_can_be_repeated,
    only_members_bring_pieces,
    a_piece_has_its_bounds,
    a_recording_stays_in_its_case_and_meeting,
    what_a_recording_is_opened_with_is_checked,
    pieces_and_the_stop_come_one_after_the_other,
);

async fn start(desk: &Desk, run: &str, parameters: Value) -> String {
    let answer = desk.send(interview("dictation.start", run, parameters));
    let answer = answer.await.expect(200);
    assert_eq!(answer["output_artifacts"], json!([]));
    answer["run_id"].as_str().unwrap().to_owned()
}

async fn stop(desk: &Desk, run: &str, recording: &str) -> TestResponse {
    let parameters = json!({"run_id": recording});
    let answer = desk.send(interview("dictation.stop", run, parameters));
    answer.await
}

async fn put(
    client: &Client,
    recording: &str,
    number: &str,
    bytes: impl Into<Vec<u8>>,
) -> TestResponse {
    let path = format!("/v1/recordings/{recording}/chunks/{number}");
    let call = client.call(Method::PUT, &path);
    call.body("application/octet-stream", bytes.into()).await
}

async fn pieces_become_one_artifact_in_their_order(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let (run, member) = (desk.run().await, desk.member());
    let seen = desk.events().await.len();
    let recording = start(&desk, &run, json!({})).await;
    for (number, bytes) in [("1", "la "), ("0", "do re "), ("2", "mi")] {
        let stored = put(&member, &recording, number, bytes).await.expect(201);
        assert_eq!(stored["sha256"], Sha256Hex::of(bytes.as_bytes()).as_str());
        assert_eq!(stored["byteSize"], bytes.len());
        assert_eq!(stored["alreadyExisted"], false);
    }
    let again = put(&member, &recording, "1", "la ").await.expect(200);
    assert_eq!(again["alreadyExisted"], true);
    let other = put(&member, &recording, "1", "le ").await;
    other.expect_problem(409, "CONFLICT");

    let answer = stop(&desk, &run, &recording).await.expect(200);
    let [audio] = &answer["output_artifacts"].as_array().unwrap()[..] else {
        panic!("{answer}");
    };
    assert_eq!(audio["artifact_kind"], "audio");
    assert_eq!(audio["content_type"], "audio/wav");
    assert_eq!(audio["lineage"]["run_id"], answer["run_id"]);
    assert_eq!(content(&member, audio).await.text(), "do re la mi");

    let late = put(&member, &recording, "3", "fa").await;
    late.expect_problem(409, "CONFLICT");
    let second = invalid(&stop(&desk, &run, &recording).await);
    assert_eq!(message(&second), "the recording was stopped before");
    let told = desk.told(seen).await;
    let expected = [
        "authz_decision/allow/-",
        "tool_call/success/-",
        "db_write/success/-",
        "db_write/success/-",
        "db_write/success/-",
        "system/failure/conflict",
        "authz_decision/allow/-",
        "tool_call/success/-",
        "authz_decision/allow/-",
        "tool_call/failure/parameters_not_accepted",
    ];
    assert_eq!(told, expected);
}

async fn a_missing_piece_keeps_the_recording_open(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let (run, member) = (desk.run().await, desk.member());
    let recording = start(&desk, &run, json!({"media_type": "audio/flac"})).await;
    let empty = invalid(&stop(&desk, &run, &recording).await);
    assert_eq!(message(&empty), "nothing was recorded yet");
    for number in ["0", "2", "4"] {
        put(&member, &recording, number, number).await.expect(201);
    }
    for missing in ["1", "3"] {
        let gap = invalid(&stop(&desk, &run, &recording).await);
        let expected = format!("chunk {missing} of the recording is missing");
        assert_eq!(message(&gap), expected);
        put(&member, &recording, missing, missing).await.expect(201);
    }
    let answer = stop(&desk, &run, &recording).await.expect(200);
    let audio = &answer["output_artifacts"][0];
    assert_eq!(audio["content_type"], "audio/flac");
    assert_eq!(content(&member, audio).await.text(), "01234");
}

async fn a_stop_that_failed_can_be_repeated(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let (run, member) = (desk.run().await, desk.member());
    let recording = start(&desk, &run, json!({})).await;
    put(&member, &recording, "0", "only").await.expect(201);
    let path = stored(&desk.app, Sha256Hex::of(b"only").as_str());
    let away = path.with_extension("away");
    std::fs::rename(&path, &away).unwrap();
    let failed = stop(&desk, &run, &recording).await;
    assert_eq!(failed.status, 502, "{}", failed.text());
    // No chunk is added after the stop.
    let late = put(&member, &recording, "1", "more").await;
    late.expect_problem(409, "CONFLICT");
    std::fs::rename(&away, &path).unwrap();
    let answer = stop(&desk, &run, &recording).await.expect(200);
    let audio = &answer["output_artifacts"][0];
    assert_eq!(content(&member, audio).await.text(), "only");
}

/// The file that holds the bytes of this digest.
fn stored(app: &TestApp, sha256: &str) -> PathBuf {
    let mut directories = vec![app.storage.path().join("blobs")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.ends_with(sha256) {
                return path;
            }
        }
    }
    panic!("{sha256} is not stored");
}

async fn only_members_bring_pieces(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let run = desk.run().await;
    let recording = start(&desk, &run, json!({})).await;
    let without_id = |answer: &TestResponse| {
        let mut problem = answer.expect_problem(404, "NOT_FOUND");
        problem.as_object_mut().unwrap().remove("request_id");
        problem
    };
    for client in [desk.app.person(Person::Admin), desk.app.foreigner()] {
        let theirs = put(&client, &recording, "0", "x").await;
        let unknown = put(&client, UNKNOWN_ID, "0", "x").await;
        assert_eq!(without_id(&theirs), without_id(&unknown));
    }
    // A run that opened nothing is no recording.
    put(&desk.member(), &run, "0", "x")
        .await
        .expect_problem(404, "NOT_FOUND");
    let admin = let_in(&desk, Person::Admin).await;
    put(&admin, &recording, "0", "x").await.expect(201);
}

async fn a_piece_has_its_bounds(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let (run, member) = (desk.run().await, desk.member());
    let recording = start(&desk, &run, json!({})).await;
    let last = (RECORDING_CHUNKS_MAX - 1).to_string();
    put(&member, &recording, &last, "x").await.expect(201);
    for bad in [&*RECORDING_CHUNKS_MAX.to_string(), "-1", "x", "4294967296"] {
        let answer = put(&member, &recording, bad, "x").await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "n", "{problem}");
    }
    let empty = put(&member, &recording, "0", "").await;
    empty.expect_problem(400, "INVALID_REQUEST");
    let size = usize::try_from(RECORDING_CHUNK_BYTES_MAX).unwrap();
    let large = put(&member, &recording, "0", vec![0; size + 1]).await;
    large.expect_problem(413, "PAYLOAD_TOO_LARGE");
    put(&member, &recording, "0", vec![0; size])
        .await
        .expect(201);
}

async fn a_recording_stays_in_its_case_and_meeting(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let (run, member) = (desk.run().await, desk.member());
    let recording = start(&desk, &run, json!({})).await;
    put(&member, &recording, "0", "x").await.expect(201);
    desk.meeting(OTHER_CASE, MEETING).await;
    let owner = desk.app.owner();
    let elsewhere = desk.run_of(&owner, Some(OTHER_CASE)).await;
    let mut body = interview("dictation.stop", &elsewhere, json!({"run_id": recording}));
    body["case_id"] = json!(OTHER_CASE);
    denied(&send(&owner, body).await, "prohibited_cross_case_lookup");
    desk.meeting(CASE, "MEETING-0002").await;
    let mut body = interview("dictation.stop", &run, json!({"run_id": recording}));
    body["scope"]["client_session_id"] = json!("MEETING-0002");
    let answer = invalid(&desk.send(body).await);
    assert_eq!(message(&answer), "the recording is of another meeting");
    for (parameters, expected) in [
        (
            json!({"run_id": run}),
            "run_id is not the run that opened a recording",
        ),
        (json!({}), "parameters.run_id is missing"),
        (
            json!({"run_id": 7}),
            "parameters.run_id is not what it should be",
        ),
        (
            json!({"run_id": recording, "fast": true}),
            "the tool's parameters are run_id",
        ),
    ] {
        let answer = desk.send(interview("dictation.stop", &run, parameters));
        assert_eq!(message(&invalid(&answer.await)), expected);
    }
    stop(&desk, &run, &recording).await.expect(200);
}

async fn what_a_recording_is_opened_with_is_checked(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let run = desk.run().await;
    for (parameters, expected) in [
        (
            json!({"media_type": "audio/mpeg"}),
            "media_type must be audio/wav or audio/flac",
        ),
        (
            json!({"media_type": 1}),
            "media_type must be audio/wav or audio/flac",
        ),
        (
            json!({"codec": "x"}),
            "the tool's parameters are media_type",
        ),
    ] {
        let answer = desk.send(interview("dictation.start", &run, parameters));
        assert_eq!(message(&invalid(&answer.await)), expected);
    }
    // The same key opens one recording.
    let body = interview("dictation.start", &run, json!({}));
    let first = desk.send_keyed("again", body.clone()).await.expect(200);
    let second = desk.send_keyed("again", body).await.expect(200);
    assert_eq!(first["run_id"], second["run_id"]);
}

async fn pieces_and_the_stop_come_one_after_the_other(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let (run, member) = (desk.run().await, desk.member());
    let recording = start(&desk, &run, json!({})).await;
    put(&member, &recording, "0", "0").await.expect(201);
    let puts = futures::future::join_all((1..9).map(|number: u32| {
        let (member, recording) = (member.clone(), recording.clone());
        async move {
            let text = number.to_string();
            put(&member, &recording, &text, text.clone()).await.status
        }
    }));
    let (statuses, stopped) = tokio::join!(puts, stop(&desk, &run, &recording));
    let answer = if stopped.status == 200 {
        stopped.json()
    } else {
        // It came between two of them.
        invalid(&stopped);
        stop(&desk, &run, &recording).await.expect(200)
    };
    // What was taken is in it, what is not in it was refused.
    let text = content(&member, &answer["output_artifacts"][0]).await;
    for (number, status) in (1..9).zip(statuses) {
        let inside = text.text().contains(&number.to_string());
        assert_eq!(status, if inside { 201 } else { 409 }, "piece {number}");
    }
}
