//! A program that answers in the agent's place and sends more than any agent does, in one way of many. It speaks HTTP on
//! loopback and counts what was taken from it.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use async_trait::async_trait;
use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::State,
    http::{Response, StatusCode},
    routing::{get, post},
};
use futures::{Stream, StreamExt as _, stream};
use hub::{
    opencode::{AgentClient, PromptModel},
    session::{BootError, BootStages, BootedAgent, Liveness, Runtime},
};
use serde_json::json;
use tokio::net::TcpListener;

/// The name of its session.
pub const SESSION: &str = "ses_liar";
const PIECE: usize = 64 * 1024;

/// What it sends too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lie {
    /// A page that does not end.
    EndlessPage,
    /// The same, called compressed: a few bytes of it would be many.
    Compressed,
    /// Pages without messages, each with another before it.
    EndlessPages,
    /// A page with more messages than it was asked for.
    FullPage,
    /// A page of empty objects within a part, which take a hundred times as much once they are parsed.
    WidePage,
    /// Pages with as much beside a tool's output as one page may take, each with another before it. An event without an
    /// end follows: what is left out of the record is no reason to end an agent.
    WidePages,
    /// An event without an end.
    EndlessEvent,
    /// Lists within lists.
    DeepEvent,
    WideEvent,
    /// An id of a megabyte.
    LongId,
    /// A text that grows without end.
    EndlessText,
    /// Large texts in one message.
    ManyParts,
    /// Messages that do not end.
    OpenMessages,
    /// Calls of tools that do not end, in one message after the other.
    OpenTools,
    /// Calls of tools in one message whose arguments take many times their text once they are parsed.
    WideCalls,
    /// Comments beside events. The agent is not ended for them, but read at the pace of events.
    Comments,
}

impl Lie {
    pub const ALL: [Self; 16] = [
        Self::EndlessPage,
        Self::Compressed,
        Self::EndlessPages,
        Self::FullPage,
        Self::WidePage,
        Self::WidePages,
        Self::EndlessEvent,
        Self::DeepEvent,
        Self::WideEvent,
        Self::LongId,
        Self::EndlessText,
        Self::ManyParts,
        Self::OpenMessages,
        Self::OpenTools,
        Self::WideCalls,
        Self::Comments,
    ];
}

/// The program. Clones are the same.
#[derive(Debug, Clone)]
pub struct Liar {
    shared: Arc<Shared>,
    client: AgentClient,
    address: SocketAddr,
}

#[derive(Debug)]
struct Shared {
    lie: Lie,
    sent: AtomicU64,
    ended: Mutex<Vec<String>>,
}

