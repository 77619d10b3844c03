//! Responses: a status, a bounded body, and how they are read.

use std::time::Duration;

use reqwest::{Response, header};
use serde_json::Value;

use super::owner;
use crate::{
    exit::Exit,
    failure::Failure,
    invocation::Invocation,
    limits::{ANSWER_BYTES_MAX, FIELD_ERRORS_MAX},
};

/// A response of a gateway, or of something on the way to it.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// `None` if it is not JSON.
    pub(crate) json: Option<Value>,
    /// How long the gateway asks to wait.
    pub(super) retry_after: Option<Duration>,
}

/// Why a body was not read to its end.
#[derive(Debug)]
pub(super) enum ReadError {
    Broken(reqwest::Error),
    TooLarge,
}

impl Reply {
    pub(super) async fn read(mut response: Response) -> Result<Self, ReadError> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(ReadError::Broken)? {
            if bytes.len() + chunk.len() > ANSWER_BYTES_MAX {
                return Err(ReadError::TooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(Self {
            status: response.status().as_u16(),
            json: serde_json::from_slice(&bytes).ok(),
            retry_after: retry_after(&response),
        })
    }

    pub(crate) fn invocation(&self) -> Option<Invocation> {
        Invocation::from_response(self.json.as_ref()?)
    }

    pub(super) fn owner(&self) -> Option<&str> {
        owner::hint(self.status, self.json.as_ref())
    }

    /// Whether the same request may have another response later. A 502 with an invocation is final: the outside service
    /// failed.
    pub(super) fn is_temporary(&self) -> bool {
        matches!(self.status, 429 | 502 | 503 | 504) && self.invocation().is_none()
    }

    /// Returns the document of a successful response.
    pub(crate) fn document(self) -> Result<Value, Failure> {
        match self {
            Self {
                status: 200..=299,
                json: Some(document),
                ..
            } => Ok(document),
            reply => Err(reply.failure()),
        }
    }

    /// Returns a failed response as a failure.
    pub(crate) fn failure(&self) -> Failure {
        let Some(json) = self.json.as_ref().filter(|json| json.is_object()) else {
            let message = format!("the answer {} is not one of a gateway", self.status);
            return Failure::new(Exit::Gateway, message)
                .hint("look at what stands between this sandbox and the gateway");
        };
        if (200..=299).contains(&self.status) {
            return Failure::new(Exit::Gateway, "the gateway's response has an unknown form");
        }
        let text = |name: &str| json.get(name).and_then(Value::as_str);
        let said = ["detail", "error", "message", "title"]
            .into_iter()
            .find_map(text);
        let code = text("code").map_or_else(String::new, |code| format!(" {code}"));
        let said = said.unwrap_or("no reason is given");
        let message = format!("the gateway refused ({}{code}): {said}", self.status);
        let mut failure = Failure::new(Exit::from_status(self.status), message);
        let errors = json.get("errors").and_then(Value::as_array);
        failure.details = errors
            .into_iter()
            .flatten()
            .take(FIELD_ERRORS_MAX)
            .map(field)
            .collect();
        failure.hint = text("hint").map(ToOwned::to_owned);
        if self.status == 401 {
            // The gateway's own hint is for users outside of a sandbox.
            failure.hint = Some("the token of this sandbox is not valid, or no longer".to_owned());
        }
        failure
    }
}

fn field(error: &Value) -> String {
    let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or("?");
    format!("{}: {}", text("field"), text("message"))
}

/// Seconds only: a date would need two clocks to agree.
fn retry_after(response: &Response) -> Option<Duration> {
    let value = response.headers().get(header::RETRY_AFTER)?;
    let seconds = value.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
