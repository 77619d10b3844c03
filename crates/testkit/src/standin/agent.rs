//! A scripted agent: it serves the agent's HTTP API and answers every prompt with its own words, or with those of a
//! test.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::sse::{Event, Sse},
    routing::{get, post},
};
use domain::id::SessionId;
use futures::{Stream, StreamExt as _, stream};
use hub::{
    Runtimes,
    opencode::{AgentClient, PromptModel},
    session::{BootError, BootStages, BootedAgent, Liveness, Runtime},
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::broadcast};
use wire::live::BootStage;

/// The agent's own name of its session.
pub const SESSION: &str = "ses_standin";
/// Events that wait for subscribers; more than a test creates at once.
const EVENTS_MAX: usize = 4096;

/// The first events of a turn: the agent is busy, and its message exists.
const BEGINS: usize = 2;

/// An agent that listens. Clones are the same.
#[derive(Debug, Clone)]
pub struct Agent {
    shared: Arc<Shared>,
    client: AgentClient,
    address: SocketAddr,
}

#[derive(Debug)]
struct Shared {
    events: broadcast::Sender<String>,
    prompts: Mutex<Vec<Value>>,
    aborts: Mutex<usize>,
    /// It begins its turns and does not end them.
    is_held: AtomicBool,
    /// How often it was asked to load what it needs.
    warmings: AtomicUsize,
    /// It never has loaded it.
    stays_cold: AtomicBool,
    /// It never boots.
    never_boots: AtomicBool,
}