impl Liar {
    pub async fn start(lie: Lie) -> Self {
        let shared = Arc::new(Shared {
            lie,
            sent: AtomicU64::new(0),
            ended: Mutex::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        let info = || async { Json(json!({"id": SESSION, "title": "Live"})) };
        let health = || async { Json(json!({"healthy": true, "version": "0"})) };
        let router = Router::new()
            .route("/global/health", get(health))
            .route("/session", post(info))
            .route("/session/{id}", get(info))
            .route("/session/status", get(|| async { Json(json!({})) }))
            .route("/session/{id}/message", get(page))
            .route(
                "/session/{id}/prompt_async",
                post(|| async { StatusCode::NO_CONTENT }),
            )
            .route("/session/{id}/abort", post(|| async { Json(true) }))
            .route("/event", get(events))
            .with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let base = format!("http://{address}").parse().expect("an address");
        let client = AgentClient::new(base, None).expect("a client");
        Self {
            shared,
            client,
            address,
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Bytes that were taken from it, or are on their way.
    pub fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::SeqCst)
    }

    /// Why it was ended, each time.
    pub fn ended(&self) -> Vec<String> {
        let ended = self.shared.ended.lock();
        ended.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl Runtime for Liar {
    async fn boot(&self, _: BootStages) -> Result<BootedAgent, BootError> {
        Ok(BootedAgent {
            client: self.client.clone(),
            agent_session: SESSION.to_owned(),
            model: PromptModel {
                provider: "anthropic".into(),
                model: "claude-opus-4-6".into(),
            },
            system: None,
        })
    }

    async fn end_agent(&self, why: &str) {
        let ended = self.shared.ended.lock();
        ended
            .unwrap_or_else(PoisonError::into_inner)
            .push(why.to_owned());
    }

    async fn liveness(&self) -> Liveness {
        Liveness::Alive
    }
}

fn counted(shared: Arc<Shared>, pieces: impl Stream<Item = String> + Send + 'static) -> Body {
    Body::from_stream(pieces.map(move |piece| {
        shared.sent.fetch_add(piece.len() as u64, Ordering::SeqCst);
        Ok::<_, Infallible>(Bytes::from(piece))
    }))
}

/// The beginning, and then the same without an end.
fn endless(begin: impl Into<String>, again: String) -> impl Stream<Item = String> + Send {
    stream::iter([begin.into()]).chain(stream::repeat(again))
}

fn message(id: &str, completed: bool) -> serde_json::Value {
    let completed = completed.then_some(2);
    json!({"id": id, "sessionID": SESSION, "role": "assistant",
        "time": {"created": 1, "completed": completed}, "finish": "stop"})
}

async fn page(State(shared): State<Arc<Shared>>) -> Response<Body> {
    let mut answer = Response::builder().header("content-type", "application/json");
    let body = match shared.lie {
        Lie::EndlessPage => counted(shared, endless("[\"", "x".repeat(PIECE))),
        Lie::Compressed => {
            answer = answer.header("content-encoding", "gzip");
            counted(shared, endless("\u{1f}", "\0".repeat(PIECE)))
        }
        Lie::EndlessPages => {
            answer = answer.header("x-next-cursor", "again");
            Body::from("[]")
        }
        Lie::FullPage => {
            let messages = (0..2000).map(
                |number| json!({"info": message(&format!("msg_{number:08}"), true), "parts": []}),
            );
            Body::from(messages.collect::<serde_json::Value>().to_string())
        }
        Lie::WidePage => {
            let begin = format!(
                "[{{\"info\":{},\"parts\":[{{\"id\":\"prt_1\",\"messageID\":\"msg_1\",\"sessionID\":\"{SESSION}\",\
                 \"type\":\"tool\",\"callID\":\"c\",\"tool\":\"bash\",\"state\":{{\"status\":\"pending\",\
                 \"input\":{{\"a\":[",
                message("msg_1", false)
            );
            let pieces = stream::iter([begin])
                .chain(stream::repeat("{},".repeat(PIECE / 3)).take(200))
                .chain(stream::iter(["{}]}}}]}]".to_owned()]));
            counted(shared, pieces)
        }
        Lie::WidePages => {
            answer = answer.header("x-next-cursor", "again");
            let running =
                json!({"status": "running", "input": {}, "metadata": {"a": objects(43_000)}});
            let part = json!({"id": "prt_1", "messageID": "msg_1", "sessionID": SESSION, "type": "tool",
                "callID": "c", "tool": "bash", "state": running});
            let page = json!([{"info": message("msg_1", false), "parts": [part]}]);
            counted(shared, stream::iter([page.to_string()]))
        }
        _ => Body::from("[]"),
    };
    answer.body(body).expect("an answer")
}

/// Small objects, which take a hundred times their text once they are parsed.
fn objects(count: usize) -> serde_json::Value {
    vec![json!({"a": 0}); count].into()
}

fn data(event: &serde_json::Value) -> String {
    format!("data: {event}\n\n")
}

fn info(id: &str, completed: bool) -> String {
    data(&json!({"type": "message.updated", "properties": {"info": message(id, completed)}}))
}

fn part(message: &str, id: &str, rest: &serde_json::Value) -> String {
    let mut part = json!({"id": id, "messageID": message, "sessionID": SESSION});
    for (name, value) in rest.as_object().into_iter().flatten() {
        part[name] = value.clone();
    }
    data(&json!({"type": "message.part.updated", "properties": {"part": part}}))
}

async fn events(State(shared): State<Arc<Shared>>) -> Response<Body> {
    let hello = data(&json!({"type": "server.connected", "properties": {}}));
    let status = json!({"sessionID": SESSION, "status": {"type": "busy"}});
    let busy = data(&json!({"type": "session.status", "properties": status}));
    let lies = lies(shared.lie);
    let body = counted(shared, stream::iter([hello, busy]).chain(lies));
    let answer = Response::builder().header("content-type", "text/event-stream");
    answer.body(body).expect("an answer")
}

/// What is sent once the stream is open.
fn lies(lie: Lie) -> stream::BoxStream<'static, String> {
    match lie {
        Lie::EndlessEvent | Lie::WidePages => endless("data: ", "x".repeat(PIECE)).boxed(),
        Lie::DeepEvent => {
            let deep = format!("data: {{\"a\":{}\n\n", "[".repeat(1000));
            stream::iter([deep]).chain(stream::pending()).boxed()
        }
        Lie::WideEvent => {
            let wide = format!("data: {{\"a\":[{}1]}}\n\n", "{},".repeat(1_000_000));
            stream::iter([wide]).chain(stream::pending()).boxed()
        }
        Lie::LongId => {
            let long = info(&format!("msg_{}", "x".repeat(1_000_000)), false);
            stream::iter([long]).chain(stream::pending()).boxed()
        }
        Lie::EndlessText => {
            let text = json!({"type": "text", "text": ""});
            let begin = info("msg_1", false) + &part("msg_1", "prt_1", &text);
            let delta = json!({"sessionID": SESSION, "messageID": "msg_1", "partID": "prt_1",
                "field": "text", "delta": "x".repeat(PIECE)});
            let delta = data(&json!({"type": "message.part.delta", "properties": delta}));
            // A part is followed up to its own bound; so there are many.
            let parts = stream::iter(0_u64..).flat_map(move |number| {
                let id = format!("prt_{number:08}");
                let text = json!({"type": "text", "text": ""});
                let begin = part("msg_1", &id, &text);
                let delta = delta.replace("prt_1", &id);
                stream::iter([begin]).chain(stream::repeat(delta).take(16))
            });
            stream::iter([begin]).chain(parts).boxed()
        }
        Lie::ManyParts => {
            let large = "x".repeat(1_000_000);
            let parts = stream::iter(0_u64..).map(move |number| {
                let text = json!({"type": "text", "text": large, "time": {"start": 1, "end": 2}});
                part("msg_1", &format!("prt_{number:08}"), &text)
            });
            stream::iter([info("msg_1", false)]).chain(parts).boxed()
        }
        Lie::OpenMessages => stream::iter(0_u64..)
            .map(|number| info(&format!("msg_{number:08}"), false))
            .boxed(),
        Lie::OpenTools => stream::iter(0_u64..)
            .map(|number| {
                let (message, call) = (format!("msg_{number:08}"), format!("call_{number:08}"));
                let running = json!({"type": "tool", "callID": call, "tool": "bash",
                    "state": {"status": "running", "input": {"command": "x".repeat(10_000)}}});
                let begin =
                    info(&message, false) + &part(&message, &format!("prt_{number}"), &running);
                begin + &info(&message, true)
            })
            .boxed(),
        Lie::WideCalls => {
            let calls = stream::iter(0_u64..).map(|number| {
                // Every fourth one is too wide to be shown, the others are just not.
                let objects = objects(if number % 4 == 0 { 31_000 } else { 1_300 });
                let running = json!({"type": "tool", "callID": format!("call_{number:08}"), "tool": "bash",
                    "state": {"status": "running", "input": {"a": objects}}});
                part("msg_1", &format!("prt_{number:08}"), &running)
            });
            stream::iter([info("msg_1", false)]).chain(calls).boxed()
        }
        Lie::Comments => {
            let heartbeat = data(&json!({"type": "server.heartbeat", "properties": {}}));
            let comments = format!(": {}\n{heartbeat}", "x".repeat(PIECE));
            stream::repeat(comments).boxed()
        }
        _ => stream::pending().boxed(),
    }
}
