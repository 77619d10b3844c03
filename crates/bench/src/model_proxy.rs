//! What does the way to a model through us cost? The same streamed answer from the same upstream, asked directly and
//! through the gateway (key, session and budget checked, body addressed, usage read and written down): how many in
//! a second, and how much later the first event arrives. The upstream answers at once, so that nothing hides us.

use std::{io, net::SocketAddr, time::Duration};

use anyhow::ensure;
use app::system::SystemClock;
use axum::{
    Router,
    body::{Body, Bytes},
    response::{IntoResponse, Response},
    routing::post,
};
use domain::clock::Clock as _;
use futures::stream;
use hdrhistogram::Histogram;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use testkit::database::Backend;
use tokio::net::TcpListener;

use crate::{
    client::{Client, request},
    load::{self, LoadMeasurement},
    table::Table,
    target::{BACKENDS, Target},
};

pub(crate) const NAME: &str = "model proxy";

/// Pieces of text in an answer: a paragraph or two.
const PIECES: usize = 100;
/// What an agent sends at the beginning of a session, with its tools.
const PROMPT_BYTES: usize = 30_000;
/// Answers whose first event is waited for, one after the other.
const FIRSTS: u32 = 500;
/// Between the first event and the rest, so that the first is alone on the line.
const PAUSE: Duration = Duration::from_millis(2);

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let upstream = upstream().await?;
    for (backend, on) in BACKENDS {
        measure_on(table, upstream, backend, on).await?;
    }
    Ok(())
}

async fn measure_on(
    table: &mut Table,
    upstream: SocketAddr,
    backend: Backend,
    on: &str,
) -> anyhow::Result<()> {
    let target = Target::start_asking(backend, format!("http://{upstream}")).await?;
    let key = key(&target).await?;
    let body = json!({
        "model": "claude-opus-4-5", "max_tokens": 100, "stream": true, "system": "x".repeat(PROMPT_BYTES),
        "messages": [{"role": "user", "content": "go on"}],
    })
    .to_string();
    let direct = request("POST", "/v1/messages", &key, "", &body);
    let through = request("POST", "/llm/anthropic/v1/messages", &key, "", &body);
    for workers in [1, 16, 64] {
        let bytes = direct.clone();
        let plain = load::run(upstream, workers, 200, move |_, _| bytes.clone()).await?;
        table.row("model, direct", "-", &plain, None);
        let bytes = through.clone();
        let ours = load::run(target.address, workers, 200, move |_, _| bytes.clone()).await?;
        table.row("model proxy", on, &ours, Some(&plain));
    }
    let body = format!("{body} ");
    let direct = request("POST", "/v1/messages", &key, "", &body);
    let through = request("POST", "/llm/anthropic/v1/messages", &key, "", &body);
    let plain = first_events(upstream, &direct).await?;
    table.row("first event, direct", "-", &plain, None);
    let ours = first_events(target.address, &through).await?;
    table.row("first event, model proxy", on, &ours, Some(&plain));
    Ok(())
}

/// A session's key to its model.
async fn key(target: &Target) -> anyhow::Result<String> {
    let mut client = Client::connect(target.address).await?;
    let create = request("POST", "/proliferate/sessions", &target.token, "", "{}");
    let (status, body) = client.exchange(&create).await?;
    ensure!(status == 201, "creating a session answered {status}");
    let made: Value = serde_json::from_slice(body)?;
    let id: domain::id::SessionId = made["sessionId"].as_str().unwrap_or_default().parse()?;
    let session = store::session_fetch_any(&mut target.app.db.read().await?, id).await?;
    let session = session.ok_or_else(|| anyhow::anyhow!("the session is gone"))?;
    let key = target.app.tokens.mint_model(&session);
    Ok(key.expose_secret().to_owned())
}

/// How long it is until the first event, one request after the other.
async fn first_events(address: SocketAddr, request: &[u8]) -> anyhow::Result<LoadMeasurement> {
    let clock = SystemClock::new();
    let mut client = Client::connect(address).await?;
    let mut latencies = Histogram::<u64>::new(3)?;
    let started = clock.monotonic();
    for _ in 0..FIRSTS {
        let sent = clock.monotonic();
        client.first_event(request).await?;
        let took = clock.monotonic().saturating_sub(sent);
        latencies.record(u64::try_from(took.as_micros())?)?;
        client.rest().await?;
    }
    let took = clock.monotonic().saturating_sub(started);
    Ok(LoadMeasurement::of(1, took, latencies))
}

/// A model that gives every request the same response at once.
async fn upstream() -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (first, rest) = events();
    // The body arrives unchanged: a space at its end requests a pause.
    let answer = move |body: Bytes| async move {
        let pause = body.ends_with(b" ").then_some(PAUSE);
        answered(first, rest, pause)
    };
    let router = Router::new().route("/v1/messages", post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

fn answered(first: &'static [u8], rest: &'static [u8], pause: Option<Duration>) -> Response {
    let pieces = stream::unfold(0, move |n| async move {
        match n {
            0 => Some((io::Result::Ok(Bytes::from_static(first)), 1)),
            1 => {
                if let Some(pause) = pause {
                    tokio::time::sleep(pause).await;
                }
                Some((Ok(Bytes::from_static(rest)), 2))
            }
            _ => None,
        }
    });
    (
        [("content-type", "text/event-stream")],
        Body::from_stream(pieces),
    )
        .into_response()
}

/// The first event of the answer, and the others.
fn events() -> (&'static [u8], &'static [u8]) {
    let event = |data: &Value| {
        let name = data["type"].as_str().unwrap_or_default();
        format!("event: {name}\ndata: {data}\n\n")
    };
    let first = event(
        &json!({"type": "message_start", "message": {"id": "m", "usage": {
        "input_tokens": 8000, "cache_read_input_tokens": 7000, "output_tokens": 1}}}),
    );
    let piece = event(&json!({"type": "content_block_delta", "index": 0,
        "delta": {"type": "text_delta", "text": "some words of it "}}));
    let end = event(
        &json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
        "usage": {"output_tokens": 400}}),
    );
    let stop = event(&json!({"type": "message_stop"}));
    let rest = format!("{}{end}{stop}", piece.repeat(PIECES));
    (first.leak().as_bytes(), rest.leak().as_bytes())
}