impl Agent {
    pub async fn start() -> Self {
        let (events, _) = broadcast::channel(EVENTS_MAX);
        let shared = Arc::new(Shared {
            events,
            prompts: Mutex::default(),
            aborts: Mutex::default(),
            is_held: AtomicBool::new(false),
            warmings: AtomicUsize::new(0),
            stays_cold: AtomicBool::new(false),
            never_boots: AtomicBool::new(false),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        let info = || async { Json(json!({"id": SESSION, "title": "Live"})) };
        let health = || async { Json(json!({"healthy": true, "version": "0"})) };
        let router = Router::new()
            .route("/global/health", get(health))
            .route("/config/providers", get(providers))
            .route("/session", post(info))
            .route("/session/status", get(|| async { Json(json!({})) }))
            .route("/session/{id}", get(info))
            .route("/session/{id}/message", get(|| async { Json(json!([])) }))
            .route("/session/{id}/prompt_async", post(prompt))
            .route("/session/{id}/abort", post(abort))
            .route("/event", get(events_of))
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

    /// Where it listens, for a sandbox that it is to be in.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The prompts it got, in order.
    pub fn texts(&self) -> Vec<String> {
        let text = |prompt: &Value| {
            prompt["parts"][0]["text"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        self.prompts().iter().map(text).collect()
    }

    /// Ends the turns that it began and did not end, and holds no more.
    pub fn finish(&self) {
        self.shared.is_held.store(false, Ordering::SeqCst);
        for prompt in self.prompts() {
            let id = prompt["messageID"].as_str().unwrap_or_default();
            let text = prompt["parts"][0]["text"].as_str().unwrap_or_default();
            for event in turn(id, text).into_iter().skip(BEGINS) {
                // There may be no subscriber.
                let _ = self.shared.events.send(event.to_string());
            }
        }
    }

    /// The prompts it was given, each time it was.
    pub fn prompts(&self) -> Vec<Value> {
        held(&self.shared.prompts).clone()
    }

    /// How many times it was stopped.
    pub fn aborts(&self) -> usize {
        *held(&self.shared.aborts)
    }

    /// From now on it begins its turns and does not end them.
    pub fn hold(&self) {
        self.shared.is_held.store(true, Ordering::SeqCst);
    }

    /// How often it was asked to load what it needs before it is needed.
    pub fn warmings(&self) -> usize {
        self.shared.warmings.load(Ordering::SeqCst)
    }

    /// From now on that comes to no end.
    pub fn stay_cold(&self) {
        self.shared.stays_cold.store(true, Ordering::SeqCst);
    }

    /// How many listen to it.
    pub fn listeners(&self) -> usize {
        self.shared.events.receiver_count()
    }

    /// From now on its sandbox neither boots nor fails.
    pub fn never_boot(&self) {
        self.shared.never_boots.store(true, Ordering::SeqCst);
    }

    /// For a hub whose sessions all have this agent.
    pub fn runtimes(&self) -> Arc<dyn Runtimes> {
        Arc::new(self.clone())
    }
}

impl Runtimes for Agent {
    fn of(&self, _: SessionId) -> Arc<dyn Runtime> {
        Arc::new(self.clone())
    }
}

#[async_trait]
impl Runtime for Agent {
    async fn boot(&self, stages: BootStages) -> Result<BootedAgent, BootError> {
        stages.begin(BootStage::Sandbox).await;
        if self.shared.never_boots.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        stages.begin(BootStage::Agent).await;
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

    async fn liveness(&self) -> Liveness {
        Liveness::Alive
    }
}

async fn providers(State(shared): State<Arc<Shared>>) -> Json<Value> {
    shared.warmings.fetch_add(1, Ordering::SeqCst);
    if shared.stays_cold.load(Ordering::SeqCst) {
        std::future::pending::<()>().await;
    }
    Json(json!({}))
}

async fn prompt(State(shared): State<Arc<Shared>>, Json(body): Json<Value>) -> StatusCode {
    let id = body["messageID"].as_str().unwrap_or_default().to_owned();
    let text = body["parts"][0]["text"].as_str().unwrap_or_default();
    let is_known = {
        let mut prompts = held(&shared.prompts);
        let is_known = prompts.iter().any(|known| known["messageID"] == id);
        prompts.push(body.clone());
        is_known
    };
    if !is_known {
        let is_held = shared.is_held.load(Ordering::SeqCst);
        let events = turn(&id, text).into_iter();
        for event in events.take(if is_held { BEGINS } else { usize::MAX }) {
            // There may be no subscriber.
            let _ = shared.events.send(event.to_string());
        }
    }
    StatusCode::NO_CONTENT
}

async fn abort(State(shared): State<Arc<Shared>>) -> Json<bool> {
    *held(&shared.aborts) += 1;
    Json(true)
}

async fn events_of(
    State(shared): State<Arc<Shared>>,
) -> Sse<impl Stream<Item = Result<Event, std::convert::Infallible>>> {
    let hello = json!({"type": "server.connected", "properties": {}}).to_string();
    let heard = stream::unfold(shared.events.subscribe(), |mut events| async {
        let event = events.recv().await.ok()?;
        Some((event, events))
    });
    let all = stream::once(async { hello }).chain(heard);
    Sse::new(all.map(|event| Ok(Event::default().data(event))))
}

/// What the agent does about a prompt: says its words, one by one. `ENV` asks for a variable first.
fn turn(prompt: &str, text: &str) -> Vec<Value> {
    // Behind its prompt, and before the next one, whenever that comes: it answers them one by one.
    let time = prompt.get(4..16).unwrap_or_default();
    let message = format!("msg_{time}standin0000000");
    let part = message.replace("msg_", "prt_");
    let info = |completed: Option<u64>| {
        json!({"type": "message.updated", "properties": {"sessionID": SESSION, "info": {
            "id": message, "sessionID": SESSION, "role": "assistant", "parentID": prompt,
            "time": {"created": 1, "completed": completed}, "finish": completed.map(|_| "stop")}}})
    };
    let status = |kind: &str| json!({"type": "session.status", "properties": {"sessionID": SESSION, "status": {"type": kind}}});
    let whole = |text: &str, end: Option<u64>| {
        json!({"type": "message.part.updated", "properties": {"sessionID": SESSION, "part": {
            "id": part, "messageID": message, "sessionID": SESSION, "type": "text", "text": text,
            "time": {"start": 1, "end": end}}}})
    };
    let mut events = vec![status("busy"), info(None)];
    if let Some(key) = text.strip_prefix("ENV ") {
        let input = json!({"keys": [{"key": key}]});
        let tool = json!({"id": format!("{part}t"), "messageID": message, "sessionID": SESSION, "type": "tool",
            "callID": "call_env", "tool": "request_env_variables", "state": {"status": "completed",
                "input": input, "output": "A form is shown.", "time": {"start": 1, "end": 2}}});
        events.push(json!({"type": "message.part.updated", "properties": {"sessionID": SESSION, "part": tool}}));
    }
    events.push(whole("", None));
    for word in text.split_inclusive(' ') {
        events.push(
            json!({"type": "message.part.delta", "properties": {"sessionID": SESSION,
            "messageID": message, "partID": part, "field": "text", "delta": word}}),
        );
    }
    events.push(whole(text, Some(2)));
    events.push(info(Some(2)));
    events.push(status("idle"));
    events.push(json!({"type": "session.idle", "properties": {"sessionID": SESSION}}));
    events
}

fn held<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
