//! The agent's own API, as far as these tests drive it.

use std::{panic::AssertUnwindSafe, time::Duration};

use agent::Mode;
use futures::{FutureExt as _, future::LocalBoxFuture};
use serde_json::{Value, json};

use crate::{
    gateway::Gateway,
    lab::{Lab, PASSWORD, Served, fill},
    model::Model,
};

/// One agent with its gateway and its model, shared by many checks; each has a conversation of its own.
pub(crate) struct Stage {
    pub(crate) gateway: Gateway,
    pub(crate) model: Model,
    pub(crate) lab: Lab,
    pub(crate) served: Served,
    client: reqwest::Client,
}

/// A check by its name.
pub(crate) type Row = (
    &'static str,
    for<'a> fn(&'a Stage) -> LocalBoxFuture<'a, ()>,
);

/// Names a check by its function.
macro_rules! rows {
    ($($name:ident),+ $(,)?) => {
        &[$((stringify!($name), |stage| Box::pin($name(stage)))),+]
    };
}
pub(crate) use rows;

impl Stage {
    /// The agent started in the repository `coding`; `prepare` puts more into the sandbox before.
    pub(crate) async fn new(prepare: impl FnOnce(&Lab)) -> Self {
        let gateway = Gateway::start().await;
        let model = Model::start().await;
        let lab = Lab::new(&gateway.url(), &model.url);
        let context = lab.context(Mode::Coding, "coding");
        prepare(&lab);
        fill(&context);
        let served = lab.serve(&context).await;
        Self {
            gateway,
            model,
            lab,
            served,
            client: reqwest::Client::new(),
        }
    }

    /// Waits until the gateway has been asked once more than before.
    pub(crate) async fn asked_after(&self, before: usize) {
        while self.gateway.seen().len() == before {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Runs every check, and fails with all that failed.
    pub(crate) async fn check(&self, rows: &[Row]) {
        let mut failed = Vec::new();
        for (name, row) in rows {
            let bounded = tokio::time::timeout(Duration::from_mins(2), row(self));
            match AssertUnwindSafe(bounded).catch_unwind().await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => failed.push(format!("{name} (took too long)")),
                Err(panic) => failed.push(format!("{name}: {}", said(panic.as_ref()))),
            }
        }
        assert!(
            failed.is_empty(),
            "these do not hold:\n{}\n{}",
            failed.join("\n"),
            self.served.printed()
        );
    }

    pub(crate) async fn get(&self, repo: &str, path: &str) -> Value {
        let (status, body) = self.send(reqwest::Method::GET, repo, path, None).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    pub(crate) async fn post(&self, repo: &str, path: &str, body: Value) -> (u16, Value) {
        self.send(reqwest::Method::POST, repo, path, Some(body))
            .await
    }

    async fn send(
        &self,
        method: reqwest::Method,
        repo: &str,
        path: &str,
        body: Option<Value>,
    ) -> (u16, Value) {
        let mut request = self
            .client
            .request(method, format!("{}{path}", self.served.url))
            .basic_auth("opencode", Some(PASSWORD))
            .header("x-opencode-directory", self.lab.repo(repo))
            .timeout(Duration::from_secs(100));
        if let Some(body) = body {
            request = request.json(&body);
        }
        let reply = request.send().await.unwrap();
        let status = reply.status().as_u16();
        let text = reply.text().await.unwrap();
        (
            status,
            serde_json::from_str(&text).unwrap_or(Value::String(text)),
        )
    }

    /// A new conversation. With a title, or the agent would ask the model for one.
    pub(crate) async fn conversation(&self, repo: &str) -> String {
        let (status, session) = self.post(repo, "/session", json!({"title": "test"})).await;
        assert_eq!(status, 200, "{session}");
        session["id"].as_str().unwrap().to_owned()
    }

    /// Says something in a new conversation and waits for the end; gives back the tool calls.
    pub(crate) async fn say(&self, repo: &str, text: &str) -> Vec<Value> {
        let session = self.conversation(repo).await;
        let (status, answer) = self.prompt(repo, &session, json!({}), text).await;
        assert_eq!(status, 200, "{answer}");
        assert!(answer["info"]["error"].is_null(), "{answer}");
        self.calls(repo, &session).await
    }

    pub(crate) async fn prompt(
        &self,
        repo: &str,
        session: &str,
        more: Value,
        text: &str,
    ) -> (u16, Value) {
        let mut body = more;
        body["parts"] = json!([{"type": "text", "text": text}]);
        self.post(repo, &format!("/session/{session}/message"), body)
            .await
    }

    /// The parts of a conversation that are tool calls.
    pub(crate) async fn calls(&self, repo: &str, session: &str) -> Vec<Value> {
        let messages = self.get(repo, &format!("/session/{session}/message")).await;
        let parts = messages.as_array().unwrap().iter();
        let parts = parts.flat_map(|message| message["parts"].as_array().unwrap());
        parts
            .filter(|part| part["type"] == "tool")
            .cloned()
            .collect()
    }

    /// The names of the tools that the agent has in a repository.
    pub(crate) async fn tool_ids(&self, repo: &str) -> Vec<String> {
        let ids = self.get(repo, "/experimental/tool/ids").await;
        let ids = ids.as_array().unwrap().iter();
        ids.map(|id| id.as_str().unwrap().to_owned()).collect()
    }
}

/// What a failed assertion says.
fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("panicked")
}
