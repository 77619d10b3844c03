//! The provider, as the operator has configured it, and how many requests to it may be under way here.

use std::sync::Arc;

use domain::{
    action::redact,
    capacity::{CapacityExceeded, CapacityLimits, CapacityPermit, CapacityPool, Claimant},
    limits::{
        BODY_FIRST_BYTES, MODEL_CALLS, MODEL_CONNECT_TIMEOUT, MODEL_REQUEST_BYTES,
        MODEL_SILENCE_MAX,
    },
    model_usage::Budget,
};
use reqwest::{Client, RequestBuilder, header::HeaderValue, redirect::Policy};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tokio_util::task::TaskTracker;

/// The model settings of the operator.
#[derive(Debug, Clone)]
pub struct ModelsSettings {
    /// Absent: there is no model here.
    pub upstream: Option<Upstream>,
    /// Of a session that has none of its own.
    pub session_budget: Budget,
}

/// The provider of the models.
#[derive(Debug, Clone)]
pub struct Upstream {
    /// Without `/v1`.
    pub url: String,
    pub key: Option<SecretString>,
    pub key_header: KeyHeader,
}

/// The endpoints of the provider's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelEndpoint {
    /// An answer of the model.
    Messages,
    /// How long a request would be; costs nothing and is not counted.
    CountTokens,
}

impl ModelEndpoint {
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Messages => "/v1/messages",
            Self::CountTokens => "/v1/messages/count_tokens",
        }
    }
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
    calls: CapacityPool,
    request_bytes: CapacityPool,
    tasks: TaskTracker,
}

/// How much of requests to the model one process bears at once.
#[derive(Debug, Clone, Copy)]
pub struct ModelCapacities {
    pub calls: CapacityLimits,
    pub request_bytes: CapacityLimits,
}

impl Default for ModelCapacities {
    fn default() -> Self {
        Self {
            calls: MODEL_CALLS,
            request_bytes: MODEL_REQUEST_BYTES,
        }
    }
}

impl Models {
    /// Fails if this machine can make no client at all.
    pub fn new(settings: ModelsSettings) -> Result<Self, reqwest::Error> {
        Self::with_capacities(settings, ModelCapacities::default())
    }

    /// The same with other bounds than the usual.
    pub fn with_capacities(
        settings: ModelsSettings,
        capacities: ModelCapacities,
    ) -> Result<Self, reqwest::Error> {
        // No redirect: it would take the key along. No proxy of the environment: as everywhere here.
        let client = tools::egress::trusting(Client::builder())
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(MODEL_CONNECT_TIMEOUT)
            .read_timeout(MODEL_SILENCE_MAX)
            .user_agent(concat!("proliferate/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self(Arc::new(Inner {
            settings,
            client,
            calls: CapacityPool::new(capacities.calls),
            request_bytes: CapacityPool::new(capacities.request_bytes),
            tasks: TaskTracker::new(),
        })))
    }

    /// Memory for the beginning of a request; it grows as the rest comes.
    pub fn reserve_request(&self, claimant: &Claimant) -> Result<CapacityPermit, CapacityExceeded> {
        self.0
            .request_bytes
            .try_acquire(claimant, BODY_FIRST_BYTES as u64)
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

    /// The right to have one more request under way.
    pub(super) fn begin_call(
        &self,
        claimant: &Claimant,
    ) -> Result<CapacityPermit, CapacityExceeded> {
        self.0.calls.try_acquire(claimant, 1)
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
    pub(super) fn reveals_key(&self, text: &[u8]) -> bool {
        let Some(key) = &self.key else { return false };
        let plain = key.expose_secret().as_bytes();
        if !plain.is_empty() && text.windows(plain.len()).any(|window| window == plain) {
            return true;
        }
        let text = Value::String(String::from_utf8_lossy(text).into_owned());
        redact::scrub(&text, &redact::Fingerprints::of([key])).count > 0
    }
}
