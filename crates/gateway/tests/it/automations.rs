//! Automations: made, started, completed by their agents, and ended where those say nothing.

use std::time::Duration;

use axum::http::Method;
use domain::{
    id::SessionId,
    limits::{AUTOMATION_RUN_LIFE, AUTOMATION_RUN_SILENCE_MAX, AUTOMATION_RUNS_ACTIVE_MAX},
    session_event::SessionEvent,
};
use serde_json::{Value, json};
use testkit::{
    app::{Client, Provision, TestApp, TestResponse},
    database::Backend,
};

use crate::{
    fleet::eventually,
    support::{configuration, create, id, ids},
};

testkit::on_both_databases!(
    an_automation_is_changed_and_removed,
    a_run_is_a_session_with_the_instructions_as_its_first_prompt,
    the_same_key_starts_one_run,
    many_at_once_under_one_key_start_one_run,
    an_automation_that_is_off_or_busy_is_not_started,
    a_run_whose_session_cannot_start_fails_with_its_reason,
    an_agent_completes_its_run_once,
    a_run_is_completed_by_its_own_session_alone,
    a_session_ends_after_its_run,
    what_a_dead_process_left_after_a_run_is_swept,
    a_silent_run_is_given_up,
    a_run_that_takes_too_long_is_given_up,
    a_run_whose_session_ends_is_lost,
);

const AUTOMATIONS: &str = "/v1/automations";

struct Place {
    app: TestApp,
    automation: String,
}

impl Place {
    async fn new(backend: Backend) -> Self {
        Self::with(TestApp::builder(backend)).await
    }

    async fn with(builder: testkit::app::Builder) -> Self {
        let app = builder.start().await;
        let body = json!({"name": "Nightly", "agentInstructions": "Look at the logs.\n"});
        let automation = id(&app.member().post(AUTOMATIONS, body).await.expect(201));
        Self { app, automation }
    }

    fn path(&self) -> String {
        format!("{AUTOMATIONS}/{}", self.automation)
    }

    async fn start(&self, key: Option<&str>) -> TestResponse {
        let path = format!("{}/runs", self.path());
        let call = self.app.member().call(Method::POST, &path);
        match key {
            Some(key) => call.header("idempotency-key", key).await,
            None => call.await,
        }
    }

    async fn run(&self, id: &str) -> Value {
        let path = format!("/v1/automation-runs/{id}");
        self.app.member().get(&path).await.expect(200)
    }

    /// Sweeps and says how many were ended.
    async fn finalize(&self) -> usize {
        app::automations::finalize(&self.app.app).await.unwrap()
    }

