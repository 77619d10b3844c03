//! The routes of the model and what they share.

use std::{
    collections::VecDeque,
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    Json, Router,
    body::Body,
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use bytes::Bytes;
use domain::limits::{MODEL_REQUEST_BYTES_MAX, SCRIPT_REQUESTS_KEPT_MAX};
use futures::stream;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{
    LABEL_HEADER, Script,
    answer::Answer,
    check::check,
    conversation::Conversation,
    error::ApiError,
    fault::{Fault, Faults, place},
    program::{Block, Turn, next_turn},
    request::MessagesRequest,
    stream::{deliver, frames},
};

/// The conversation of a request, in OpenCode's header.
const SESSION_HEADER: &str = "x-session-id";
/// Characters of a prompt that make a title.
const TITLE_CHARS_MAX: usize = 50;

/// A model that follows a script. Clones are the same model.
#[derive(Debug, Clone)]
pub struct Scripted(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    script: Script,
    seed: u64,
    key: Option<String>,
    answers: AtomicU64,
    faults: Mutex<Faults>,
    requests: Mutex<VecDeque<Value>>,
}

/// The routes of a model that follows this script.
pub fn router(script: Script, seed: u64) -> Router {
    Scripted::new(script, seed).router()
}

impl Scripted {
    /// The seed determines ids and how responses are split. Two runs with one seed give the same ids: if
    /// an agent keeps its history over a restart, use another seed.
    pub fn new(script: Script, seed: u64) -> Self {
        Self::with_key(script, seed, None)
    }

    /// Responds only to clients with the key.
    pub fn with_key(script: Script, seed: u64, key: Option<String>) -> Self {
        Self(Arc::new(Shared {
            script,
            seed,
            key,
            answers: AtomicU64::new(0),
            faults: Mutex::default(),
            requests: Mutex::default(),
        }))
    }

    pub fn router(&self) -> Router {
        Router::new()
            .route("/v1/messages", post(messages))
            .route("/v1/messages/count_tokens", post(count_tokens))
            .route("/v1/models", get(models))
            .layer(DefaultBodyLimit::max(MODEL_REQUEST_BYTES_MAX))
            .fallback(async || ApiError::new(404, "Not found"))
            .with_state(self.clone())
    }

    /// Serves the socket until it is dropped.
    pub async fn serve(&self, listener: TcpListener) -> io::Result<()> {
        axum::serve(listener, self.router()).await
    }

    /// The next request fails with this fault, regardless of the script; further faults are queued. False
    /// if the queue is full. Requests for titles do not count.
    pub fn fail_next(&self, fault: Fault) -> bool {
        held(&self.0.faults).line_up(fault)
    }

    /// The last requests to the model, oldest first.
    pub fn requests(&self) -> Vec<Value> {
        held(&self.0.requests).iter().cloned().collect()
    }

    fn admit(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let Some(key) = &self.0.key else {
            return Ok(());
        };
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = text("authorization").and_then(|value| value.strip_prefix("Bearer "));
        let given = text("x-api-key").or(bearer);
        match given {
            Some(given) if given == key => Ok(()),
            _ => Err(ApiError::new(401, "invalid x-api-key")),
        }
    }

    fn keep(&self, request: Value) {
        let mut requests = held(&self.0.requests);
        requests.push_back(request);
        if requests.len() > SCRIPT_REQUESTS_KEPT_MAX {
            requests.pop_front();
        }
    }

    fn turn(&self, conversation: &Conversation, has_tools: bool) -> Turn {
        if has_tools {
            let steps = self.0.script.steps(conversation);
            return next_turn(&steps, &conversation.prompt, &conversation.done);
        }
        // A request without tools asks for a title.
        let line = conversation
            .prompt
            .lines()
            .find(|line| !line.trim().is_empty());
        let title: String = line
            .unwrap_or("A conversation")
            .trim()
            .chars()
            .take(TITLE_CHARS_MAX)
            .collect();
        Turn {
            blocks: vec![Block::Say(title)],
            ..Turn::default()
        }
    }

    /// The fault of this request, if any.
    fn fault(&self, session: &str, conversation: &Conversation, turn: &Turn) -> Option<Fault> {
        let mut faults = held(&self.0.faults);
        faults.lined_up().or_else(|| {
            let happening = turn.faults.iter().find(|(step, fault)| {
                faults.happens(place(session, conversation, *step), fault.times)
            });
            happening.map(|(_, step)| step.fault)
        })
    }
}

async fn messages(
    State(model): State<Scripted>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    model.admit(&headers)?;
    let (request, raw) = read(&body)?;
    check(&request)?;
    model.keep(raw);
    let conversation = Conversation::of(&request);
    let has_tools = !request.tools.is_empty();
    let turn = model.turn(&conversation, has_tools);
    let session = headers.get(SESSION_HEADER);
    let session = session
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let fault = if has_tools {
        model.fault(session, &conversation, &turn)
    } else {
        None
    };
    tokio::time::sleep(turn.wait).await;
    if let Some(Fault::Status {
        code,
        retry_after_ms,
    }) = fault
    {
        return Err(ApiError::asked_for(code, retry_after_ms));
    }
    let count = model.0.answers.fetch_add(1, Ordering::Relaxed);
    let id = format!("scripted_{:016x}_{count}", model.0.seed);
    let pace = turn.pace;
    let answer = Answer::new(turn, &id, request.model, body.len().div_ceil(4));
    let labels = [
        (LABEL_HEADER, "1".to_owned()),
        ("request-id", format!("req_{id}")),
    ];
    if request.stream {
        let frames = frames(&answer, model.0.seed.wrapping_add(count));
        let kind = [
            ("content-type", "text/event-stream; charset=utf-8"),
            ("cache-control", "no-cache"),
        ];
        let body = Body::from_stream(deliver(frames, pace, fault));
        return Ok((labels, kind, body).into_response());
    }
    if fault.is_some() {
        let broken = stream::iter([Err::<Bytes, _>(io::Error::from(
            io::ErrorKind::ConnectionReset,
        ))]);
        return Ok((StatusCode::OK, Body::from_stream(broken)).into_response());
    }
    Ok((labels, Json(answer.whole())).into_response())
}

async fn count_tokens(
    State(model): State<Scripted>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    model.admit(&headers)?;
    let count = json!({"input_tokens": body.len().div_ceil(4)});
    Ok(([(LABEL_HEADER, "1")], Json(count)).into_response())
}

async fn models(State(model): State<Scripted>, headers: HeaderMap) -> Result<Response, ApiError> {
    model.admit(&headers)?;
    let list = json!({
        "data": [{
            "type": "model", "id": "scripted", "display_name": "Scripted model",
            "created_at": "2025-01-01T00:00:00Z",
        }],
        "has_more": false, "first_id": "scripted", "last_id": "scripted",
    });
    Ok(([(LABEL_HEADER, "1")], Json(list)).into_response())
}

fn read(body: &[u8]) -> Result<(MessagesRequest, Value), ApiError> {
    let invalid = |error: serde_json::Error| ApiError::invalid(error.to_string());
    let raw: Value = serde_json::from_slice(body).map_err(invalid)?;
    let request = serde_json::from_slice(body).map_err(invalid)?;
    Ok((request, raw))
}

/// A thread that panicked left no partial state here.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
