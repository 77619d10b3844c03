//! The task behind one request: sends it, forwards the response piece by piece, counts.
//!
//! INVARIANT: it ends. The provider may be silent, and the client may leave a piece lying, for so long and no
//! longer; an answer has a longest time; a client that is gone ends it at once.

use std::{io, pin::pin};

use bytes::{Bytes, BytesMut};
use domain::{
    capacity::CapacityPermit,
    limits::{MODEL_ANSWER_MAX, MODEL_BYTES_PER_TOKEN, MODEL_REFUSAL_BYTES_MAX, MODEL_STALL_MAX},
    model_usage::Tokens,
};
use reqwest::{
    Response, StatusCode,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, RETRY_AFTER},
};
use serde::Deserialize;
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use super::{
    ModelEndpoint, ModelRefusal, Models, Upstream,
    meter::{Certainty, Meter},
    scan::Scanner,
};

/// Headers of a request that are forwarded to the provider. Keys and cookies are not.
const REQUEST_HEADERS: [&str; 2] = ["anthropic-version", "anthropic-beta"];
/// Headers of a response that are forwarded to the agent, beside those of the provider's rate limits.
const RESPONSE_HEADERS: [HeaderName; 3] = [
    CONTENT_TYPE,
    RETRY_AFTER,
    HeaderName::from_static("request-id"),
];
const RATE_LIMITS: &str = "anthropic-ratelimit-";

pub(super) struct ModelCall {
    pub(super) models: Models,
    pub(super) upstream: Upstream,
    pub(super) endpoint: ModelEndpoint,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) meter: Meter,
    /// Of the body's memory; given back once it is sent.
    pub(super) body_permit: Option<CapacityPermit>,
    /// Given back with the task.
    pub(super) _call_permit: CapacityPermit,
}

/// The head of a response.
#[derive(Debug)]
pub(super) struct ModelResponseHead {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
}

/// How the body of a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyEnd {
    /// The provider ended it.
    Whole,
    /// It was cut off, here or there.
    Cut,
}

impl ModelCall {
    pub(super) async fn run(
        mut self,
        mut head: oneshot::Sender<Result<ModelResponseHead, ModelRefusal>>,
        pieces: mpsc::Sender<io::Result<Bytes>>,
    ) {
        let body = std::mem::take(&mut self.body);
        let input_guess = i64::try_from(body.len() / MODEL_BYTES_PER_TOKEN).unwrap_or(i64::MAX);
        let sent = tokio::select! {
            sent = self.send(body) => sent,
            // The agent does not wait any more. The upstream may work on the request all the same.
            () = head.closed() => return self.settle(&Scanner::new(""), input_guess, BodyEnd::Cut).await,
        };
        drop(self.body_permit.take());
        let response = match sent {
            Ok(response) => response,
            Err(refusal) => {
                // An agent that does not wait any more needs no reason.
                let _ = head.send(Err(refusal));
                return;
            }
        };
        let content_type = response.headers().get(CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        let mut scanner = Scanner::new(content_type.unwrap_or_default());
        let begun = ModelResponseHead {
            status: response.status().as_u16(),
            headers: self.forwarded_headers(response.headers()),
        };
        let end = match head.send(Ok(begun)) {
            Ok(()) => self.forward_body(response, &pieces, &mut scanner).await,
            Err(_) => BodyEnd::Cut,
        };
        // Before the channel is closed: the client has the end when it is written down.
        self.settle(&scanner, input_guess, end).await;
    }

    async fn send(&self, body: Bytes) -> Result<Response, ModelRefusal> {
        let url = format!("{}{}", self.upstream.url, self.endpoint.path());
        let mut request = self.models.client().post(url);
        for name in REQUEST_HEADERS {
            for value in self.headers.get_all(name) {
                request = request.header(name, value);
            }
        }
        let request = self.upstream.authorize(request);
        let request = request.header(CONTENT_TYPE, "application/json").body(body);
        let response = request.send().await.map_err(|error| {
            let error = error.without_url();
            tracing::warn!(
                error = causes(&error),
                "the model's provider does not answer"
            );
            ModelRefusal::Unreachable
        })?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self.refused(response).await)
    }