    /// Waits until the session is stopped, and says why it is.
    async fn stopped(&self, run: &Run) -> String {
        let path = format!("/v1/sessions/{}", run.session);
        let mut session = Value::Null;
        for _ in 0..600 {
            session = self.app.member().get(&path).await.expect(200);
            if session["status"] == "stopped" {
                return session["reason"].as_str().unwrap_or_default().to_owned();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("it goes on: {session}");
    }

    async fn sandbox_is_recorded(&self, run: &Run) {
        let id = run.session;
        let sql = format!("UPDATE sessions SET sandbox_id = 'x' WHERE id = '{id}'");
        self.app.database.execute(&sql).await;
    }

    async fn until_no_sandbox_is_recorded(&self, run: &Run) {
        eventually("no sandbox is on record", async || {
            let mut conn = self.app.app.db.read().await.unwrap();
            let kept = store::session_runtime_fetch(&mut conn, &self.app.acme, run.session);
            kept.await.unwrap().unwrap().sandbox.is_none()
        })
        .await;
    }
}

/// The id of a run, which names its session too.
fn run_id(run: &Value) -> String {
    run["id"].as_str().expect("a run").to_owned()
}

/// A run that is going on, and its agent.
struct Run {
    id: String,
    session: SessionId,
    agent: Client,
}

impl Run {
    async fn begin(place: &Place) -> Self {
        let run = place.start(None).await.expect(201);
        let session: SessionId = run["sessionId"].as_str().unwrap().parse().unwrap();
        Self {
            id: run_id(&run),
            session,
            agent: place.app.sandbox(session).await,
        }
    }

    fn args(&self) -> Value {
        json!({"run_id": self.id, "completion_id": "c1", "outcome": "needs_human",
            "summary_markdown": "**Hm.**", "citations": ["a.log"]})
    }

    async fn complete(&self, call: &str, args: &Value) -> TestResponse {
        let path = format!("/proliferate/{}/tools/automation_complete", self.session);
        let body = json!({"tool_call_id": call, "args": args});
        self.agent.post(&path, body).await
    }
}

async fn an_automation_is_changed_and_removed(backend: Backend) {
    let place = Place::new(backend).await;
    let (member, path) = (place.app.member(), place.path());
    let made = member.get(&path).await.expect(200);
    assert_eq!(made["modelId"], "claude-opus-4.6");
    assert_eq!(
        (&made["enabled"], &made["description"]),
        (&json!(true), &Value::Null)
    );
    let configuration = configuration(&place.app, json!({"name": "Shop"})).await;
    place.app.clock.advance(Duration::from_secs(1));
    let change = json!({"name": "Weekly", "modelId": "claude-sonnet-4", "enabled": false,
        "defaultConfigurationId": configuration});
    let changed = member.patch(&path, change).await.expect(200);
    assert_eq!(member.get(&path).await.expect(200), changed);
    assert_eq!(changed["name"], "Weekly");
    assert_eq!(changed["agentInstructions"], made["agentInstructions"]);
    assert_eq!(changed["updatedAt"], "2026-01-01T00:00:01Z");
    let listed = member.get(AUTOMATIONS).await.expect(200);
    assert_eq!(listed["items"], json!([changed]));
    let foreign = json!({"defaultConfigurationId": place.automation});
    let foreign = member.patch(&path, foreign).await;
    foreign.expect_problem(404, "NOT_FOUND");
    // What it starts from is not taken away under it.
    let configuration = format!("/v1/configurations/{configuration}");
    let kept = member.delete(&configuration).await;
    kept.expect_problem(409, "CONFLICT");
    member.delete(&path).await.expect(204);
    member.get(&path).await.expect_problem(404, "NOT_FOUND");
    member.delete(&configuration).await.expect(204);
}

async fn a_run_is_a_session_with_the_instructions_as_its_first_prompt(backend: Backend) {
    let place = Place::new(backend).await;
    let run = place.start(None).await.expect(201);
    assert_eq!(run["status"], "running");
    assert_eq!(run["deadlineAt"], "2026-01-01T02:00:00Z");
    let path = format!("/v1/sessions/{}", run["sessionId"].as_str().unwrap());
    let session = place.app.member().get(&path).await.expect(200);
    assert_eq!(session["sessionType"], "automation");
    assert_eq!(session["clientType"], "automation");
    assert_eq!(session["status"], "running");
    let prompt = session["initialPrompt"].as_str().unwrap();
    let run_id = run_id(&run);
    for words in [
        "Look at the logs.",
        &format!("- `run_id`: {run_id}\n"),
        &format!("- `completion_id`: run:{run_id}:completion:v1"),
    ] {
        assert!(prompt.contains(words), "{prompt}");
    }
    let listed = format!("{}/runs", place.path());
    let listed = place.app.member().get(&listed).await.expect(200);
    assert_eq!(listed["items"], json!([run]));
    assert_eq!(place.run(&run_id).await, run);
    // What its agent answers to is not taken away under it.
    let deleted = place.app.member().delete(&place.path()).await;
    deleted.expect_problem(409, "CONFLICT");
}

async fn the_same_key_starts_one_run(backend: Backend) {
    let place = Place::new(backend).await;
    let first = place.start(Some("k")).await.expect(201);
    // Whatever became of the automation meanwhile.
    let off = json!({"enabled": false, "agentInstructions": "Something else."});
    place
        .app
        .member()
        .patch(&place.path(), off)
        .await
        .expect(200);
    assert_eq!(place.start(Some("k")).await.expect(200), first);
    let other = place
        .app
        .owner()
        .call(Method::POST, &format!("{}/runs", place.path()));
    let other = other.header("idempotency-key", "k").await;
    other.expect_problem(409, "IDEMPOTENCY_CONFLICT");
    let long = place.start(Some(&"k".repeat(201))).await;
    let problem = long.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], "Idempotency-Key");
}

async fn many_at_once_under_one_key_start_one_run(backend: Backend) {
    let place = Place::new(backend).await;
    let starts = (0..8).map(|_| place.start(Some("k")));
    let answers = futures::future::join_all(starts).await;
    let started: Vec<String> = answers
        .iter()
        .map(|answer| run_id(&answer.json()))
        .collect();
    assert!(started.iter().all(|run| *run == started[0]), "{started:?}");
    let first = answers.iter().filter(|answer| answer.status == 201);
    assert_eq!(first.count(), 1);
    assert_eq!(place.app.provisioner.calls(), 1);
}

