//! A plain HTTP client, so that tests of the binary do not depend on the binary's own.

use serde_json::{Value, json};

#[derive(Debug, Clone)]
pub(crate) struct Api {
    http: reqwest::Client,
    url: String,
    token: String,
}

impl Api {
    pub(crate) fn new(url: &str, token: &str) -> Self {
        Self {
            http: reqwest::Client::new(),
            url: url.to_owned(),
            token: token.to_owned(),
        }
    }

    /// The caller that a member of `dev.json` stands for.
    pub(crate) fn of(dev_file: &Value, member: &str) -> Self {
        let text = |name: &str| dev_file[name].as_str().unwrap();
        Self::new(text("url"), text(member))
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        let request = self.http.get(format!("{}{path}", self.url));
        let response = request.bearer_auth(&self.token).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    pub(crate) async fn post(&self, path: &str, key: &str, body: &Value) -> (u16, Value) {
        let request = self.http.post(format!("{}{path}", self.url));
        let request = request.bearer_auth(&self.token).json(body);
        let response = request.header("idempotency-key", key).send().await;
        let response = response.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    /// Creates a session; `Err` if the answer never came.
    pub(crate) async fn create(&self, key: &str) -> Result<(u16, Value), reqwest::Error> {
        let response = self
            .http
            .post(format!("{}/proliferate/sessions", self.url))
            .bearer_auth(&self.token)
            .header("idempotency-key", key)
            .json(&json!({"title": key, "initialPrompt": "survive"}))
            .send()
            .await?;
        Ok((response.status().as_u16(), response.json().await?))
    }

    /// Every session, page after page.
    pub(crate) async fn sessions(&self) -> Vec<Value> {
        let mut sessions = Vec::new();
        let mut path = "/v1/sessions?limit=100".to_owned();
        loop {
            let (status, page) = self.get(&path).await;
            assert_eq!(status, 200, "{page}");
            sessions.extend(page["items"].as_array().unwrap().iter().cloned());
            match page["nextCursor"].as_str() {
                Some(cursor) => path = format!("/v1/sessions?limit=100&cursor={cursor}"),
                None => return sessions,
            }
        }
    }
}
