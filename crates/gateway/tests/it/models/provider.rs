//! A provider that keeps what it is sent to the byte, and answers as the test says, piece by piece if it must.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::body::Bytes;
use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse as _, Response},
};
use futures::stream;
use serde_json::json;
use tokio::{net::TcpListener, sync::mpsc, task::JoinHandle};
use tokio_util::sync::CancellationToken;

/// A request to the byte.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// What it answers.
pub(crate) enum Canned {
    Whole(u16, Vec<(&'static str, &'static str)>, String),
    /// Pieces as they are sent; the token is cancelled when the reader disconnects.
    Pieces(mpsc::Receiver<Bytes>, CancellationToken),
    /// The usual answer, so much later.
    Late(Duration),
    /// No response; the token is cancelled when the client disconnects.
    Never(CancellationToken),
}

#[derive(Default)]
struct Inner {
    requests: Vec<Recorded>,
    answers: VecDeque<Canned>,
}

type Shared = Arc<Mutex<Inner>>;

pub(crate) struct Provider {
    pub(crate) url: String,
    shared: Shared,
    serving: JoinHandle<()>,
}

impl Provider {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Shared::default();
        let router = Router::new().fallback(answer).with_state(shared.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            url,
            shared,
            serving,
        }
    }

    pub(crate) fn next(&self, canned: Canned) {
        self.shared.lock().unwrap().answers.push_back(canned);
    }

    /// Its next answer is a stream of what is sent here.
    pub(crate) fn next_stream(&self) -> (mpsc::Sender<Bytes>, CancellationToken) {
        let ((sender, receiver), gone) = (mpsc::channel(1), CancellationToken::new());
        self.next(Canned::Pieces(receiver, gone.clone()));
        (sender, gone)
    }

    pub(crate) fn requests(&self) -> Vec<Recorded> {
        self.shared.lock().unwrap().requests.clone()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(
    State(shared): State<Shared>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let canned = {
        let mut held = shared.lock().unwrap();
        held.requests.push(Recorded {
            path: uri.to_string(),
            headers,
            body,
        });
        held.answers.pop_front()
    };
    match canned {
        None => usual(),
        Some(Canned::Late(by)) => {
            tokio::time::sleep(by).await;
            usual()
        }
        Some(Canned::Never(gone)) => {
            let _gone = gone.drop_guard();
            std::future::pending().await
        }
        Some(Canned::Whole(status, headers, body)) => {
            let mut response = (StatusCode::from_u16(status).unwrap(), body).into_response();
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        }
        Some(Canned::Pieces(pieces, gone)) => {
            let state = (pieces, gone.drop_guard());
            let pieces = stream::unfold(state, async |mut state| {
                let piece = state.0.recv().await?;
                Some((io::Result::Ok(piece), state))
            });
            (
                [("content-type", "text/event-stream")],
                Body::from_stream(pieces),
            )
                .into_response()
        }
    }
}

fn usual() -> Response {
    let body = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "content": [{"type": "text", "text": "hello"}],
        "usage": {"input_tokens": 10, "output_tokens": 20},
    });
    let headers = [
        ("content-type", "application/json"),
        ("request-id", "req_1"),
        ("anthropic-ratelimit-requests-remaining", "41"),
        ("anthropic-organization-id", "the-operators-own"),
        ("set-cookie", "crumb=1"),
        ("x-internal", "1"),
    ];
    (headers, body.to_string()).into_response()
}