async fn an_automation_that_is_off_or_busy_is_not_started(backend: Backend) {
    let place = Place::new(backend).await;
    for _ in 0..AUTOMATION_RUNS_ACTIVE_MAX {
        place.start(None).await.expect(201);
    }
    let starts = (0..3).map(|_| place.start(None));
    for refused in futures::future::join_all(starts).await {
        refused.expect_problem(409, "LIMIT_REACHED");
    }
    let off = json!({"enabled": false});
    place
        .app
        .member()
        .patch(&place.path(), off)
        .await
        .expect(200);
    place.start(None).await.expect_problem(409, "CONFLICT");
    let runs = format!("{}/runs?limit=100", place.path());
    let runs = place.app.member().get(&runs).await.expect(200);
    assert_eq!(ids(&runs).len(), 10);
    let sessions = place.app.member().get("/v1/sessions").await.expect(200);
    assert_eq!(ids(&sessions).len(), 10, "a refused run leaves no session");
}

async fn a_run_whose_session_cannot_start_fails_with_its_reason(backend: Backend) {
    let builder = TestApp::builder(backend).provision(Provision::FailsForGood);
    let place = Place::with(builder).await;
    let run = place.start(None).await.expect(201);
    assert_eq!(run["status"], "failed");
    let reason = run["statusReason"].as_str().unwrap();
    assert!(reason.contains("the image does not exist"), "{reason}");
    assert_eq!(run["completion"], Value::Null);
    assert_eq!(place.run(&run_id(&run)).await, run);
}

async fn an_agent_completes_its_run_once(backend: Backend) {
    let place = Place::new(backend).await;
    let run = Run::begin(&place).await;
    let mut wrong = run.args();
    wrong["outcome"] = json!("done");
    let refused = run.complete("t0", &wrong).await;
    let problem = refused.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], "args.outcome");
    let told = run.complete("t1", &run.args()).await.expect(200);
    assert_eq!(
        told["data"],
        json!({"runId": run.id, "outcome": "needs_human"})
    );
    // Under another call, with another order of what it says.
    let same = json!({"citations": ["a.log"], "summary_markdown": "**Hm.**", "side_effect_refs": [],
        "outcome": "needs_human", "completion_id": "c1", "run_id": run.id});
    assert_eq!(run.complete("t2", &same).await.expect(200), told);
    let mut other = run.args();
    other["outcome"] = json!("succeeded");
    let other = run.complete("t3", &other).await;
    other.expect_problem(409, "CONFLICT");
    let mut another = run.args();
    another["completion_id"] = json!("c2");
    let another = run.complete("t4", &another).await;
    another.expect_problem(409, "CONFLICT");
    let view = place.run(&run.id).await;
    assert_eq!(view["status"], "needs_human");
    assert_eq!(view["statusReason"], Value::Null);
    assert_eq!(view["completion"]["completionId"], "c1");
    assert_eq!(view["completion"]["summaryMarkdown"], "**Hm.**");
    assert_eq!(view["completion"]["citations"], json!(["a.log"]));
    assert_eq!(view["deadlineAt"], Value::Null);
}

async fn a_run_is_completed_by_its_own_session_alone(backend: Backend) {
    let place = Place::new(backend).await;
    let (run, other) = (Run::begin(&place).await, Run::begin(&place).await);
    for (call, run_id) in [("t1", other.id.as_str()), ("t2", "run-1")] {
        let mut args = run.args();
        args["run_id"] = json!(run_id);
        let refused = run.complete(call, &args).await;
        let problem = refused.expect_problem(400, "INVALID_REQUEST");
        let text = problem["detail"].as_str().unwrap();
        assert!(text.contains("not the id of this session's run"), "{text}");
    }
    assert_eq!(place.run(&other.id).await["status"], "running");
    // A session of another mode has no such tool.
    let coding: SessionId = id(&create(&place.app, json!({})).await).parse().unwrap();
    let stranger = Run {
        id: run.id.clone(),
        session: coding,
        agent: place.app.sandbox(coding).await,
    };
    let denied = stranger.complete("t1", &run.args()).await;
    denied.expect_problem(403, "FORBIDDEN");
}

