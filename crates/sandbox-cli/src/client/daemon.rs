//! Sends requests to the daemon of this sandbox. Waits for a daemon that is just being started.

use std::time::Duration;

use reqwest::{Method, Response, Url};
use serde_json::Value;
use wire::secret_text::SecretText;

use super::{Reply, cause, reply::ReadError};
use crate::{
    exit::Exit,
    failure::Failure,
    limits::{BACKOFF_FIRST, DAEMON_ANSWER_WITHIN, REQUEST_TIMEOUT},
    system::Deadline,
};

/// Talks to the daemon.
#[derive(Debug)]
pub(crate) struct DaemonClient {
    http: reqwest::Client,
    base: Url,
    token: SecretText,
    answer_within: Duration,
}

impl DaemonClient {
    pub(crate) fn new(
        base: Url,
        token: SecretText,
        timeout: Option<Duration>,
    ) -> Result<Self, Failure> {
        let http = super::builder()
            // It is on this machine: proxies and authorities are for the world outside.
            .no_proxy()
            .tls_certs_only([])
            .build()
            .map_err(|_| Failure::new(Exit::Daemon, "cannot make an HTTP client"))?;
        let answer_within = timeout.unwrap_or(DAEMON_ANSWER_WITHIN);
        Ok(Self {
            http,
            base,
            token,
            answer_within,
        })
    }

    /// Sends a request and returns the document of its response.
    pub(crate) async fn request(
        &self,
        method: Method,
        path: &[&str],
        body: Option<&Value>,
    ) -> Result<Value, Failure> {
        let response = self
            .send(method, path, &[], body, Some(REQUEST_TIMEOUT))
            .await?;
        self.read(response).await
    }

    /// Sends a GET request with a query, and returns the document of its response.
    pub(crate) async fn fetch(
        &self,
        path: &[&str],
        query: &[(&str, String)],
    ) -> Result<Value, Failure> {
        let response = self
            .send(Method::GET, path, query, None, Some(REQUEST_TIMEOUT))
            .await?;
        self.read(response).await
    }

    /// Sends a request whose response is a stream.
    pub(crate) async fn follow(
        &self,
        path: &[&str],
        query: &[(&str, String)],
    ) -> Result<Response, Failure> {
        let response = self.send(Method::GET, path, query, None, None).await?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self
            .read(response)
            .await
            .err()
            .unwrap_or_else(|| self.unreachable("an odd answer")))
    }

    /// Sends again only what did not arrive.
    async fn send(
        &self,
        method: Method,
        path: &[&str],
        query: &[(&str, String)],
        body: Option<&Value>,
        timeout: Option<Duration>,
    ) -> Result<Response, Failure> {
        let deadline = Deadline::after(self.answer_within);
        loop {
            let mut request = self
                .http
                .request(method.clone(), self.url(path, query))
                .bearer_auth(self.token.expose());
            if let Some(timeout) = timeout {
                request = request.timeout(timeout);
            }
            if let Some(body) = body {
                request = request.json(body);
            }
            match request.send().await {
                Ok(response) => return Ok(response),
                Err(error) if error.is_connect() && deadline.left() > BACKOFF_FIRST => {
                    tokio::time::sleep(BACKOFF_FIRST).await;
                }
                Err(error) => return Err(self.unreachable(&cause(&error))),
            }
        }
    }

    async fn read(&self, response: Response) -> Result<Value, Failure> {
        let reply = Reply::read(response).await.map_err(|unread| match unread {
            ReadError::Broken(error) => self.unreachable(&cause(&error)),
            ReadError::TooLarge => Failure::new(Exit::Daemon, "the answer is too large to be read"),
        })?;
        let status = reply.status;
        reply.document().map_err(|mut failure| {
            failure.message = failure.message.replacen("the gateway", "the daemon", 1);
            failure.exit = match (failure.exit, status) {
                (Exit::Gateway, 500) => Exit::Failed,
                (Exit::Gateway, _) => Exit::Daemon,
                (exit, _) => exit,
            };
            failure
        })
    }

    fn url(&self, path: &[&str], query: &[(&str, String)]) -> Url {
        let mut url = self.base.clone();
        // An http URL can always have segments.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("api").extend(path);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    fn unreachable(&self, why: &str) -> Failure {
        let origin = self.base.origin().ascii_serialization();
        Failure::new(
            Exit::Daemon,
            format!("no answer from the daemon at {origin}: {why}"),
        )
        .hint("it is started with `proliferate daemon --supervise`")
    }
}
