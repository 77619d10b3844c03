//! Lists of evidence: only those that `verify` made are believed, and one that cannot be read hides no other.

use std::sync::Arc;

use axum::http::Method;
use domain::{
    artifact::{Artifact, ArtifactScope, VERIFICATION},
    audit::Sha256Hex,
    clock::Clock as _,
    id::{ArtifactId, SessionId},
    limits::VERIFY_LIST_BYTES_MAX,
};
use serde_json::{Value, json};
use testkit::{
    app::TestApp,
    database::Backend,
    tool::{Behaviour, FakeTool},
};

use crate::support::{create, id};

testkit::on_both_databases!(
    a_list_that_verify_did_not_make_opens_nothing,
    a_list_that_cannot_be_read_hides_no_other,
);

const BYTES: &str = "what an action answered";

struct Place {
    app: TestApp,
    session: SessionId,
    verify: Arc<FakeTool>,
}

impl Place {
    /// A session with a stored blob.
    async fn open(backend: Backend) -> Self {
        let verify = FakeTool::new(Behaviour::Succeeds);
        let builder = TestApp::builder(backend).builtin("verify", verify.clone());
        let app = builder.start().await;
        let session = id(&create(&app, json!({})).await).parse().unwrap();
        let place = Self {
            app,
            session,
            verify,
        };
        place.store(BYTES).await;
        place
    }

    async fn store(&self, text: &str) {
        let path = format!("/v1/artifacts?sessionId={}&kind=document", self.session);
        let upload = self.app.owner().call(Method::POST, &path);
        upload.body("text/plain", text.to_owned()).await.expect(201);
    }

    /// A list that names the blob.
    fn list(&self, seconds: i64) -> String {
        let prefix = format!("sessions/{}/verification/{seconds}", self.session);
        let file = json!({"path": "a.txt", "content_type": "text/plain; charset=utf-8",
            "size": BYTES.len(), "sha256": Sha256Hex::of(BYTES.as_bytes()).as_str()});
        json!({"prefix": prefix, "files": [file]}).to_string()
    }

    /// What a call of `verify` leaves behind.
    async fn hand_in(&self, call: &str, list: String) {
        let leaves = Behaviour::Leaves(VERIFICATION, String::leak(list));
        self.verify.behave(leaves);
        let agent = self.app.sandbox(self.session).await;
        let path = format!("/proliferate/{}/tools/verify", self.session);
        let body = json!({"tool_call_id": call, "args": {}});
        // It leaves no words for the agent, and that is not looked at here.
        agent.post(&path, body).await;
        self.app.clock.advance(std::time::Duration::from_secs(1));
    }

    fn path(&self, query: &str) -> String {
        format!("/proliferate/{}/verification-media{query}", self.session)
    }

    async fn keys(&self) -> Vec<String> {
        let listed = self.app.member().get(&self.path("")).await.expect(200);
        let files = listed["files"].as_array().unwrap().iter();
        let key = |file: &Value| file["key"].as_str().unwrap().to_owned();
        files.map(key).collect()
    }
}

/// As one from a time when a list could be uploaded.
async fn a_list_that_verify_did_not_make_opens_nothing(backend: Backend) {
    let place = Place::open(backend).await;
    let list = place.list(1);
    place.store(&list).await;
    let now = place.app.clock.now();
    let artifact = Artifact {
        id: ArtifactId::generate(now, &place.app.fixture.entropy),
        organization_id: place.app.acme.clone(),
        scope: ArtifactScope::Session(place.session),
        kind: VERIFICATION.parse().unwrap(),
        media_type: "application/json".parse().unwrap(),
        sha256: Sha256Hex::of(list.as_bytes()),
        byte_size: list.len() as u64,
        lineage: None,
        created_at: now,
    };
    let mut tx = place.app.app.db.write().await.unwrap();
    store::artifact_insert_upload(&mut tx, &artifact)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(place.keys().await, [""; 0]);
    let key = format!("sessions/{}/verification/1/a.txt", place.session);
    for query in [format!("?key={key}"), format!("?key={key}&stream=true")] {
        let answer = place.app.member().get(&place.path(&query)).await;
        answer.expect_problem(404, "NOT_FOUND");
    }
    // The name of the next call does not depend on it.
    let prefix = app::verification::next_prefix(&place.app.app, &place.app.acme, place.session);
    let seconds = now.micros() / 1_000_000;
    assert!(prefix.await.unwrap().ends_with(&format!("/{seconds}")));
}

async fn a_list_that_cannot_be_read_hides_no_other(backend: Backend) {
    let place = Place::open(backend).await;
    place.hand_in("t1", place.list(1)).await;
    let padding = " ".repeat(usize::try_from(VERIFY_LIST_BYTES_MAX).unwrap());
    place
        .hand_in("t2", format!("{}{padding}", place.list(2)))
        .await;
    place.hand_in("t3", "this is no list".to_owned()).await;
    let key = format!("sessions/{}/verification/1/a.txt", place.session);
    assert_eq!(place.keys().await, [key.as_str()]);
    let query = format!("?key={key}&stream=true");
    let content = place.app.member().get(&place.path(&query)).await;
    assert_eq!(content.text(), BYTES);
    let prefix = app::verification::next_prefix(&place.app.app, &place.app.acme, place.session);
    prefix.await.unwrap();
}
