//! Requests to the agent's server. Each is bounded in time and size by `read_limiter`, and idempotent: prompts carry their
//! own ids.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use backon::{ExponentialBuilder, Retryable as _};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::limits::{
    AGENT_ANSWER_BYTES_MAX, AGENT_ID_BYTES_MAX, AGENT_PREWARM_TIMEOUT, AGENT_PROBE_EVERY,
    AGENT_PROBE_TIMEOUT, AGENT_REQUEST_COST, AGENT_REQUEST_TIMEOUT, AGENT_REQUEST_TRIES,
    AGENT_RETRY_DELAY, AGENT_SHORT_ANSWER_BYTES_MAX, ERROR_MESSAGE_LENGTH_MAX,
};
use futures::{StreamExt as _, stream::FuturesUnordered};
use reqwest::{
    Method, Request, Response, StatusCode, Url,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue},
};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::time::{Instant, MissedTickBehavior, timeout_at};

use super::{
    error::{AgentError, Retry},
    id::PromptIds,
    read_limiter::{MemoryReservation, ReadBudget, ReadLimiter, check_memory},
    shapes::{SessionInfo, SessionStatus},
    transport::{Connection, Network, Transport},
};

/// What the agent prints once it answers.
const LISTENING: &str = "opencode server listening on ";
/// The user name that the agent's server expects.
const USER: &str = "opencode";

/// Returns the address that the agent listens on, if this line of its output has it. It answers requests from then on.
pub fn listening_at(line: &str) -> Option<&str> {
    let (_, address) = line.split_once(LISTENING)?;
    Some(address.trim())
}

/// The server of one agent.
#[derive(Debug, Clone)]
pub struct AgentClient {
    transport: Arc<dyn Transport>,
    base: Url,
    pub(super) limiter: ReadLimiter,
    /// The header that authenticates the gateway.
    authorization: Option<HeaderValue>,
}

/// A response that was parsed.
pub(super) struct ParsedResponse<T> {
    pub(super) value: T,
    /// An upper bound of the memory that it took while it was parsed.
    pub(super) memory: usize,
    /// Reserves that memory.
    pub(super) reservation: MemoryReservation,
}

#[derive(Debug, Deserialize)]
struct Health {
    healthy: bool,
    version: String,
}

/// A prompt for the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptBody {
    pub text: String,
    pub images: Vec<PromptImage>,
    /// Added to the agent's own instructions. The agent forgets it after each prompt.
    pub system: Option<String>,
    /// Always set: the agent keeps the last one, also a wrong one.
    pub model: PromptModel,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptImage {
    pub media_type: String,
    /// A data URI.
    pub uri: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromptModel {
    #[serde(rename = "providerID")]
    pub provider: String,
    #[serde(rename = "modelID")]
    pub model: String,
}

/// The reply to a permission request of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PermissionReply {
    Once,
    Always,
    Reject,
}

impl AgentClient {
    /// Makes a client for the URL of a sandbox's port, such as `http://127.0.0.1:4096`.
    pub fn new(base: Url, password: Option<SecretString>) -> Result<Self, AgentError> {
        Self::over(Arc::new(Network::new()?), base, password)
    }

    /// Makes a client whose requests are not sent over the network.
    pub fn over(
        transport: Arc<dyn Transport>,
        base: Url,
        password: Option<SecretString>,
    ) -> Result<Self, AgentError> {
        let header = |password: SecretString| {
            let pair = format!("{USER}:{}", password.expose_secret());
            let mut value = HeaderValue::try_from(format!("Basic {}", STANDARD.encode(pair)));
            if let Ok(value) = &mut value {
                value.set_sensitive(true);
            }
            value.map_err(|_| AgentError::Protocol("the password is none".into()))
        };
        Ok(Self {
            transport,
            base,
            limiter: ReadLimiter::new(),
            authorization: password.map(header).transpose()?,
        })
    }

    /// Bounds what is read by this budget instead of an own one.
    #[must_use]
    pub fn sharing(self, budget: ReadBudget) -> Self {
        let limiter = self.limiter.sharing(budget);
        Self { limiter, ..self }
    }

