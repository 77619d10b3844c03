//! The daemon in a session's sandbox, asked from outside. It knows the gateway by the token of its own sandbox.

use std::{net::SocketAddr, time::Duration};

use app::Error;
use domain::{
    limits::{
        DAEMON_ANSWER_MEMORY_MAX, DAEMON_CONNECT_TIMEOUT, DAEMON_PORT, DAEMON_REQUEST_TIMEOUT,
        ERROR_MESSAGE_LENGTH_MAX,
    },
    session::SessionState,
};
use reqwest::{Client, Method, StatusCode, Url};
use sandbox::Handle as Sandbox;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::time::timeout as bounded_by;

use super::{GiveError, House, session_key::SessionKey};
use crate::{inside, opencode::Inflight};

const NOT_UP: &str = "the session's sandbox is not up; say something to its agent first";

/// One boot of a session's sandbox, as it is reached from here.
#[derive(Debug)]
pub(super) struct Reached {
    pub(super) sandbox: Sandbox,
    pub(super) token: SecretString,
    /// For what is read of it.
    room: Inflight,
}

/// A daemon that can be asked.
#[derive(Debug)]
pub(super) struct Daemon {
    client: Client,
    address: SocketAddr,
    token: SecretString,
    room: Inflight,
}

/// What the daemon is asked, and how much of an answer is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct DaemonRequest<'a> {
    pub(super) path: &'a str,
    pub(super) query: &'a [(&'a str, &'a str)],
    pub(super) answer_bytes_max: usize,
}

impl House {
    /// The session's sandbox, if it is up. Nobody is woken.
    pub(super) async fn reached(&self, key: &SessionKey) -> Result<Reached, Error> {
        let (organization_id, id) = (&key.organization_id, key.id);
        let mut conn = self.0.app.db.read().await?;
        let session = conn.session_fetch(organization_id, id).await?;
        let session = session.ok_or(Error::NotFound("session"))?;
        let row = conn.session_runtime_fetch(organization_id, id).await?;
        drop(conn);
        let not_up = || Error::Conflict(NOT_UP.to_owned());
        if !matches!(session.state, SessionState::Running { .. }) {
            return Err(not_up());
        }
        let sandbox = row.and_then(|row| row.sandbox);
        let sandbox = sandbox.and_then(|text| serde_json::from_str::<Sandbox>(&text).ok());
        let sandbox = sandbox.ok_or_else(not_up)?;
        Ok(Reached {
            // Its boot and the session's are the same, or it does not take the token.
            token: self.0.app.tokens.mint_sandbox(&session),
            sandbox,
            room: self.0.rooms.of(id),
        })
    }

    /// The same, woken if it sleeps.
    pub(super) async fn woken(&self, key: &SessionKey) -> Result<Reached, GiveError> {
        let handle = self.hub(key).await?;
        handle.ensure_ready().await?;
        Ok(self.reached(key).await?)
    }

    /// Where a port of the sandbox is.
    pub(super) async fn address(&self, reached: &Reached, port: u16) -> Result<SocketAddr, Error> {
        let machine = self.0.workshop.machine().await;
        let machine = machine.map_err(|closed| Error::Outside(closed.reason))?;
        if reached.sandbox.provider != machine.provider.name() {
            return Err(Error::Busy("another provider made the sandbox"));
        }
        let endpoint = machine.provider.endpoint(&reached.sandbox, port).await;
        let endpoint = endpoint.map_err(|error| Error::Outside(error.to_string()))?;
        Ok(endpoint.address)
    }

    pub(super) async fn daemon(&self, reached: &Reached) -> Result<Daemon, Error> {
        let machine = self.0.workshop.machine().await;
        let machine = machine.map_err(|closed| Error::Outside(closed.reason))?;
        if machine.helper.is_none() {
            let message = "sandboxes on this gateway lack the `proliferate` command";
            return Err(Error::Outside(message.to_owned()));
        }
        let address = self.address(reached, DAEMON_PORT).await?;
        let client = inside::client(DAEMON_CONNECT_TIMEOUT).build();
        Ok(Daemon {
            client: client.map_err(|_| silent())?,
            address,
            token: reached.token.clone(),
            room: reached.room.clone(),
        })
    }
}

impl Daemon {
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        asked: DaemonRequest<'_>,
    ) -> Result<T, Error> {
        self.ask(Method::GET, asked, None, DAEMON_REQUEST_TIMEOUT)
            .await
    }

    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        asked: DaemonRequest<'_>,
        body: &Value,
        timeout: Duration,
    ) -> Result<T, Error> {
        self.ask(Method::POST, asked, Some(body), timeout).await
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        asked: DaemonRequest<'_>,
        body: Option<&Value>,
        timeout: Duration,
    ) -> Result<T, Error> {
        let (path, max) = (asked.path, asked.answer_bytes_max);
        let url = Url::parse_with_params(&format!("http://{}{path}", self.address), asked.query);
        let request = self.client.request(method, url.map_err(|_| silent())?);
        let mut request = request
            .timeout(timeout)
            .bearer_auth(self.token.expose_secret());
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.map_err(|_| silent())?;
        let status = response.status();
        // Not before there is an answer: a push takes minutes, and nothing is read meanwhile.
        let room = self.room.hold(max + DAEMON_ANSWER_MEMORY_MAX);
        let room = bounded_by(timeout, room).await;
        let _room = room.map_err(|_| Error::Busy("the session's sandbox is asked too much"))?;
        let bytes = bounded(response, max).await?;
        // What answers may be any program of the sandbox.
        match inside::weigh(&bytes) {
            Ok(memory) if memory <= max + DAEMON_ANSWER_MEMORY_MAX => {}
            Ok(_) | Err(_) => return Err(too_large()),
        }
        if status.is_success() {
            return serde_json::from_slice(&bytes).map_err(|_| silent());
        }
        Err(refused(status, &bytes))
    }
}

async fn bounded(mut response: reqwest::Response, max: usize) -> Result<Vec<u8>, Error> {
    if response
        .content_length()
        .is_some_and(|said| said > max as u64)
    {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|_| silent())? {
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

fn silent() -> Error {
    Error::Outside("the session's sandbox does not answer".to_owned())
}

/// What is looked at of a refusal.
#[derive(Deserialize)]
struct Problem {
    #[serde(default)]
    detail: Option<String>,
}

/// A refusal of the daemon, which writes the same documents as the gateway.
fn refused(status: StatusCode, bytes: &[u8]) -> Error {
    let problem: Option<Problem> = serde_json::from_slice(bytes).ok();
    let short = |text: String| text.chars().take(ERROR_MESSAGE_LENGTH_MAX).collect();
    let detail = problem.and_then(|problem| problem.detail).map(short);
    match (status, detail) {
        (StatusCode::NOT_FOUND, _) => Error::NotFound("thing in the sandbox"),
        (status, Some(detail)) if status.is_client_error() => Error::Conflict(detail),
        (_, Some(detail)) => Error::Outside(detail),
        (_, None) => silent(),
    }
}
