//! A tool server (Model Context Protocol over streamable HTTP) that fails on demand. Speaks the versions
//! with sessions and the stateless one, answers in JSON or in events, and records every request.

mod protocol;

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
};

use axum::{Router, http::HeaderMap, routing::post};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Semaphore, task::JoinHandle};

/// Which protocol it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaks {
    /// 2025-11-25 with a session.
    Sessions,
    /// 2025-11-25 without one.
    NoSessions,
    /// 2026-07-28.
    Stateless,
}

/// How it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replies {
    Json,
    Events,
    /// In events with ids; the stream is cut before the response, which a resuming client gets.
    ResumableEvents,
}

/// What goes wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpFault {
    /// This status, with an empty body.
    Status(u16),
    /// 429 with this many seconds to wait.
    Pause(u64),
    /// 401 with a challenge that names this address as the place to learn more.
    Challenge(String),
    /// 302 to this address.
    Redirect(String),
    /// 404, as for a session that has ended; the server forgets all sessions.
    SessionGone,
    /// An error of the protocol with this code and text, and the status 200.
    Error(i64, String),
    /// The connection is cut before anything is done.
    CutBefore,
    /// The connection is cut after the effect, before a byte of the answer.
    CutAfter,
    /// The connection is cut in the middle of the answer, after the effect.
    CutWithin,
    /// This body with the status 200 and the type of JSON, after the effect.
    Body(String),
    /// The answer to another request, after the effect.
    OtherId,
    /// A body of this many bytes, without saying so in advance, after the effect.
    Huge(usize),
    /// The same as events.
    HugeEvents(usize),
    /// A stream of events that ends without the answer, after the effect.
    EndsEarly,
    /// The same with an event id: a resuming client gets as little, again and again.
    NeverEnds,
    /// No answer until [`McpServer::release`].
    Hangs,
}

/// What a test may turn.
#[derive(Debug, Clone)]
pub struct Knobs {
    pub speaks: Speaks,
    pub replies: Replies,
    pub tools: Vec<Value>,
    /// Tools in one page.
    pub page_size: usize,
    /// The cursor of a page: endless, or leading back to itself.
    pub cursor_never_ends: bool,
    pub cursor_repeats: bool,
    /// The result of every call; `None` for a text that names the tool.
    pub result: Option<Value>,
    /// Answers a call with the headers it came with.
    pub echoes_headers: bool,
    /// For a method (`*` for all), the fault, and how many times it still happens.
    pub faults: Vec<(&'static str, McpFault, usize)>,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct RecordedMessage {
    pub http_method: String,
    /// Of the protocol; empty where there is none.
    pub method: String,
    pub headers: HeaderMap,
    pub body: String,
}

/// The server; stops when dropped.
#[derive(Debug)]
pub struct McpServer {
    shared: Arc<Shared>,
    address: SocketAddr,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    knobs: Mutex<Knobs>,
    requests: Mutex<Vec<RecordedMessage>>,
    effects: Mutex<Vec<Value>>,
    sessions: Mutex<(u32, Vec<String>)>,
    /// The answer that a resumed stream gives.
    pending: Mutex<Option<String>>,
    hanging: Semaphore,
    released: Semaphore,
}

impl McpServer {
    pub async fn start() -> Self {
        let shared = Arc::new(Shared {
            knobs: Mutex::new(Knobs::default()),
            requests: Mutex::default(),
            effects: Mutex::default(),
            sessions: Mutex::default(),
            pending: Mutex::default(),
            hanging: Semaphore::new(0),
            released: Semaphore::new(0),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let route = post(protocol::post)
            .get(protocol::get)
            .delete(protocol::delete);
        let router = Router::new()
            .route("/mcp", route)
            .with_state(Arc::clone(&shared));
        let serve = async move { axum::serve(listener, router).await.expect("it serves") };
        Self {
            shared,
            address,
            task: tokio::spawn(serve),
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Host and port, as the egress guard is told about them.
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    pub fn set(&self, change: impl FnOnce(&mut Knobs)) {
        change(&mut lock(&self.shared.knobs));
    }

    /// Makes the next `times` requests of this method (`*` for any) fail.
    pub fn fail(&self, method: &'static str, fault: McpFault, times: usize) {
        self.set(|knobs| knobs.faults.push((method, fault, times)));
    }

    pub fn requests(&self) -> Vec<RecordedMessage> {
        lock(&self.shared.requests).clone()
    }

    /// How many requests of a method of the protocol came.
    pub fn count(&self, method: &str) -> usize {
        let requests = lock(&self.shared.requests);
        requests.iter().filter(|it| it.method == method).count()
    }

    /// The calls that had their effect.
    pub fn effects(&self) -> Vec<Value> {
        lock(&self.shared.effects).clone()
    }

    /// Waits until a request hangs.
    pub async fn hangs(&self) {
        let permit = self.shared.hanging.acquire().await;
        permit.expect("never closed").forget();
    }

    /// Lets one request go on that hangs.
    pub fn release(&self) {
        self.shared.released.add_permits(1);
    }

    /// How many sessions are open.
    pub fn sessions(&self) -> usize {
        lock(&self.shared.sessions).1.len()
    }
}

impl Drop for McpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            speaks: Speaks::Sessions,
            replies: Replies::Json,
            tools: vec![
                tool("look", &json!({"readOnlyHint": true})),
                tool("send", &json!({})),
                tool("drop", &json!({"destructiveHint": true})),
            ],
            page_size: 100,
            cursor_never_ends: false,
            cursor_repeats: false,
            result: None,
            echoes_headers: false,
            faults: Vec::new(),
        }
    }
}

/// A tool with one parameter.
pub fn tool(name: &str, annotations: &Value) -> Value {
    json!({
        "name": name,
        "description": format!("The tool {name}"),
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        },
        "annotations": annotations,
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no test panics while holding it")
}
