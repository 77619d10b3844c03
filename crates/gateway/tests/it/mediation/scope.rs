//! Cases and sessions: what belongs to one is out of reach from another, and does not even seem to exist.

use std::{fs, path::Path};

use app::policy::PolicySource;
use axum::http::Method;
use domain::{
    artifact::{Artifact, ArtifactScope},
    audit::Sha256Hex,
    clock::Clock,
    id::{ArtifactId, SessionId},
};
use serde_json::{Value, json};
use testkit::{app::TestApp, database::Backend};

use super::{
    desk::{CALLS, CASE, Desk, MEETING, OTHER_CASE, call, dictation_call, with},
    identity::{denied, invalid},
    pins::policy_in,
};
use crate::support::create;

testkit::on_both_databases!(
    case_9_an_input_of_another_case_is_not_there,
    case_10_two_cases_in_one_call_are_no_call,
    case_11_a_handle_of_another_case_is_denied,
    case_12_a_word_in_the_request_is_no_ticket,
    case_13_a_lane_that_needs_a_case_gets_one,
    case_14_a_path_is_no_case,
    who_is_no_member_is_denied_with_both_events,
    a_meeting_of_another_case_is_denied,
    a_run_of_another_case_is_no_parent,
    an_input_the_tool_does_not_take_is_refused,
    the_whole_of_an_action_is_an_input_for_the_sessions_agent_alone,
);

async fn artifact(desk: &Desk, case: &str) -> Value {
    stored_as(desk, ArtifactScope::Case(case.parse().unwrap()), "audio").await
}

async fn stored_as(desk: &Desk, scope: ArtifactScope, kind: &str) -> Value {
    let now = desk.app.clock.now();
    let artifact = Artifact {
        id: ArtifactId::generate(now, &desk.app.fixture.entropy),
        organization_id: desk.app.acme.clone(),
        scope,
        kind: kind.parse().unwrap(),
        media_type: "audio/wav".parse().unwrap(),
        sha256: Sha256Hex::of(b"sound"),
        byte_size: 5,
        lineage: None,
        created_at: now,
    };
    let mut tx = desk.app.app.db.write().await.unwrap();
    let stored = std::slice::from_ref(&artifact);
    store::artifact_insert_all(&mut tx, stored).await.unwrap();
    tx.commit().await.unwrap();
    json!({
        "artifact_id": artifact.id.to_string(),
        "artifact_kind": kind,
        "hash_sha256": artifact.sha256.as_str(),
    })
}

async fn case_9_an_input_of_another_case_is_not_there(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let elsewhere = artifact(&desk, OTHER_CASE).await;
    let mut unknown = elsewhere.clone();
    unknown["artifact_id"] = json!("0192f0c1-2345-7abc-8def-0123456789ab");
    let mut altered = artifact(&desk, CASE).await;
    altered["hash_sha256"] = json!("0".repeat(64));
    let mut answers = Vec::new();
    for input in [elsewhere, unknown, altered] {
        let body = with(
            call("transcription.run", &run),
            "input_artifacts",
            json!([input]),
        );
        let mut answer = denied(&desk.send(body).await, "prohibited_cross_case_lookup");
        answer["run_id"] = json!(null);
        answers.push(answer);
    }
    assert_eq!(
        answers[0], answers[1],
        "not there and elsewhere are one answer"
    );
    assert_eq!(answers[1], answers[2]);
}

async fn case_10_two_cases_in_one_call_are_no_call(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let scope = json!({"client_session_id": MEETING, "case_id": OTHER_CASE});
    let body = with(dictation_call(&run), "scope", scope);
    invalid(&desk.send(body).await);
    // The same case twice is one case.
    let scope = json!({"client_session_id": MEETING, "case_id": CASE});
    let body = with(dictation_call(&run), "scope", scope);
    desk.send(body).await.expect(200);
    let body = with(
        dictation_call(&run),
        "scope",
        json!({"client_session_id": MEETING, "favourite_colour": "red"}),
    );
    invalid(&desk.send(body).await);
    assert_eq!(desk.dictation.calls(), 1);
}

async fn case_11_a_handle_of_another_case_is_denied(backend: Backend) {
    let desk = Desk::open(backend).await;
    let owner = desk.app.owner();
    let elsewhere = desk.run_of(&owner, Some(OTHER_CASE)).await;
    let run = desk.run().await;
    let own = desk.send(dictation_call(&run)).await.expect(200);
    let ask = |handle: &str| {
        with(
            call("transcription.status", &run),
            "parameters",
            json!({"run_id": handle}),
        )
    };
    let unknown = "0192f0c1-2345-7abc-8def-0123456789ab";
    for handle in [elsewhere.as_str(), unknown] {
        denied(
            &desk.send(ask(handle)).await,
            "prohibited_cross_case_lookup",
        );
    }
    assert_eq!(desk.status.calls(), 0);
    desk.send(ask(own["run_id"].as_str().unwrap()))
        .await
        .expect(200);
    assert_eq!(desk.status.calls(), 1);
}

async fn case_12_a_word_in_the_request_is_no_ticket(backend: Backend) {
    let desk = Desk::open(backend).await;
    let admin = desk.app.person(testkit::app::Person::Admin);
    let run = desk.run_of(&admin, None).await;
    let mut body = call("override.enable", &run);
    body["lane_id"] = json!("SYSTEM_OVERRIDE");
    body["case_id"] = json!(null);
    body["scope"] =
        json!({"override_ticket_id": "TICKET-1", "override_reason": "signed off: true"});
    denied(&admin.post(CALLS, body).await, "scope_not_verified");
}

