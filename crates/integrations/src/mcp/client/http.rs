//! The HTTP below the protocol: implements the library's trait with a client that the egress guard made. Adds the
//! credential, bounds every answer, and remembers errors, which the library does not always pass on.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use domain::limits::{
    CONNECTOR_GOODBYE_TIMEOUT, CONNECTOR_RESUME_AFTER, CONNECTOR_RESUMES_MAX,
    CONNECTOR_SESSION_ID_LENGTH_MAX,
};
use futures::{StreamExt as _, stream::BoxStream};
use reqwest::{
    Client, RequestBuilder, Response, StatusCode, Url,
    header::{ACCEPT, HeaderName, HeaderValue, USER_AGENT},
};
use rmcp::{
    model::{ClientJsonRpcMessage, ClientRequest, ErrorData, ServerJsonRpcMessage},
    transport::streamable_http_client::{
        SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    },
};
use sse_stream::{Sse, SseStream};

use super::{
    error::TransportError,
    response::{MediaType, body_stream, media_type, message, read_body, retry_after},
};
use crate::mcp::secret::Credential;

const SESSION_ID: &str = "mcp-session-id";
const LAST_EVENT_ID: &str = "last-event-id";
const BOTH_FORMS: &str = "application/json, text/event-stream";
const AGENT: &str = concat!("proliferate-gateway/", env!("CARGO_PKG_VERSION"));

type Headers = HashMap<HeaderName, HeaderValue>;
type Events = BoxStream<'static, Result<Sse, SseError>>;
type Error = StreamableHttpError<TransportError>;

/// One server at its checked addresses.
#[derive(Debug, Clone)]
pub(super) struct Http {
    client: Client,
    url: Url,
    credential: Credential,
    /// Of the last request that was not answered.
    last_request_error: Arc<Mutex<Option<TransportError>>>,
    /// Of the last stream that was cut.
    last_stream_error: Arc<Mutex<Option<TransportError>>>,
    /// How often the rest of an answer may still be requested. A server that cuts every stream and lets each be resumed would
    /// otherwise keep the gateway busy until the deadline.
    resumes_left: Arc<AtomicUsize>,
}

impl Http {
    pub(super) fn new(client: Client, url: Url, credential: Credential) -> Self {
        Self {
            client,
            url,
            credential,
            last_request_error: Arc::default(),
            last_stream_error: Arc::default(),
            resumes_left: Arc::default(),
        }
    }

    /// The last error of a request, once.
    pub(super) fn last_request_error(&self) -> Option<TransportError> {
        take(&self.last_request_error)
    }

    /// The last error of a stream, once. The sender of a request has its error already, which says nothing about an answer
    /// that was lost: some errors of requests mean that nothing was done.
    pub(super) fn last_stream_error(&self) -> Option<TransportError> {
        take(&self.last_stream_error)
    }

    async fn send(
        &self,
        mut request: RequestBuilder,
        session_id: Option<&str>,
        headers: Headers,
    ) -> Result<Response, TransportError> {
        request = request.header(USER_AGENT, AGENT);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if let Some(session_id) = session_id {
            request = request.header(SESSION_ID, session_id);
        }
        if let Some((name, value)) = self.credential.header() {
            request = request.header(name, value);
        }
        let response = request.send().await;
        // The error's own text holds the address.
        response.map_err(|error| TransportError::of(&error))
    }

