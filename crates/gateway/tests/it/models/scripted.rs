//! With the scripted model in the provider's place, as `proliferate dev` has it: streams, and the faults it can
//! make.

use domain::id::SessionId;
use model::scripted::{Fault, Script, Scripted};
use serde_json::{Value, json};
use testkit::{
    app::{MODEL_KEY, Served, TestApp},
    database::Backend,
};
use tokio::{net::TcpListener, task::JoinHandle};

use super::{MESSAGES, SOON, session, usage_of};

testkit::on_both_databases!(
    a_scripted_stream_comes_through_and_is_counted,
    its_faults_are_those_an_agent_would_see_without_us,
);

struct Desk {
    app: TestApp,
    served: Served,
    model: Scripted,
    id: SessionId,
    key: String,
    serving: JoinHandle<()>,
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Desk {
    async fn open(backend: Backend) -> Self {
        let script = Script::new(Vec::new());
        let model = Scripted::with_key(script, 7, Some(MODEL_KEY.to_owned()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let serving = model.clone();
        let serving = tokio::spawn(async move { serving.serve(listener).await.unwrap() });
        let app = TestApp::builder(backend).model(&url).start().await;
        let (id, key) = session(&app).await;
        let served = app.serve().await;
        Self {
            app,
            served,
            model,
            id,
            key,
            serving,
        }
    }

    fn ask(&self, prompt: &str) -> reqwest::RequestBuilder {
        let body = json!({
            "model": "claude-opus-4-5", "max_tokens": 100, "stream": true,
            "messages": [{"role": "user", "content": prompt}],
            "tools": [{"name": "bash", "input_schema": {"type": "object"}}],
        });
        let client = reqwest::Client::new().post(self.served.url(MESSAGES));
        client.header("x-api-key", &self.key).body(body.to_string())
    }

    /// Status, what came, and whether it ended as it should.
    async fn asked(&self, prompt: &str) -> (u16, String, bool) {
        let reading = async {
            let mut answer = self.ask(prompt).send().await.unwrap();
            let mut text = String::new();
            loop {
                match answer.chunk().await {
                    Ok(Some(piece)) => text += std::str::from_utf8(&piece).unwrap(),
                    Ok(None) => return (answer.status().as_u16(), text, true),
                    Err(_) => return (answer.status().as_u16(), text, false),
                }
            }
        };
        tokio::time::timeout(SOON, reading).await.unwrap()
    }

    async fn total(&self, requests: i64) -> Value {
        usage_of(&self.app, self.id, requests).await["total"].clone()
    }
}

async fn a_scripted_stream_comes_through_and_is_counted(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (status, text, ended) = desk.asked("SAY Hello, I am not a model.").await;
    assert_eq!((status, ended), (200, true));
    // It says what it is, and its text is in many pieces.
    assert!(
        text.contains("scripted_") && text.contains("message_stop"),
        "{text}"
    );
    assert_eq!(
        desk.model.requests()[0]["model"],
        "claude-opus-4-5-20251101"
    );
    let total = desk.total(1).await;
    assert_eq!(total["estimatedRequests"], 0);
    assert!(total["inputTokens"].as_i64() > Some(0) && total["outputTokens"].as_i64() > Some(0));
}

async fn its_faults_are_those_an_agent_would_see_without_us(backend: Backend) {
    let desk = Desk::open(backend).await;
    let long = format!("SAY {}", "word ".repeat(40));
    desk.model.fail_next(Fault::Status {
        code: 529,
        retry_after_ms: Some(2000),
    });
    let (status, text, _) = desk.asked(&long).await;
    assert_eq!(status, 529);
    assert!(text.contains("overloaded_error"), "{text}");

    desk.model.fail_next(Fault::Drop { after: 2 });
    let (status, text, ended) = desk.asked(&long).await;
    assert_eq!((status, ended), (200, false), "{text}");
    assert!(text.contains("content_block_delta") && !text.contains("message_stop"));
    assert_eq!(desk.total(1).await["estimatedRequests"], 1);

    desk.model.fail_next(Fault::Break { after: 2 });
    let (status, text, _) = desk.asked(&long).await;
    assert_eq!(status, 200);
    assert!(text.contains("event: error"), "{text}");
    assert_eq!(desk.total(2).await["estimatedRequests"], 2);

    // One that says nothing any more is left by who has waited enough.
    desk.model.fail_next(Fault::Hang { after: 1 });
    let mut answer = desk.ask(&long).send().await.unwrap();
    let first = tokio::time::timeout(SOON, answer.chunk()).await.unwrap();
    assert!(first.unwrap().is_some());
    drop(answer);
    assert_eq!(desk.total(3).await["estimatedRequests"], 3);
}