    /// Returns the agent's version, if it answers. It serves a page under unknown paths, so the response is read.
    pub async fn health(&self) -> Result<String, AgentError> {
        let mut request = self.request(Method::GET, "/global/health", None)?;
        *request.timeout_mut() = Some(AGENT_PROBE_TIMEOUT);
        let answer = self.transport.send(request, Connection::New).await?;
        let health: Health = self.read(self.checked(answer).await?).await?;
        if !health.healthy {
            return Err(AgentError::Failed {
                status: 200,
                message: "it says that it is not healthy".into(),
            });
        }
        Ok(health.version)
    }

    /// Waits until the agent answers. A try does not wait for the one before: a request that the agent accepts too early is
    /// never answered.
    pub async fn wait_ready(&self, wait: Duration) -> Result<String, AgentError> {
        let answered = async {
            let mut tries = FuturesUnordered::new();
            let mut next = tokio::time::interval(AGENT_PROBE_EVERY);
            next.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    biased;
                    Some(tried) = tries.next() => match tried {
                        Ok(version) => return Ok(version),
                        Err(AgentError::Refused { status: 401, .. }) => {
                            let message = "the password is wrong".to_owned();
                            let status = 401;
                            return Err(AgentError::Refused { status, message });
                        }
                        Err(_) => {}
                    },
                    _ = next.tick() => tries.push(self.health()),
                }
            }
        };
        tokio::time::timeout(wait, answered)
            .await
            .unwrap_or(Err(AgentError::Timeout))
    }

    /// Makes the agent load what the first prompt needs.
    pub async fn prewarm(&self) -> Result<(), AgentError> {
        let mut request = self.request(Method::GET, "/config/providers", None)?;
        *request.timeout_mut() = Some(AGENT_PREWARM_TIMEOUT);
        let answer = self.transport.send(request, Connection::Kept).await?;
        let answer = self.checked(answer).await?;
        self.limiter.discard(answer, AGENT_ANSWER_BYTES_MAX).await
    }

    /// Returns the session with this id, or a new one if there is none or the agent does not know it.
    pub async fn ensure_session(
        &self,
        known: Option<&str>,
        title: &str,
    ) -> Result<SessionInfo, AgentError> {
        if let Some(id) = known {
            let path = format!("/session/{}", segment(id)?);
            match self.json(Method::GET, &path, None).await {
                Err(AgentError::NotFound) => {}
                other => return other,
            }
        }
        // With a title the agent does not ask the model for one.
        let body = json!({"title": title});
        self.json(Method::POST, "/session", Some(body)).await
    }

    /// Delivers a prompt. Idempotent: the agent executes a prompt with the same ids once.
    pub async fn prompt(
        &self,
        session_id: &str,
        ids: &PromptIds,
        prompt: &PromptBody,
    ) -> Result<(), AgentError> {
        let path = format!("/session/{}/prompt_async", segment(session_id)?);
        let mut parts = vec![json!({"id": ids.part, "type": "text", "text": prompt.text})];
        for (index, image) in prompt.images.iter().enumerate() {
            parts.push(json!({
                "id": ids.picture(index), "type": "file", "mime": image.media_type, "url": image.uri,
                "filename": format!("picture-{}", index + 1),
            }));
        }
        let mut body = json!({"messageID": ids.message, "model": prompt.model, "parts": parts});
        if let Some(system) = &prompt.system {
            body["system"] = system.as_str().into();
        }
        self.sent(Method::POST, &path, Some(body)).await.map(drop)
    }

    /// Stops the agent's turn, if it is in one.
    pub async fn abort(&self, session_id: &str) -> Result<(), AgentError> {
        let path = format!("/session/{}/abort", segment(session_id)?);
        self.sent(Method::POST, &path, None).await.map(drop)
    }

    /// Returns the status of the session.
    pub async fn status(&self, session_id: &str) -> Result<SessionStatus, AgentError> {
        let path = "/session/status";
        let mut all: BTreeMap<String, SessionStatus> = self.json(Method::GET, path, None).await?;
        Ok(all.remove(session_id).unwrap_or_default())
    }

    pub async fn reply_permission(
        &self,
        permission_id: &str,
        reply: PermissionReply,
    ) -> Result<(), AgentError> {
        let path = format!("/permission/{}/reply", segment(permission_id)?);
        let body = json!({"reply": reply});
        self.sent(Method::POST, &path, Some(body)).await.map(drop)
    }

    /// Checks that the event stream works: opens it, and waits for its first event.
    pub async fn can_be_heard(&self) -> Result<(), AgentError> {
        let heard = async {
            let mut stream = self.events().await?;
            stream.chunk().await?.ok_or(AgentError::Unreachable)
        };
        let heard = tokio::time::timeout(AGENT_REQUEST_TIMEOUT, heard).await;
        heard.map_err(|_| AgentError::Timeout)?.map(drop)
    }

    /// Opens the event stream. It has no timeout: the reader checks for silence.
    pub(super) async fn events(&self) -> Result<Response, AgentError> {
        let request = self.request(Method::GET, "/event", None)?;
        let sent = self.transport.send(request, Connection::Kept);
        let answer = tokio::time::timeout(AGENT_REQUEST_TIMEOUT, sent).await;
        let answer = answer.map_err(|_| AgentError::Timeout)??;
        self.checked(answer).await
    }

    fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Request, AgentError> {
        let url = self
            .base
            .join(path)
            .map_err(|_| AgentError::Protocol("the address is not one".into()))?;
        let mut request = Request::new(method, url);
        if let Some(authorization) = &self.authorization {
            let headers = request.headers_mut();
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        if let Some(body) = body {
            let json = HeaderValue::from_static("application/json");
            request.headers_mut().insert(CONTENT_TYPE, json);
            *request.body_mut() = Some(body.to_string().into());
        }
        Ok(request)
    }

    async fn json<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, AgentError> {
        self.read(self.sent(method, path, body).await?).await
    }

    async fn read<T: DeserializeOwned>(&self, answer: Response) -> Result<T, AgentError> {
        let max = AGENT_SHORT_ANSWER_BYTES_MAX;
        let body = self.limiter.body(answer, max).await?;
        Ok(self.parse(&body).await?.value)
    }

    /// Parses a response whose memory and depth are bounded, once its memory is reserved.
    pub(super) async fn parse<T: DeserializeOwned>(
        &self,
        body: &[u8],
    ) -> Result<ParsedResponse<T>, AgentError> {
        let memory = check_memory(body)?;
        let reservation = self.limiter.reserve(memory).await;
        let value = serde_json::from_slice(body);
        let value = value.map_err(|error| {
            AgentError::Protocol(format!("column {} of an answer", error.column()))
        })?;
        Ok(ParsedResponse {
            value,
            memory,
            reservation,
        })
    }

    async fn checked(&self, answer: Response) -> Result<Response, AgentError> {
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        if status == StatusCode::NOT_FOUND {
            return Err(AgentError::NotFound);
        }
        let said: Result<Value, _> = self.read(answer).await;
        let said = said.unwrap_or_default();
        let message = said["data"]["message"].as_str().or(said["name"].as_str());
        let message = message.unwrap_or_default();
        let message = message.chars().take(ERROR_MESSAGE_LENGTH_MAX).collect();
        let status = status.as_u16();
        Err(if status >= 500 {
            AgentError::Failed { status, message }
        } else {
            AgentError::Refused { status, message }
        })
    }

    /// Sends a request until it is answered, within limits of time and tries.
    #[expect(
        clippy::disallowed_methods,
        reason = "a deadline of the runtime's own clock"
    )]
    pub(super) async fn sent(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Response, AgentError> {
        self.limiter.count(AGENT_REQUEST_COST).await?;
        let deadline = Instant::now() + AGENT_REQUEST_TIMEOUT;
        let send = || async {
            let request = self.request(method.clone(), path, body.as_ref())?;
            let sent = self.transport.send(request, Connection::Kept);
            let answer = async { self.checked(sent.await?).await };
            let answer = timeout_at(deadline, answer).await;
            answer.unwrap_or(Err(AgentError::Timeout))
        };
        let backoff = ExponentialBuilder::new()
            .with_min_delay(AGENT_RETRY_DELAY)
            .without_max_delay()
            .with_max_times(AGENT_REQUEST_TRIES - 1);
        send.retry(backoff)
            .when(|error| error.retry() == Retry::Later)
            .adjust(|_, delay| delay.filter(|delay| Instant::now() + *delay < deadline))
            .await
    }
}

/// Escapes an id of the agent for a path: it comes from a sandbox.
pub(super) fn segment(id: &str) -> Result<&str, AgentError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '=' | '.');
    let is_short = id.len() <= AGENT_ID_BYTES_MAX;
    if id.is_empty() || !is_short || id == "." || id == ".." || !id.chars().all(is_plain) {
        return Err(AgentError::Protocol("an id of the agent is none".into()));
    }
    Ok(id)
}