    async fn post(
        &self,
        request: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, TransportError> {
        self.resumes_left
            .store(CONNECTOR_RESUMES_MAX, Ordering::Relaxed);
        let builder = self.client.post(self.url.clone());
        let builder = builder.header(ACCEPT, BOTH_FORMS).json(&request);
        let response = self.send(builder, session_id.as_deref(), headers).await?;
        let status = response.status();
        if !status.is_success() {
            return rejected(response, &request, session_id.is_some()).await;
        }
        let expects_answer = matches!(request, ClientJsonRpcMessage::Request(_));
        if !expects_answer {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        let new_session = new_session(&response);
        match media_type(&response) {
            MediaType::Json => {
                let message = message(&read_body(response).await?, &request)?;
                Ok(StreamableHttpPostResponse::Json(message, new_session))
            }
            MediaType::Events => Ok(StreamableHttpPostResponse::Sse(
                self.events(response),
                new_session,
            )),
            MediaType::Other => Err(TransportError::NotTheProtocol(
                "the server answered with another type of content",
            )),
        }
    }

    fn events(&self, response: Response) -> Events {
        let http = self.clone();
        let pieces = body_stream(response);
        let pieces = pieces
            .map(move |piece| piece.inspect_err(|error| put(&http.last_stream_error, *error)));
        SseStream::from_bytes_stream(pieces).boxed()
    }

    /// The rest of an answer whose stream was cut.
    async fn resume(
        &self,
        session_id: Option<&str>,
        last_event_id: String,
        headers: Headers,
    ) -> Result<Events, TransportError> {
        let builder = self.client.get(self.url.clone());
        let builder = builder.header(ACCEPT, "text/event-stream");
        let builder = builder.header(LAST_EVENT_ID, last_event_id);
        let response = self.send(builder, session_id, headers).await?;
        if !response.status().is_success() || media_type(&response) != MediaType::Events {
            return Err(TransportError::Broken);
        }
        Ok(self.events(response))
    }
}

fn put(place: &Mutex<Option<TransportError>>, error: TransportError) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
}

fn take(place: &Mutex<Option<TransportError>>) -> Option<TransportError> {
    place.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// A request that was not taken.
async fn rejected(
    response: Response,
    request: &ClientJsonRpcMessage,
    had_session: bool,
) -> Result<StreamableHttpPostResponse, TransportError> {
    let status = response.status();
    // INVARIANT: only this says that a session is gone, and so only this leads to another attempt: the
    // status, and that the request carried a session. Never a text.
    if status == StatusCode::NOT_FOUND && had_session {
        return Err(TransportError::SessionGone);
    }
    let error = TransportError::Status {
        status,
        after: retry_after(&response),
    };
    let ClientJsonRpcMessage::Request(asked) = request else {
        return Err(error);
    };
    if matches!(status.as_u16(), 300..=399 | 401 | 403 | 429) {
        return Err(error);
    }
    let is_json = status.is_client_error() && media_type(&response) == MediaType::Json;
    let said = if is_json {
        let body = read_body(response).await.ok();
        body.and_then(|body| message(&body, request).ok())
    } else {
        None
    };
    match said {
        Some(error @ ServerJsonRpcMessage::Error(_)) => {
            Ok(StreamableHttpPostResponse::Json(error, None))
        }
        // A server that is older than this request, or fails on it: the library then uses the older handshake, and a
        // server that is really broken fails again.
        _ if matches!(asked.request, ClientRequest::DiscoverRequest(_)) && !had_session => {
            let error = ErrorData::invalid_request("not taken", None);
            let message = ServerJsonRpcMessage::error(error, Some(asked.id.clone()));
            Ok(StreamableHttpPostResponse::Json(message, None))
        }
        _ => Err(error),
    }
}

fn new_session(response: &Response) -> Option<String> {
    let stated = response.headers().get(SESSION_ID)?.to_str().ok()?;
    let is_good = (1..=CONNECTOR_SESSION_ID_LENGTH_MAX).contains(&stated.len());
    is_good.then(|| stated.to_owned())
}

impl StreamableHttpClient for Http {
    type Error = TransportError;

    async fn post_message(
        &self,
        _uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let answer = self.post(message, session_id, custom_headers).await;
        let answer = answer.inspect_err(|error| put(&self.last_request_error, *error));
        answer.map_err(|error| match error {
            TransportError::SessionGone => StreamableHttpError::SessionExpired,
            error => StreamableHttpError::Client(error),
        })
    }

    async fn delete_session(
        &self,
        _uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), Error> {
        let builder = self.client.delete(self.url.clone());
        let sent = self.send(builder, Some(&session_id), custom_headers);
        // Whether the server ends its session does not matter, and a failure would put the id of the session into the
        // library's log.
        let _ = tokio::time::timeout(CONNECTOR_GOODBYE_TIMEOUT, sent).await;
        Ok(())
    }

    async fn get_stream(
        &self,
        _uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<Events, Error> {
        // A stream for messages that the server sends unasked is not opened: the gateway reads none, and
        // it would be held for as long as the connection lives.
        let one_less = |left: usize| left.checked_sub(1);
        let left = self
            .resumes_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
        let (Some(last_event_id), Ok(_)) = (last_event_id, left) else {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        };
        tokio::time::sleep(CONNECTOR_RESUME_AFTER).await;
        let resumed = self
            .resume(session_id.as_deref(), last_event_id, custom_headers)
            .await;
        resumed.map_err(StreamableHttpError::Client)
    }
}
