//! How far a transcription is.

use std::time::Duration;

use domain::{
    artifact::{Artifact, ArtifactScope, Lineage},
    audit::{ArtifactDigest, SafeText, Sha256Hex},
    clock::Clock,
    id::{ArtifactId, RunId},
    policy::{RoleClass, RoleId},
    run::{Run, RunActor, RunError, RunErrorCode, RunKind, RunState, RunTarget},
};
use serde_json::json;
use store::NewRun;
use testkit::database::Backend;

use super::{
    super::{
        desk::{CASE, Desk, OTHER_CASE, case_id},
        identity::{denied, invalid},
    },
    interview, message,
};

testkit::on_both_databases!(
    a_transcription_is_running_then_there_or_not,
    only_a_transcription_of_the_case_has_a_status,
);

/// A run of `transcription.run` in this state, with its transcript if it has one.
async fn transcription(desk: &Desk, case: &str, state: RunState, text: Option<&str>) -> RunId {
    let (now, entropy) = (desk.app.clock.now(), &desk.app.fixture.entropy);
    let id = RunId::generate(now, entropy);
    let operation = "transcription.run".parse().unwrap();
    let mut run = Run {
        id,
        organization_id: desk.app.acme.clone(),
        kind: RunKind::ToolGateway,
        root_id: id,
        parent_id: None,
        case_id: Some(case_id(case)),
        session_id: None,
        actor: RunActor {
            class: RoleClass::Agent,
            id: "worker".to_owned(),
            role: RoleId::new("CASE_AGENT").unwrap(),
        },
        target: Some(RunTarget {
            lane: None,
            tool_name: "transcription".to_owned(),
            operation,
            version: None,
        }),
        correlation_id: None,
        request_sha256: None,
        created_at: now,
        state,
        reason: None,
        inputs: Vec::new(),
        outputs: Vec::new(),
        response_sha256: None,
    };
    let mut tx = desk.app.app.db.write().await.unwrap();
    if let Some(text) = text {
        let artifact = Artifact {
            id: ArtifactId::generate(now, entropy),
            organization_id: desk.app.acme.clone(),
            scope: ArtifactScope::Case(case_id(case)),
            kind: "transcript".parse().unwrap(),
            media_type: "text/plain".parse().unwrap(),
            sha256: Sha256Hex::of(text.as_bytes()),
            byte_size: text.len() as u64,
            lineage: Some(Lineage {
                run_id: id,
                derived_from: Vec::new(),
                transformation: "transcription.run".parse().unwrap(),
            }),
            created_at: now,
        };
        run.outputs.push(ArtifactDigest {
            id: SafeText::new("id", artifact.id.to_string()).unwrap(),
            kind: SafeText::new("kind", "transcript").unwrap(),
            sha256: artifact.sha256.clone(),
        });
        store::artifact_insert_all(&mut tx, &[artifact])
            .await
            .unwrap();
    }
    let row = NewRun { run, key: None };
    store::run_insert_all(&mut tx, &[row]).await.unwrap();
    tx.commit().await.unwrap();
    id
}

fn running(desk: &Desk) -> RunState {
    let (now, policy) = (desk.app.clock.now(), desk.app.app.policy.current());
    let deadline = now.plus(Duration::from_hours(1));
    let started = RunState::Created.start(now, policy.id().clone(), Some(deadline));
    started.unwrap()
}

async fn a_transcription_is_running_then_there_or_not(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let (run, now) = (desk.run().await, desk.app.clock.now());
    let ask = |id: RunId| {
        let parameters = json!({"run_id": id.to_string()});
        desk.send(interview("transcription.status", &run, parameters))
    };
    let id = transcription(&desk, CASE, running(&desk), None).await;
    let answer = ask(id).await.expect(200);
    assert_eq!(answer["outcome"], "success");
    assert_eq!(answer["outcome_reason"], "running");
    assert_eq!(answer["output_artifacts"], json!([]));

    let done = running(&desk).complete(now).unwrap();
    let id = transcription(&desk, CASE, done, Some("hello")).await;
    let answer = ask(id).await.expect(200);
    assert_eq!(answer["outcome_reason"], json!(null));
    let transcript = &answer["output_artifacts"][0];
    // The very artifact: made by the transcription, not by the question.
    assert_eq!(transcript["lineage"]["run_id"], id.to_string());
    assert_eq!(transcript["hash_sha256"], Sha256Hex::of(b"hello").as_str());
    let page = format!("/v1/artifacts?caseId={CASE}");
    let page = desk.member().get(&page).await.expect(200);
    assert_eq!(page["items"].as_array().unwrap().len(), 1);

    let error = RunError::new(RunErrorCode::ToolError, "it broke", false);
    let failed = running(&desk).fail(now, error.clone()).unwrap();
    let denied = RunState::Created.deny(now, error).unwrap();
    let cancelled = running(&desk).cancel(now).unwrap();
    for (state, expected) in [
        (failed, "the transcription failed"),
        (denied, "the transcription was denied"),
        (cancelled, "the transcription was cancelled"),
    ] {
        let id = transcription(&desk, CASE, state, None).await;
        let answer = ask(id).await;
        assert_eq!(answer.status, 502, "{}", answer.text());
        let answer = answer.json();
        assert_eq!(answer["error"]["error_code"], "TOOL_ERROR");
        assert_eq!(message(&answer), expected);
    }
}

async fn only_a_transcription_of_the_case_has_a_status(backend: Backend) {
    let desk = Desk::open_real(backend).await;
    let run = desk.run().await;
    let elsewhere = transcription(&desk, OTHER_CASE, running(&desk), None).await;
    let parameters = json!({"run_id": elsewhere.to_string()});
    let answer = desk.send(interview("transcription.status", &run, parameters));
    denied(&answer.await, "prohibited_cross_case_lookup");
    let parameters = json!({"run_id": run});
    let answer = desk.send(interview("transcription.status", &run, parameters));
    let answer = invalid(&answer.await);
    let expected = "run_id is not the run of a transcription of this case";
    assert_eq!(message(&answer), expected);
}
