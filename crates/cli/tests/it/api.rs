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

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        let response = self.raw(path).await;
        (response.status().as_u16(), response.json().await.unwrap())
    }

    /// The answer as it comes.
    pub(crate) async fn raw(&self, path: &str) -> reqwest::Response {
        self.try_raw(path).await.unwrap()
    }

    /// `Err` if it never came.
    pub(crate) async fn try_raw(&self, path: &str) -> Result<reqwest::Response, reqwest::Error> {
        let request = self.http.get(format!("{}{path}", self.url));
        request.bearer_auth(&self.token).send().await
    }

    pub(crate) async fn post(&self, path: &str, key: &str, body: &Value) -> (u16, Value) {
        self.try_post(path, key, body).await.unwrap()
    }

    /// Asks for something that has no words, in either direction.
    pub(crate) async fn poke(&self, path: &str) -> u16 {
        let request = self.http.post(format!("{}{path}", self.url));
        let response = request.bearer_auth(&self.token).send().await.unwrap();
        response.status().as_u16()
    }

    /// `Err` if the answer never came.
    pub(crate) async fn try_post(
        &self,
        path: &str,
        key: &str,
        body: &Value,
    ) -> Result<(u16, Value), reqwest::Error> {
        let request = self.http.post(format!("{}{path}", self.url));
        let request = request.bearer_auth(&self.token).json(body);
        let response = request.header("idempotency-key", key).send().await?;
        Ok((response.status().as_u16(), response.json().await?))
    }

    /// Creates a session; `Err` if the answer never came.
    pub(crate) async fn create(&self, key: &str) -> Result<(u16, Value), reqwest::Error> {
        let body = json!({"title": key, "initialPrompt": "survive"});
        self.try_post("/proliferate/sessions", key, &body).await
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