    /// The refusal for an error response. What is about the operator's own account is only logged, for the operator.
    async fn refused(&self, mut response: Response) -> ModelRefusal {
        let status = response.status();
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::PAYMENT_REQUIRED | StatusCode::FORBIDDEN => {
                tracing::error!(
                    status = status.as_u16(),
                    "the model's provider refuses the operator's key; check ANTHROPIC_API_KEY, `model.key_header` \
                     and the account it belongs to"
                );
                return ModelRefusal::NotConfigured("its provider refuses the key it is used with");
            }
            status if !status.is_client_error() && !status.is_server_error() => {
                tracing::error!(
                    status = status.as_u16(),
                    "the model's provider answered neither yes nor no; check `model.upstream_url`"
                );
                return ModelRefusal::NotConfigured(
                    "what answers in the place of its provider is none",
                );
            }
            _ => {}
        }
        let headers = self.forwarded_headers(response.headers());
        let body = bounded(&mut response).await;
        let body = body.filter(|body| is_envelope(body) && !self.upstream.reveals_key(body));
        ModelRefusal::Upstream {
            status: status.as_u16(),
            headers: Box::new(headers),
            body,
        }
    }

    /// The headers that are forwarded to the agent. One with the operator's key in it is not.
    fn forwarded_headers(&self, headers: &HeaderMap) -> HeaderMap {
        let is_told = |name: &HeaderName| {
            RESPONSE_HEADERS.contains(name) || name.as_str().starts_with(RATE_LIMITS)
        };
        headers
            .iter()
            .filter(|(name, _)| is_told(name))
            .filter(|(_, value)| !self.upstream.reveals_key(value.as_bytes()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    async fn forward_body(
        &mut self,
        mut response: Response,
        pieces: &mpsc::Sender<io::Result<Bytes>>,
        scanner: &mut Scanner,
    ) -> BodyEnd {
        let mut too_long = pin!(tokio::time::sleep(MODEL_ANSWER_MAX));
        loop {
            let piece = tokio::select! {
                biased;
                () = pieces.closed() => return BodyEnd::Cut,
                () = &mut too_long => Err("the answer took too long".to_owned()),
                piece = response.chunk() => piece.map_err(|error| causes(&error.without_url())),
            };
            let piece = match piece {
                Ok(Some(piece)) => piece,
                Ok(None) => {
                    scanner.finish();
                    return BodyEnd::Whole;
                }
                Err(error) => {
                    tracing::warn!(error, "an answer of the model was cut off");
                    // As the agent would see it without us: the connection breaks.
                    let broken = io::Error::new(io::ErrorKind::ConnectionReset, "cut off");
                    let _ = timeout(MODEL_STALL_MAX, pieces.send(Err(broken))).await;
                    return BodyEnd::Cut;
                }
            };
            let was_complete = scanner.is_complete();
            scanner.feed(&piece);
            if scanner.is_complete() && !was_complete {
                // Some clients leave at the last event and do not wait for the end of the stream.
                self.settle(scanner, 0, BodyEnd::Whole).await;
            }
            if !matches!(
                timeout(MODEL_STALL_MAX, pieces.send(Ok(piece))).await,
                Ok(Ok(()))
            ) {
                return BodyEnd::Cut;
            }
        }
    }

    async fn settle(&mut self, scanner: &Scanner, input_guess: i64, end: BodyEnd) {
        if self.endpoint == ModelEndpoint::CountTokens {
            return;
        }
        let (tokens, certainty) = match (scanner.reported(), end) {
            (Some(tokens), _) if scanner.is_complete() => (tokens, Certainty::Reported),
            // It ended and never began: an error in the place of an answer.
            (None, BodyEnd::Whole) if !scanner.has_content() => {
                (Tokens::default(), Certainty::Reported)
            }
            _ => (scanner.estimate(input_guess), Certainty::Estimated),
        };
        self.meter.settle(tokens, certainty).await;
    }
}

/// The whole body, unless it is larger than a refusal is or does not come.
async fn bounded(response: &mut Response) -> Option<Bytes> {
    let mut body = BytesMut::new();
    while let Some(piece) = response.chunk().await.ok()? {
        if body.len() + piece.len() > MODEL_REFUSAL_BYTES_MAX {
            return None;
        }
        body.extend_from_slice(&piece);
    }
    Some(body.freeze())
}

/// Whether it is an error as the agent's library reads it.
fn is_envelope(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Envelope {
        error: Told,
    }
    #[derive(Deserialize)]
    struct Told {
        r#type: String,
        message: String,
    }
    let envelope = serde_json::from_slice::<Envelope>(body);
    envelope.is_ok_and(|Envelope { error }| !error.r#type.is_empty() && !error.message.is_empty())
}

/// An error and what it came from, on one line.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
