//! One request to a receiver. It goes through the egress guard, follows nothing, and of the answer no more
//! than its head is read.

use std::time::Duration;

use domain::{clock::Timestamp, limits::WEBHOOK_TIMEOUT, webhook::Attempt};
use reqwest::{Client, Response, StatusCode, Url, header::RETRY_AFTER};
use secrecy::SecretString;
use store::SealedWebhook;
use tools::egress::Refused;
use uuid::Uuid;

use super::secret;
use crate::context::App;

/// A webhook that can be sent to: its address was checked and resolved just now, its secrets are open.
pub(super) struct Receiver {
    client: Client,
    url: Url,
    secrets: Vec<SecretString>,
}

/// A message to a webhook.
pub(super) struct WebhookMessage<'a> {
    /// The same each time the same message is sent.
    pub(super) id: Uuid,
    pub(super) body: &'a str,
}

impl Receiver {
    /// Opens a webhook for sending. A failure is a failed attempt, which is retried: names are repaired, keys are restored.
    pub(super) async fn open(app: &App, sealed: &SealedWebhook) -> Result<Self, Attempt> {
        let secrets = secret::open(app, sealed, app.now()).map_err(|error| {
            let webhook_id = sealed.webhook.id;
            tracing::warn!(%error, %webhook_id, "a webhook's secret cannot be opened");
            failed("its secret cannot be read; rotate it")
        })?;
        let refused = |refused: Refused| failed(&refused.to_string());
        let route = app.guard.check(&sealed.webhook.url).await;
        let route = route.map_err(refused)?;
        Ok(Self {
            client: route.client(WEBHOOK_TIMEOUT).map_err(refused)?,
            url: route.url().clone(),
            secrets,
        })
    }

    pub(super) async fn send(&self, post: &WebhookMessage<'_>, now: Timestamp) -> Attempt {
        let timestamp = now.unix_seconds();
        let signatures = secret::signatures(&self.secrets, post.id, timestamp, post.body);
        let request = self
            .client
            .post(self.url.clone())
            .header("content-type", "application/json")
            .header("user-agent", "proliferate-webhooks")
            .header("webhook-id", post.id.to_string())
            .header("webhook-timestamp", timestamp.to_string())
            .header("webhook-signature", signatures)
            .body(post.body.to_owned());
        match request.send().await {
            Ok(response) => answered(&response),
            Err(error) => trouble(&error),
        }
    }
}

fn answered(response: &Response) -> Attempt {
    let status = response.status();
    let response_status = status.as_u16();
    if status.is_success() {
        return Attempt::Accepted { response_status };
    }
    let error = if status.is_redirection() {
        format!("it answered {response_status} and pointed elsewhere, which is not followed")
    } else {
        format!("it answered {response_status}")
    };
    let asks = matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
    );
    let retry_after = response.headers().get(RETRY_AFTER).filter(|_| asks);
    let seconds = retry_after.and_then(|value| value.to_str().ok()?.trim().parse().ok());
    Attempt::Failed {
        response_status: Some(response_status),
        error,
        retry_after: seconds.map(Duration::from_secs),
    }
}

/// The text of an error may hold the address, and stays in the log.
fn trouble(error: &reqwest::Error) -> Attempt {
    tracing::debug!(%error, "a webhook could not be delivered");
    failed(if error.is_timeout() {
        "it did not answer in time"
    } else if error.is_connect() {
        "it cannot be reached"
    } else {
        "the connection broke"
    })
}

pub(super) fn failed(error: &str) -> Attempt {
    Attempt::Failed {
        response_status: None,
        error: error.to_owned(),
        retry_after: None,
    }
}
