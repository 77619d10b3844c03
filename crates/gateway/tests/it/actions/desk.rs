//! A product with a session that is connected to Linear, and its agent.

use domain::{clock::Clock, id::SessionId};
use integrations::BaseUrls;
use serde_json::{Value, json};
use testkit::{
    app::{Builder, Client, TestApp, TestResponse},
    database::Backend,
    standin::{Standin, linear},
};

use crate::support::{create, id};

pub(crate) struct Desk {
    pub(crate) app: TestApp,
    pub(crate) linear: Standin,
    pub(crate) session: SessionId,
    pub(crate) agent: Client,
}

impl Desk {
    pub(crate) async fn open(backend: Backend) -> Self {
        Self::open_with(TestApp::builder(backend)).await
    }

    pub(crate) async fn open_with(builder: Builder) -> Self {
        let linear = linear::start().await;
        let app = furnished(builder, &linear).start().await;
        let body = json!({"integrationId": "linear", "token": linear::TOKEN});
        let made = app.owner().post("/v1/integrations", body).await;
        let connection = id(&made.expect(201));
        let session = create(
            &app,
            json!({"integrationIds": [connection], "title": "Mend it"}),
        )
        .await;
        let session: SessionId = id(&session).parse().unwrap();
        let agent = app.sandbox(session).await;
        Self {
            app,
            linear,
            session,
            agent,
        }
    }

    /// Another instance on the same database.
    pub(crate) async fn beside(&self, builder: Builder) -> TestApp {
        furnished(builder, &self.linear).beside(&self.app).await
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/proliferate/{}/actions/{rest}", self.session)
    }

    pub(crate) async fn invoke(&self, action: &str, params: Value) -> TestResponse {
        let body = json!({"integration": "linear", "action": action, "params": params});
        self.agent.post(&self.path("invoke"), body).await
    }

    /// The same write under the same key, however often it is asked for.
    pub(crate) async fn ask_once(&self, title: &str) -> TestResponse {
        let body =
            json!({"integration": "linear", "action": "create_issue", "params": issue(title)});
        let call = self.agent.post(&self.path("invoke"), body);
        call.header("idempotency-key", "once").await
    }

    /// A write without an approval or a grant.
    pub(crate) async fn ask(&self, title: &str) -> Value {
        let asked = self.invoke("create_issue", issue(title)).await;
        asked.expect(202)["invocation"].clone()
    }

    pub(crate) async fn decide(
        &self,
        client: &Client,
        invocation: &Value,
        verb: &str,
        mut body: Value,
    ) -> TestResponse {
        // What was looked at is what is approved, unless a test says otherwise.
        if verb == "approve" && body.get("callSha256").is_none() {
            body["callSha256"] = match invocation.get("callSha256") {
                Some(digest) => digest.clone(),
                None => self.digest_of(invocation).await,
            };
        }
        let path = format!("invocations/{}/{verb}", invocation["id"].as_str().unwrap());
        client.post(&self.path(&path), body).await
    }

    pub(crate) async fn approve(&self, invocation: &Value, body: Value) -> TestResponse {
        self.decide(&self.app.owner(), invocation, "approve", body)
            .await
    }

    /// The digest of a call that a test knows by its id alone; of no call, if there is none.
    async fn digest_of(&self, invocation: &Value) -> Value {
        let path = format!("invocations/{}", invocation["id"].as_str().unwrap());
        let shown = self.app.owner().get(&self.path(&path)).await;
        if shown.status == 200 {
            shown.json()["invocation"]["callSha256"].clone()
        } else {
            json!("0".repeat(64))
        }
    }

    pub(crate) async fn show(&self, invocation: &Value) -> Value {
        let path = format!("invocations/{}", invocation["id"].as_str().unwrap());
        let shown = self.agent.get(&self.path(&path)).await;
        shown.expect(200)["invocation"].clone()
    }

    /// Opens the whole call.
    pub(crate) async fn open_call(&self, client: &Client, invocation: &Value) -> TestResponse {
        let path = format!("invocations/{}/call", invocation["id"].as_str().unwrap());
        client.get(&self.path(&path)).await
    }

    /// A grant for more issues.
    pub(crate) async fn grant(&self, max_calls: Option<u32>) -> Value {
        let body = json!({"scope": "org", "integration": "linear", "action": "create_issue",
            "maxCalls": max_calls});
        self.app.owner().post("/v1/grants", body).await.expect(201)
    }

    pub(crate) fn later(&self, seconds: u64) {
        self.app
            .clock
            .advance(std::time::Duration::from_secs(seconds));
    }

    /// `action/outcome/reason target` of acme's events of calls, oldest first.
    pub(crate) async fn told(&self) -> Vec<String> {
        let app = &self.app.app;
        app::audit::sign_pending(app, &self.app.acme).await.unwrap();
        let mut conn = app.db.read().await.unwrap();
        let records = store::audit_record_list(&mut conn, &self.app.acme, 0, 10_000)
            .await
            .unwrap();
        drop(conn);
        crate::mediation::verify::whole_log(app, &self.app.acme).await;
        let line = |event: Value| {
            let text = |name: &str| event[name].as_str().unwrap_or("-").to_owned();
            let target = event["target"]["name"].as_str().unwrap_or("-").to_owned();
            let parts = [text("action_type"), text("outcome"), text("outcome_reason")];
            (target.contains('/') && text("action_type") != "system")
                .then(|| format!("{} {target}", parts.join("/")))
        };
        let events = records
            .iter()
            .map(|record| serde_json::from_str(&record.event).unwrap());
        events.filter_map(line).collect()
    }

    pub(crate) fn now(&self) -> domain::clock::Timestamp {
        self.app.clock.now()
    }
}

fn furnished(builder: Builder, linear: &Standin) -> Builder {
    let urls = BaseUrls::default().with("linear", linear.base_url.clone());
    builder.sources(urls).reach(&linear.address.to_string())
}

pub(crate) fn issue(title: &str) -> Value {
    json!({"teamId": linear::TEAM, "title": title})
}