async fn case_13_a_lane_that_needs_a_case_gets_one(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run_of(&desk.member(), None).await;
    for case in [json!(null), json!(""), json!("   "), json!("C12")] {
        let body = with(dictation_call(&run), "case_id", case);
        denied(&desk.send(body).await, "scope_missing");
    }
    assert_eq!(desk.dictation.calls(), 0);
}

async fn case_14_a_path_is_no_case(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    for case in [
        "../C2",
        "C1/../../C2",
        "C1//x",
        "%2e%2e",
        "CASE-0001\0",
        "CASE\u{202e}1",
    ] {
        let body = with(dictation_call(&run), "case_id", json!(case));
        let answer = invalid(&desk.send(body).await);
        assert!(!answer.to_string().contains(case));
    }
    assert_eq!(desk.dictation.calls(), 0);
}

async fn who_is_no_member_is_denied_with_both_events(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run_of(&desk.member(), None).await;
    for case in [OTHER_CASE, "CASE-9999"] {
        let seen = desk.events().await.len();
        let body = with(dictation_call(&run), "case_id", json!(case));
        denied(&desk.send(body).await, "scope_not_verified");
        let expected = [
            "authz_decision/deny/scope_not_verified",
            "tool_call/deny/scope_not_verified",
        ];
        assert_eq!(desk.told(seen).await, expected);
    }
    assert_eq!(desk.dictation.calls(), 0);
}

async fn a_meeting_of_another_case_is_denied(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.meeting(OTHER_CASE, "MEETING-0002").await;
    let run = desk.run().await;
    let scope = json!({"client_session_id": "MEETING-0002"});
    let body = with(dictation_call(&run), "scope", scope);
    denied(&desk.send(body).await, "scope_not_verified");
    let body = with(dictation_call(&run), "scope", json!({}));
    denied(&desk.send(body).await, "scope_missing");
}

async fn a_run_of_another_case_is_no_parent(backend: Backend) {
    let desk = Desk::open(backend).await;
    let owner = desk.app.owner();
    let run = desk.run_of(&owner, Some(OTHER_CASE)).await;
    denied(&desk.send(dictation_call(&run)).await, "run_invalid");
    let body = json!({"run_kind": "agent", "case_id": OTHER_CASE});
    assert_eq!(desk.member().post("/v1/runs", body).await.status, 404);
}

async fn an_input_the_tool_does_not_take_is_refused(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let sound = artifact(&desk, CASE).await;
    let body = with(dictation_call(&run), "input_artifacts", json!([sound]));
    let answer = invalid(&desk.send(body).await);
    assert_eq!(answer["outcome_reason"], "input_not_accepted");
    let run_id = answer["run_id"].as_str().unwrap();
    assert_eq!(desk.run_status(run_id).await.0, "denied");
    assert_eq!(desk.dictation.calls(), 0);
}

/// A policy with a lane for sessions whose tool takes stored sound.
fn policy_for_sessions(directory: &Path) {
    policy_in(directory, |lanes| {
        let case = "requires: [case_id, client_session_id, run_id]";
        let changed = lanes.replace(case, "requires: [session_id, run_id]");
        assert_ne!(changed, lanes);
        changed
    });
    let path = directory.join("tools.yaml");
    let tools = fs::read_to_string(&path).unwrap();
    let (before, after) = tools.split_once("operation: transcription.status").unwrap();
    let after = after.replacen("accepts: []", "accepts: [audio/wav]", 1);
    fs::write(
        &path,
        format!("{before}operation: transcription.status{after}"),
    )
    .unwrap();
}

async fn the_whole_of_an_action_is_an_input_for_the_sessions_agent_alone(backend: Backend) {
    let directory = tempfile::tempdir().unwrap();
    policy_for_sessions(directory.path());
    let source = PolicySource::Directory(directory.path().to_owned());
    let desk = Desk::open_with(TestApp::builder(backend).policy(source)).await;
    let session = create(&desk.app, json!({})).await["sessionId"].clone();
    let id: SessionId = session.as_str().unwrap().parse().unwrap();
    let scope = ArtifactScope::Session(id);
    let (agent, owner) = (desk.app.sandbox(id).await, desk.app.owner());
    let path = format!("/v1/artifacts?sessionId={id}&kind=recording");
    let upload = owner.call(Method::POST, &path);
    upload.body("audio/wav", "sound").await.expect(201);
    let audio = stored_as(&desk, scope.clone(), "audio").await;
    let result = stored_as(&desk, scope.clone(), "action_result").await;
    let attachment = stored_as(&desk, scope, "action_attachment").await;
    for (input, client, allowed) in [
        (&audio, &owner, true),
        (&result, &owner, false),
        (&attachment, &desk.member(), false),
        (&result, &agent, true),
    ] {
        let run = desk.run_of(client, None).await;
        let mut body = call("transcription.status", &run);
        body["case_id"] = json!(null);
        body["scope"] = json!({ "session_id": session });
        let answer = client
            .post(CALLS, with(body, "input_artifacts", json!([input])))
            .await;
        if allowed {
            answer.expect(200);
        } else {
            denied(&answer, "prohibited_cross_case_lookup");
        }
    }
    assert_eq!(desk.status.calls(), 2);
}
