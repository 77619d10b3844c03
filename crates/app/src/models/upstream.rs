//! The provider, as the operator has set it up, and how much of it may be under way here.

use std::sync::Arc;

use domain::{
    action::redact,
    limits::{
        MODEL_CALLS_AT_ONCE_MAX, MODEL_CONNECT_TIMEOUT, MODEL_REQUEST_BYTES_AT_ONCE_MAX,
        MODEL_SILENCE_MAX,
    },
    model_usage::Budget,
};
use reqwest::{Client, RequestBuilder, header::HeaderValue, redirect::Policy};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::task::TaskTracker;

/// What the operator has said.
#[derive(Debug, Clone)]
pub struct ModelsSettings {
    /// Absent: there is no model here.
    pub upstream: Option<Upstream>,
    /// Of a session that has none of its own.
    pub session_budget: Budget,
}

/// Who answers.
#[derive(Debug, Clone)]
pub struct Upstream {
    /// Without `/v1`.
    pub url: String,
    pub key: Option<SecretString>,
    pub key_header: KeyHeader,
}

/// How the key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyHeader {
    /// Anthropic's own way.
    XApiKey,
    /// As LiteLLM and others take it.
    Bearer,
}

/// Everything that requests to the model share in one process. Clones are the same.
#[derive(Debug, Clone)]
pub struct Models(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: ModelsSettings,
    client: Client,
    calls: Arc<Semaphore>,
    kilobytes: Arc<Semaphore>,
    tasks: TaskTracker,
}

/// Room for the bytes of a request, given back when it is dropped.
#[derive(Debug)]
pub struct Room(#[expect(dead_code, reason = "it is held, not read")] OwnedSemaphorePermit);

impl Models {
    /// Fails if this machine can make no client at all.
    pub fn new(settings: ModelsSettings) -> Result<Self, reqwest::Error> {
        // No redirect: it would take the key along. No proxy of the environment: as everywhere here.
        let client = tools::egress::trusting(Client::builder())
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(MODEL_CONNECT_TIMEOUT)
            .read_timeout(MODEL_SILENCE_MAX)
            .user_agent(concat!("proliferate/", env!("CARGO_PKG_VERSION")))
            .build()?;
        let kilobytes = MODEL_REQUEST_BYTES_AT_ONCE_MAX / 1024;
        Ok(Self(Arc::new(Inner {
            settings,
            client,
            calls: Arc::new(Semaphore::new(MODEL_CALLS_AT_ONCE_MAX)),
            kilobytes: Arc::new(Semaphore::new(kilobytes)),
            tasks: TaskTracker::new(),
        })))
    }

    /// Room for a body of so many bytes, if there is.
    pub fn room(&self, bytes: usize) -> Option<Room> {
        let kilobytes = u32::try_from(bytes.div_ceil(1024)).ok()?;
        let permit = Arc::clone(&self.0.kilobytes).try_acquire_many_owned(kilobytes);
        permit.ok().map(Room)
    }

    /// Comes back once everything under way is counted. Nothing new may begin.
    pub async fn settled(&self) {
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    pub(super) fn upstream(&self) -> Option<&Upstream> {
        self.0.settings.upstream.as_ref()
    }

    pub(super) fn session_budget(&self) -> Budget {
        self.0.settings.session_budget
    }

    pub(super) fn client(&self) -> &Client {
        &self.0.client
    }

    pub(super) fn tasks(&self) -> &TaskTracker {
        &self.0.tasks
    }

    /// The right to have one more request under way, if there is.
    pub(super) fn turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.calls).try_acquire_owned().ok()
    }
}

impl Upstream {
    /// The request with the operator's key on it.
    pub(super) fn authorize(&self, request: RequestBuilder) -> RequestBuilder {
        let Some(key) = &self.key else {
            return request;
        };
        let (name, text) = match self.key_header {
            KeyHeader::XApiKey => ("x-api-key", key.expose_secret().to_owned()),
            KeyHeader::Bearer => ("authorization", format!("Bearer {}", key.expose_secret())),
        };
        match HeaderValue::from_str(&text) {
            Ok(mut value) => {
                value.set_sensitive(true);
                request.header(name, value)
            }
            // The provider will say that there is none.
            Err(_) => request,
        }
    }

    /// Whether the text holds the key, as it is or in a form that is easily undone.
    pub(super) fn is_told_in(&self, text: &[u8]) -> bool {
        let Some(key) = &self.key else { return false };
        let plain = key.expose_secret().as_bytes();
        if !plain.is_empty() && text.windows(plain.len()).any(|window| window == plain) {
            return true;
        }
        let text = Value::String(String::from_utf8_lossy(text).into_owned());
        redact::scrub(&text, &redact::Fingerprints::of([key])).count > 0
    }
}
