//! A stand-in of the gateway's action routes. It keeps every invocation as a small machine, does each once
//! per idempotency key, records what it is sent, and fails on demand.

mod faults;
mod views;

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
    time::Instant,
};

use axum::{
    Json, Router,
    extract::{Path, Request, State},
    http::StatusCode,
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use uuid::Uuid;
use wire::{action::InvokeRequest, grant::RequestGrantRequest};

pub(crate) use faults::Fault;
pub(crate) use views::End;

use crate::program::{SESSION, TOKEN};

/// How the invocations of a stand-in go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Looks until it has ended; with none it has ended when it is asked for.
    pub(crate) looks: usize,
    /// `None` for one that is not decided.
    pub(crate) end: Option<End>,
}

/// What was sent.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    pub(crate) method: String,
    /// Below the session's actions, with the query.
    pub(crate) path: String,
    pub(crate) key: Option<String>,
    pub(crate) body: Value,
    pub(crate) at: Instant,
}

#[derive(Debug)]
struct Shared {
    plan: Plan,
    faults: Mutex<VecDeque<Fault>>,
    recorded: Mutex<Vec<Recorded>>,
    /// Looks at each so far, by the key it was asked for with.
    invocations: Mutex<HashMap<String, (Uuid, usize)>>,
}

/// A running stand-in; it ends with the test.
#[derive(Debug)]
pub(crate) struct StandIn {
    pub(crate) url: String,
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl StandIn {
    /// With what it does to the first requests, in order.
    pub(crate) async fn start(plan: Plan, faults: impl IntoIterator<Item = Fault>) -> Self {
        let shared = Arc::new(Shared {
            plan,
            faults: Mutex::new(faults.into_iter().collect()),
            recorded: Mutex::default(),
            invocations: Mutex::default(),
        });
        let actions = Router::new()
            .route("/available", get(async || Json(views::available())))
            .route("/guide/{integration}", get(guide))
            .route("/invoke", post(invoke))
            .route("/invocations/{id}", get(look))
            .route(
                "/grants",
                get(async || Json(json!({"grants": []}))).post(grant_request),
            )
            .layer(middleware::from_fn_with_state(shared.clone(), record))
            .with_state(shared.clone());
        let router = Router::new().nest(&format!("/proliferate/{SESSION}/actions"), actions);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, shared, task }
    }

    /// One whose invocations end at once.
    pub(crate) async fn ending(end: End) -> Self {
        Self::start(
            Plan {
                looks: 0,
                end: Some(end),
            },
            [],
        )
        .await
    }

    /// Does these to the next requests, after those it has yet to do.
    pub(crate) fn add(&self, faults: impl IntoIterator<Item = Fault>) {
        self.shared.faults.lock().unwrap().extend(faults);
    }

    pub(crate) fn recorded(&self) -> Vec<Recorded> {
        self.shared.recorded.lock().unwrap().clone()
    }

    /// Method and path of everything that was sent.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |recorded: Recorded| format!("{} {}", recorded.method, recorded.path);
        self.recorded().into_iter().map(line).collect()
    }

    pub(crate) fn count(&self, line: &str) -> usize {
        self.lines()
            .iter()
            .filter(|known| known.starts_with(line))
            .count()
    }

    /// How many different things it was asked to do.
    pub(crate) fn effects(&self) -> usize {
        self.shared.invocations.lock().unwrap().len()
    }
}

/// Records the request and does to it what is next in the list of faults.
async fn record(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, 2 * 1024 * 1024).await.unwrap();
    let text = |name: &str| Some(parts.headers.get(name)?.to_str().unwrap().to_owned());
    assert_eq!(text("authorization"), Some(format!("Bearer {TOKEN}")));
    #[expect(
        clippy::disallowed_methods,
        reason = "tests of pauses compare real moments"
    )]
    let at = Instant::now();
    let path = parts.uri.path_and_query().unwrap().as_str();
    shared.recorded.lock().unwrap().push(Recorded {
        method: parts.method.to_string(),
        path: path.to_owned(),
        key: text("idempotency-key"),
        body: serde_json::from_slice(&bytes).unwrap_or_default(),
        at,
    });
    let request = Request::from_parts(parts, axum::body::Body::from(bytes));
    let fault = shared.faults.lock().unwrap().pop_front();
    match fault {
        Some(fault) => fault.inflict(next.run(request)).await,
        None => next.run(request).await,
    }
}

async fn guide(Path(integration): Path<String>) -> Response {
    if integration == "nothing" {
        return faults::problem(404, "NOT_FOUND", "There is no such integration.");
    }
    Json(json!({"integration": integration, "guide": "# How\n\nLike this."})).into_response()
}

async fn invoke(
    State(shared): State<Arc<Shared>>,
    headers: axum::http::HeaderMap,
    Json(request): Json<InvokeRequest>,
) -> Response {
    let key = headers["idempotency-key"].to_str().unwrap().to_owned();
    let mut invocations = shared.invocations.lock().unwrap();
    let number = u128::try_from(invocations.len()).unwrap();
    let (id, looks) = *invocations
        .entry(key)
        .or_insert((Uuid::from_u128(number + 1), 0));
    let end = shared.plan.end.filter(|_| looks >= shared.plan.looks);
    let params = Value::Object(request.params);
    let (status, answer) = views::invoked(id, end, &params);
    (StatusCode::from_u16(status).unwrap(), Json(answer)).into_response()
}

async fn look(State(shared): State<Arc<Shared>>, Path(id): Path<Uuid>) -> Response {
    let mut invocations = shared.invocations.lock().unwrap();
    let Some((_, looks)) = invocations.values_mut().find(|(known, _)| *known == id) else {
        return faults::problem(404, "NOT_FOUND", "There is no such invocation.");
    };
    *looks += 1;
    let end = shared.plan.end.filter(|_| *looks >= shared.plan.looks);
    Json(json!({"invocation": views::invocation(id, end, &json!({}))})).into_response()
}

async fn grant_request(Json(request): Json<RequestGrantRequest>) -> Response {
    (StatusCode::ACCEPTED, Json(views::grant_requested(&request))).into_response()
}
