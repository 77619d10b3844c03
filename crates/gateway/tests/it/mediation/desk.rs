//! A product with tools that the tests control, a case, and a run that calls can belong to.

use std::sync::Arc;

use app::audit;
use domain::{
    case::{Case, CaseMember, ClientSession},
    clock::Clock,
    id::{OrganizationId, RunId},
    policy::CaseId,
};
use serde_json::{Value, json};
use store::AuditRecord;
use testkit::{
    app::{Builder, Client, Person, TestApp, TestResponse},
    database::Backend,
    tool::{Behaviour, FakeTool},
};

pub(crate) const CALLS: &str = "/v1/tool-calls";
pub(crate) const CASE: &str = "CASE-0001";
pub(crate) const OTHER_CASE: &str = "CASE-0002";
pub(crate) const MEETING: &str = "MEETING-0001";

/// What a test of calls works with.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) app: TestApp,
    /// Runs `dictation.start`, which is not idempotent.
    pub(crate) dictation: Arc<FakeTool>,
    /// Runs `transcription.status`, which is.
    pub(crate) status: Arc<FakeTool>,
}

impl Desk {
    pub(crate) async fn open(backend: Backend) -> Self {
        Self::open_with(TestApp::builder(backend)).await
    }

    pub(crate) async fn open_with(builder: Builder) -> Self {
        let dictation = FakeTool::new(Behaviour::Succeeds);
        let status = FakeTool::new(Behaviour::Succeeds);
        let app = builder
            .builtin("dictation.start", dictation.clone())
            .builtin("transcription.status", status.clone())
            .start()
            .await;
        Self::furnished(app, dictation, status).await
    }

    /// With the product's own tools.
    pub(crate) async fn open_real(backend: Backend) -> Self {
        let unused = || FakeTool::new(Behaviour::Succeeds);
        let app = TestApp::start(backend).await;
        Self::furnished(app, unused(), unused()).await
    }

    async fn furnished(app: TestApp, dictation: Arc<FakeTool>, status: Arc<FakeTool>) -> Self {
        let desk = Self {
            app,
            dictation,
            status,
        };
        let member = CaseMember::User(Person::Member.user_id());
        desk.case(CASE, &[&member]).await;
        desk.case(OTHER_CASE, &[&CaseMember::User(Person::Owner.user_id())])
            .await;
        desk.meeting(CASE, MEETING).await;
        desk
    }

    /// Another instance on the same database, with the same tools.
    pub(crate) async fn beside(&self, backend: Backend) -> Self {
        self.beside_with(TestApp::builder(backend)).await
    }

    /// The same with what this builder says to be different.
    pub(crate) async fn beside_with(&self, builder: Builder) -> Self {
        let app = builder
            .builtin("dictation.start", self.dictation.clone())
            .builtin("transcription.status", self.status.clone())
            .beside(&self.app)
            .await;
        Self {
            app,
            dictation: self.dictation.clone(),
            status: self.status.clone(),
        }
    }

    pub(crate) async fn case(&self, id: &str, members: &[&CaseMember]) {
        let mut tx = self.app.app.db.write().await.unwrap();
        let case = Case {
            id: id.parse().unwrap(),
            organization_id: self.app.acme.clone(),
            title: None,
            created_at: self.app.clock.now(),
        };
        store::case_insert(&mut tx, &case).await.unwrap();
        for member in members {
            let now = self.app.clock.now();
            store::case_member_insert(&mut tx, &self.app.acme, &case.id, member, now)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
    }

    pub(crate) async fn meeting(&self, case: &str, id: &str) {
        let mut tx = self.app.app.db.write().await.unwrap();
        let meeting = ClientSession {
            id: id.parse().unwrap(),
            case_id: case.parse().unwrap(),
            organization_id: self.app.acme.clone(),
            created_at: self.app.clock.now(),
        };
        assert!(
            store::case_client_session_insert(&mut tx, &meeting)
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
    }

    pub(crate) fn member(&self) -> Client {
        self.app.member()
    }

    /// A run of the member's, of the case.
    pub(crate) async fn run(&self) -> String {
        self.run_of(&self.member(), Some(CASE)).await
    }

    pub(crate) async fn run_of(&self, client: &Client, case: Option<&str>) -> String {
        let body = json!({"run_kind": "agent", "case_id": case});
        let run = client.post("/v1/runs", body).await.expect(201);
        run["run_id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn send(&self, body: Value) -> TestResponse {
        self.member().post(CALLS, body).await
    }

    pub(crate) async fn send_keyed(&self, key: &str, body: Value) -> TestResponse {
        let call = self.member().post(CALLS, body);
        call.header("idempotency-key", key).await
    }

    /// Every event of acme's, oldest first, and the proof that the log holds together.
    pub(crate) async fn events(&self) -> Vec<Value> {
        let app = &self.app.app;
        audit::sign_pending(app, &self.app.acme).await.unwrap();
        let mut conn = app.db.read().await.unwrap();
        let records = store::audit_record_list(&mut conn, &self.app.acme, 0, 10_000)
            .await
            .unwrap();
        drop(conn);
        self.verify(&self.app.acme).await;
        records.iter().map(event).collect()
    }

    /// `action/outcome/reason` of the events since the first `skip`.
    pub(crate) async fn told(&self, skip: usize) -> Vec<String> {
        let events = self.events().await;
        events.iter().skip(skip).map(line).collect()
    }

    async fn verify(&self, organization_id: &OrganizationId) {
        super::verify::whole_log(&self.app.app, organization_id).await;
    }

    pub(crate) async fn run_status(&self, id: &str) -> (String, Option<String>) {
        let id: RunId = id.parse().unwrap();
        let mut conn = self.app.app.db.read().await.unwrap();
        let run = store::run_fetch(&mut conn, &self.app.acme, id)
            .await
            .unwrap()
            .unwrap();
        (run.state.status().as_str().to_owned(), run.reason)
    }
}

/// A call of a tool of the interview lane.
pub(crate) fn call(operation: &str, run: &str) -> Value {
    json!({
        "tool_name": operation,
        "operation": operation,
        "lane_id": "TOOL_INTERVIEW_CAPTURE",
        "case_id": CASE,
        "parent_run_id": run,
        "scope": {"client_session_id": MEETING},
        "parameters": {"note": "hello"},
    })
}

/// A call of `dictation.start` that is in order.
pub(crate) fn dictation_call(run: &str) -> Value {
    call("dictation.start", run)
}

/// With one member changed.
pub(crate) fn with(mut call: Value, member: &str, value: Value) -> Value {
    call[member] = value;
    call
}

fn event(record: &AuditRecord) -> Value {
    serde_json::from_str(&record.event).unwrap()
}

fn line(event: &Value) -> String {
    let text = |name: &str| event[name].as_str().unwrap_or("-").to_owned();
    let parts = [text("action_type"), text("outcome"), text("outcome_reason")];
    parts.join("/")
}

pub(crate) fn case_id(text: &str) -> CaseId {
    text.parse().unwrap()
}
