//! Cancelling a call that another instance runs: its process is killed there, and not only its run ended here. In
//! memory beside SQLite, through Redis beside PostgreSQL.

use std::{fs, sync::Arc};

use app::{
    mediation::{CancelledRuns, apply_cancels},
    policy::{PolicyFiles, PolicySource},
};
use coord::Coordination;
use domain::lease::Topic;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{
    app::TestApp,
    database::Backend,
    process::{is_running, until},
    redis::RedisServer,
    tool::Behaviour,
};
use tokio_util::sync::CancellationToken;

use super::desk::{CALLS, CASE, Desk, dictation_call};

testkit::on_both_databases!(
    a_process_of_another_instance_is_gone,
    a_word_that_is_not_true_stops_nothing,
    a_cancellation_before_the_subscription_is_applied,
);

/// What two instances share.
struct Between {
    coordination: Arc<dyn Coordination>,
    _redis: Option<RedisServer>,
}

impl Between {
    async fn open(backend: Backend) -> Self {
        let (redis, coordination) = RedisServer::beside(backend).await;
        Self {
            coordination,
            _redis: redis,
        }
    }

    fn instance(&self, backend: Backend) -> testkit::app::Builder {
        TestApp::builder(backend).coordinating_by(&self.coordination)
    }
}

/// Stops what is cancelled elsewhere, from now on.
async fn obedient(desk: &Desk) -> tokio_util::sync::DropGuard {
    let stop = CancellationToken::new();
    let listening = CancelledRuns::listen(&desk.app.app).await.unwrap();
    tokio::spawn(apply_cancels(
        desk.app.app.clone(),
        Some(listening),
        stop.clone(),
    ));
    stop.drop_guard()
}

/// The built-in policy, but reading a document takes as long as this word says.
fn slow_documents(word: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let files = PolicyFiles::built_in();
    let tools = std::str::from_utf8(&files.tools.bytes).unwrap();
    let argv = r#"argv: [pdftotext, -layout, -enc, UTF-8, "{input}", "{output}/text.txt"]"#;
    let probe = "probe: [pdftotext, -v]";
    assert!(tools.contains(argv) && tools.contains(probe));
    let copy = r#"argv: [cp, "{input}", "{output}/text.txt"]"#;
    let nap = format!("{copy}\n        - argv: [sleep, \"{word}\"]");
    let tools = tools.replace(argv, &nap);
    let tools = tools.replace(probe, "probe: []");
    let write = |name: &str, bytes: &[u8]| fs::write(directory.path().join(name), bytes).unwrap();
    write("lanes.yaml", &files.lanes.bytes);
    write("roles.yaml", &files.roles.bytes);
    write("tools.yaml", tools.as_bytes());
    directory
}

async fn cancel(desk: &Desk, id: &Value) -> Value {
    let path = format!("/v1/runs/{}/cancel", id.as_str().unwrap());
    desk.member().post(&path, json!({})).await.expect(200)
}

async fn a_process_of_another_instance_is_gone(backend: Backend) {
    let between = Between::open(backend).await;
    // A word that no other process has.
    let number = match backend {
        Backend::Sqlite => 1,
        Backend::Postgres => 2,
    };
    let word = format!("59.{:06}{number}", std::process::id());
    let policy = slow_documents(&word);
    let source = || PolicySource::Directory(policy.path().to_owned());
    let desk = Desk::open_with(between.instance(backend).policy(source())).await;
    let other = desk
        .beside_with(between.instance(backend).policy(source()))
        .await;
    let _listening = obedient(&desk).await;

    let upload = format!("/v1/artifacts?caseId={CASE}&kind=document");
    let upload = desk.member().call(axum::http::Method::POST, &upload);
    let upload = upload.body("application/pdf", "%PDF-").await.expect(201);
    let input = &upload["artifact"];
    let body = json!({
        "tool_name": "document.text",
        "operation": "document.text",
        "lane_id": "TOOL_DOCUMENT_INTAKE",
        "case_id": CASE,
        "parent_run_id": desk.run().await,
        "input_artifacts": [{
            "artifact_id": input["artifact_id"],
            "artifact_kind": input["artifact_kind"],
            "hash_sha256": input["hash_sha256"],
        }],
        "parameters": {},
    });
    let call = desk.member().post(&format!("{CALLS}?wait=0"), body).await;
    let id = call.expect(202)["run_id"].clone();
    until("the process", || is_running(&word)).await;

    let view = cancel(&other, &id).await;
    assert_eq!(view["status"], "cancelled");
    until("its end", || !is_running(&word)).await;
    assert_eq!(desk.run_status(id.as_str().unwrap()).await.0, "cancelled");
    // Each instance creates its own ids, and the clock does not advance: the order in the list is random.
    let told = desk.told(0).await;
    let is_end = |it: &String| it == "tool_call/failure/run_cancel";
    assert_eq!(told.iter().filter(|it| is_end(it)).count(), 1, "{told:?}");
}

/// The database decides what was cancelled; a forged message cannot stop anything.
async fn a_word_that_is_not_true_stops_nothing(backend: Backend) {
    let between = Between::open(backend).await;
    let desk = Desk::open_with(between.instance(backend)).await;
    let _listening = obedient(&desk).await;
    desk.dictation.behave(Behaviour::Hangs);
    let run = desk.run().await;
    let call = desk
        .member()
        .post(&format!("{CALLS}?wait=0"), dictation_call(&run));
    let id = call.await.expect(202)["run_id"].clone();
    desk.dictation.started().await;
    for said in [id.as_str().unwrap(), "not an id"] {
        let said = axum::body::Bytes::from(said.to_owned());
        let published = between.coordination.publish(Topic::CancelledRuns, said);
        published.await.unwrap();
    }
    // Another call that is really cancelled is stopped after those were heard, in their order.
    let call = desk
        .member()
        .post(&format!("{CALLS}?wait=0"), dictation_call(&run));
    let second = call.await.expect(202)["run_id"].clone();
    desk.dictation.started().await;
    let other = desk.beside_with(between.instance(backend)).await;
    cancel(&other, &second).await;
    until("its end", || desk.dictation.under_way() == 1).await;
    desk.dictation.release();
    let path = format!("/v1/runs/{}?wait=20", id.as_str().unwrap());
    let view = desk.member().get(&path).await.expect(200);
    assert_eq!(view["status"], "completed");
}

async fn a_cancellation_before_the_subscription_is_applied(backend: Backend) {
    let between = Between::open(backend).await;
    let desk = Desk::open_with(between.instance(backend)).await;
    let other = desk.beside_with(between.instance(backend)).await;
    desk.dictation.behave(Behaviour::Hangs);
    let run = desk.run().await;
    let call = desk
        .member()
        .post(&format!("{CALLS}?wait=0"), dictation_call(&run));
    let id = call.await.expect(202)["run_id"].clone();
    desk.dictation.started().await;
    cancel(&other, &id).await;
    let _listening = obedient(&desk).await;
    until("its end", || desk.dictation.under_way() == 0).await;
}
