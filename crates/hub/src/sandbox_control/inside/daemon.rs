//! Client of the daemon in a session's sandbox. The daemon authenticates the gateway by the token of its own sandbox.

use std::{net::SocketAddr, time::Duration};

use app::Error;
use domain::limits::{DAEMON_ANSWER_MEMORY_MAX, DAEMON_REQUEST_TIMEOUT, ERROR_MESSAGE_LENGTH_MAX};
use reqwest::{Client, Method, StatusCode, Url};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::time::timeout as bounded_by;

use crate::{opencode::ReadBudget, sandbox_http};

/// The daemon of one boot of a sandbox.
#[derive(Debug)]
pub(super) struct Daemon {
    pub(super) client: Client,
    pub(super) address: SocketAddr,
    pub(super) token: SecretString,
    pub(super) read_budget: ReadBudget,
}

/// A request, and how much of its response is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct DaemonRequest<'a> {
    pub(super) path: &'a str,
    pub(super) query: &'a [(&'a str, &'a str)],
    pub(super) response_bytes_max: usize,
}

impl Daemon {
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        request: DaemonRequest<'_>,
    ) -> Result<T, Error> {
        self.send(Method::GET, request, None, DAEMON_REQUEST_TIMEOUT)
            .await
    }

    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        request: DaemonRequest<'_>,
        body: &Value,
        timeout: Duration,
    ) -> Result<T, Error> {
        self.send(Method::POST, request, Some(body), timeout).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        request: DaemonRequest<'_>,
        body: Option<&Value>,
        timeout: Duration,
    ) -> Result<T, Error> {
        let (path, max) = (request.path, request.response_bytes_max);
        let url = Url::parse_with_params(&format!("http://{}{path}", self.address), request.query);
        let http = self
            .client
            .request(method, url.map_err(|_| daemon_silent())?);
        let mut http = http
            .timeout(timeout)
            .bearer_auth(self.token.expose_secret());
        if let Some(body) = body {
            http = http.json(body);
        }
        let response = http.send().await.map_err(|_| daemon_silent())?;
        let status = response.status();
        // Not before there is a response: a push takes minutes, and nothing is read meanwhile.
        let budget = self.read_budget.reserve(max + DAEMON_ANSWER_MEMORY_MAX);
        let budget = bounded_by(timeout, budget).await;
        let _budget = budget.map_err(|_| {
            Error::Overloaded("too many requests to the session's sandbox are under way")
        })?;
        let bytes = read_bounded(response, max).await?;
        // Any program of the sandbox may respond.
        match sandbox_http::estimate_memory(&bytes) {
            Ok(memory) if memory <= max + DAEMON_ANSWER_MEMORY_MAX => {}
            Ok(_) | Err(_) => return Err(too_large()),
        }
        if status.is_success() {
            return serde_json::from_slice(&bytes).map_err(|_| daemon_silent());
        }
        Err(daemon_refused(status, &bytes))
    }
}

async fn read_bounded(mut response: reqwest::Response, max: usize) -> Result<Vec<u8>, Error> {
    if response
        .content_length()
        .is_some_and(|said| said > max as u64)
    {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|_| daemon_silent())? {
        if bytes.len() + piece.len() > max {
            return Err(too_large());
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

fn too_large() -> Error {
    Error::Outside("the session's sandbox answers with more than the gateway reads".to_owned())
}

pub(super) fn daemon_silent() -> Error {
    Error::Outside("the session's sandbox does not answer".to_owned())
}

/// The part of an error response that is read.
#[derive(Deserialize)]
struct DaemonProblem {
    #[serde(default)]
    detail: Option<String>,
}

/// Maps an error response of the daemon, which has the same shape as those of the gateway.
fn daemon_refused(status: StatusCode, bytes: &[u8]) -> Error {
    let problem: Option<DaemonProblem> = serde_json::from_slice(bytes).ok();
    let short = |text: String| text.chars().take(ERROR_MESSAGE_LENGTH_MAX).collect();
    let detail = problem.and_then(|problem| problem.detail).map(short);
    match (status, detail) {
        (StatusCode::NOT_FOUND, _) => Error::NotFound("thing in the sandbox"),
        (status, Some(detail)) if status.is_client_error() => Error::Conflict(detail),
        (_, Some(detail)) => Error::Outside(detail),
        (_, None) => daemon_silent(),
    }
}