async fn a_session_ends_after_its_run(backend: Backend) {
    let place = Place::new(backend).await;
    let run = Run::begin(&place).await;
    let told = run.complete("t1", &run.args()).await.expect(200);
    // The agent has the rest of its turn, and is answered as before.
    let again = run.complete("t1", &run.args()).await;
    assert_eq!(again.expect(200), told);
    assert_eq!(place.app.provisioner.released(), []);
    place.app.provisioner.come_to_rest();
    let reason = place.stopped(&run).await;
    assert_eq!(reason, "its automation run ended: needs_human");
    let late = run.complete("t1", &run.args()).await;
    late.expect_problem(401, "UNAUTHENTICATED");
    eventually("its sandbox is gone", async || {
        place.app.provisioner.released() == [run.session]
    })
    .await;
}

async fn what_a_dead_process_left_after_a_run_is_swept(backend: Backend) {
    let place = Place::new(backend).await;
    let run = Run::begin(&place).await;
    // This process never comes to closing it: its agent does not rest.
    run.complete("t1", &run.args()).await.expect(200);
    assert_eq!(place.finalize().await, 0);
    let path = format!("/v1/sessions/{}", run.session);
    let session = place.app.member().get(&path).await.expect(200);
    assert_eq!(session["status"], "running", "its agent is not cut short");
    place.sandbox_is_recorded(&run).await;
    place.app.clock.advance(Duration::from_mins(1));
    assert_eq!(place.finalize().await, 0);
    assert_eq!(
        place.stopped(&run).await,
        "its automation run ended: needs_human"
    );
    // The process that ended it removes its sandbox. The sweeper removes one that is still recorded.
    place.until_no_sandbox_is_recorded(&run).await;
    place.sandbox_is_recorded(&run).await;
    let sweep = || app::sessions::sweep_released(&place.app.app);
    assert_eq!(sweep().await.unwrap(), 0);
    place.app.clock.advance(Duration::from_mins(1));
    assert_eq!(sweep().await.unwrap(), 1);
    assert_eq!(sweep().await.unwrap(), 0);
    assert!(place.app.provisioner.released().contains(&run.session));
}

async fn a_silent_run_is_given_up(backend: Backend) {
    let place = Place::new(backend).await;
    let run = Run::begin(&place).await;
    place.app.clock.advance(AUTOMATION_RUN_SILENCE_MAX / 2);
    let event = SessionEvent {
        seq: 1,
        kind: "status".to_owned(),
        payload: "{}".to_owned(),
        created_at: place.app.app.now(),
    };
    let mut tx = place.app.database.db.write().await.unwrap();
    store::session_event_append(&mut tx, &place.app.acme, run.session, 0, &[event])
        .await
        .unwrap();
    tx.commit().await.unwrap();
    place.app.clock.advance(AUTOMATION_RUN_SILENCE_MAX / 2);
    assert_eq!(place.finalize().await, 0, "something was heard of it");
    place.app.clock.advance(AUTOMATION_RUN_SILENCE_MAX / 2);
    assert_eq!(place.finalize().await, 1);
    let view = place.run(&run.id).await;
    assert_eq!(view["status"], "timed_out");
    let reason = "nothing was heard of its session for 30 minutes; the session was running";
    assert_eq!(view["statusReason"], reason);
    assert_eq!(
        place.stopped(&run).await,
        "its automation run ended: timed_out"
    );
    assert_eq!(place.finalize().await, 0);
}

async fn a_run_that_takes_too_long_is_given_up(backend: Backend) {
    let place = Place::new(backend).await;
    let run = Run::begin(&place).await;
    place.app.clock.advance(AUTOMATION_RUN_LIFE);
    assert_eq!(place.finalize().await, 1);
    let view = place.run(&run.id).await;
    assert_eq!(
        (&view["status"], &view["statusReason"]),
        (&json!("timed_out"), &json!("it was not over after 2 hours"))
    );
}

async fn a_run_whose_session_ends_is_lost(backend: Backend) {
    let place = Place::new(backend).await;
    let run = Run::begin(&place).await;
    let session = format!("/v1/sessions/{}", run.session);
    place.app.owner().delete(&session).await.expect(200);
    assert_eq!(place.finalize().await, 1);
    let view = place.run(&run.id).await;
    assert_eq!(view["status"], "failed");
    let reason = view["statusReason"].as_str().unwrap();
    assert!(
        reason.starts_with("its session was stopped before"),
        "{reason}"
    );
    // It can go now, with what is known of its runs.
    place.app.member().delete(&place.path()).await.expect(204);
    let gone = place
        .app
        .member()
        .get(&format!("/v1/automation-runs/{}", run.id))
        .await;
    gone.expect_problem(404, "NOT_FOUND");
}
