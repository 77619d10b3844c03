//! Reads a server's response within its bounds: the body as one message, or as a stream of events.

use std::time::Duration;

use bytes::Bytes;
use domain::limits::{CONNECTOR_ANSWER_BYTES_MAX, CONNECTOR_RETRY_AFTER_MAX};
use futures::{Stream, StreamExt as _, future};
use reqwest::{
    Response,
    header::{CONTENT_TYPE, RETRY_AFTER},
};
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};

use super::error::TransportError;

/// The media type of a response without its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MediaType {
    Json,
    Events,
    Other,
}

pub(super) fn media_type(response: &Response) -> MediaType {
    let stated = response.headers().get(CONTENT_TYPE);
    let stated = stated
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let bare = stated.split(';').next().unwrap_or_default().trim();
    if bare.eq_ignore_ascii_case("application/json") {
        MediaType::Json
    } else if bare.eq_ignore_ascii_case("text/event-stream") {
        MediaType::Events
    } else {
        MediaType::Other
    }
}

/// The whole body, if it is not too large.
pub(super) async fn read_body(mut response: Response) -> Result<Vec<u8>, TransportError> {
    let too_large = |length: u64| length > CONNECTOR_ANSWER_BYTES_MAX as u64;
    if response.content_length().is_some_and(too_large) {
        return Err(TransportError::TooLarge);
    }
    let mut body = Vec::new();
    loop {
        let chunk = response
            .chunk()
            .await
            .map_err(|error| TransportError::of(&error));
        let Some(chunk) = chunk? else {
            return Ok(body);
        };
        if body.len() + chunk.len() > CONNECTOR_ANSWER_BYTES_MAX {
            return Err(TransportError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
}

/// The body piece by piece, up to as many bytes. After a failure there is nothing more.
pub(super) fn body_stream(
    response: Response,
) -> impl Stream<Item = Result<Bytes, TransportError>> + Send + 'static {
    let bounded = |left: &mut Option<usize>, piece: Result<Bytes, reqwest::Error>| {
        let Some(room) = *left else {
            return future::ready(None);
        };
        let piece = match piece {
            Ok(piece) if piece.len() <= room => Ok(piece),
            Ok(_) => Err(TransportError::TooLarge),
            Err(error) => Err(TransportError::of(&error)),
        };
        *left = piece.as_ref().ok().map(|piece| room - piece.len());
        future::ready(Some(piece))
    };
    let room = Some(CONNECTOR_ANSWER_BYTES_MAX);
    response.bytes_stream().scan(room, bounded)
}

/// The message a request is answered with. It must be the answer to this very request: the library would
/// wait for the right one for ever.
pub(super) fn message(
    body: &[u8],
    request: &ClientJsonRpcMessage,
) -> Result<ServerJsonRpcMessage, TransportError> {
    let no_message =
        |_| TransportError::NotTheProtocol("the server's answer is not a message of the protocol");
    let mut message: ServerJsonRpcMessage = serde_json::from_slice(body).map_err(no_message)?;
    let ClientJsonRpcMessage::Request(request) = request else {
        return Ok(message);
    };
    match &mut message {
        ServerJsonRpcMessage::Response(response) if is_same(&request.id, &response.id) => {
            Ok(message)
        }
        ServerJsonRpcMessage::Error(error)
            if error.id.as_ref().is_none_or(|id| is_same(&request.id, id)) =>
        {
            // A server that could not read a request does not know its id.
            error.id = Some(request.id.clone());
            Ok(message)
        }
        _ => Err(TransportError::NotTheProtocol(
            "the server answered another request",
        )),
    }
}

/// Some servers give a number back as text.
fn is_same(asked: &RequestId, answered: &RequestId) -> bool {
    asked.to_string() == answered.to_string()
}

/// How long the server asks us to wait, in seconds; dates are not read.
pub(super) fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    let seconds = text.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(CONNECTOR_RETRY_AFTER_MAX))
}
