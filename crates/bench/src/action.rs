//! What does an action cost? An MCP server that echoes, called through the gateway (authenticated, counted,
//! parameters checked, decided, written down before and after, redacted, audited) against calling it directly;
//! and what a session can do, with twenty servers.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use anyhow::{Context, ensure};
use domain::{clock::Clock as _, id::SessionId, limits::CONNECTORS_MAX};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use testkit::database::Backend;

use crate::{
    client::{Client, request},
    echo, load,
    table::Table,
    target::{BACKENDS, Target},
};

pub(crate) const NAME: &str = "action";

/// A session may send sixty requests in a minute, so there are many.
const CALLS_PER_SESSION: usize = 55;
const SESSIONS: usize = 3000;
/// How often everything that is known of the servers is forgotten.
const COLD_ROUNDS: u32 = 20;

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let server = echo::start().await?;
    for (backend, on) in BACKENDS {
        let actions = ActionTarget::open(backend, server).await?;
        for (name, action) in [("action, read", "read"), ("action, granted write", "write")] {
            for workers in [1, 16, 64] {
                let direct = request("POST", "/mcp", "-", MCP, &echo::call("hello"));
                let plain = load::run(server, workers, 200, move |_, _| direct.clone()).await?;
                table.row("MCP server, direct", "-", &plain, None);
                let next = actions.calls(action);
                let ours = load::run(actions.target.address, workers, 200, next).await?;
                table.row(name, on, &ours, Some(&plain));
            }
        }
        actions.available(table, on, server).await?;
    }
    Ok(())
}

/// What the protocol demands of every request.
const MCP: &str = "accept: application/json, text/event-stream\r\n";

struct ActionTarget {
    target: Target,
    /// Path and token of each session.
    sessions: Arc<Vec<(String, String)>>,
    next: Arc<AtomicUsize>,
    /// The connector whose tool is a read, and the one whose tool is a granted write.
    reading: String,
    writing: String,
}

impl ActionTarget {
    async fn open(backend: Backend, server: std::net::SocketAddr) -> anyhow::Result<Self> {
        let target = Target::start_reaching(backend, &server.to_string()).await?;
        target.sequence();
        let reading = connect(&target, server, "read").await?;
        let writing = connect(&target, server, "write").await?;
        let grant = json!({"scope": "org", "integration": writing, "action": "*"});
        send(&target, "/v1/grants", &grant).await?;
        let mut sessions = Vec::with_capacity(SESSIONS);
        for _ in 0..SESSIONS {
            let made = send(&target, "/proliferate/sessions", &json!({})).await?;
            let id: SessionId = made["sessionId"].as_str().context("an id")?.parse()?;
            let session = {
                let mut conn = target.app.db.read().await?;
                store::session_fetch_any(&mut conn, id)
                    .await?
                    .context("a session")?
            };
            let token = target.app.tokens.mint_sandbox(&session);
            let path = format!("/proliferate/{id}/actions");
            sessions.push((path, token.expose_secret().to_owned()));
        }
        Ok(Self {
            target,
            sessions: Arc::new(sessions),
            next: Arc::default(),
            reading,
            writing,
        })
    }

    /// Each worker's next call, in a session that is below its rate limit.
    fn calls(&self, risk: &str) -> impl Fn(usize, u64) -> Vec<u8> + Send + Sync + 'static {
        let integration = if risk == "read" {
            &self.reading
        } else {
            &self.writing
        };
        let body = json!({"integration": integration, "action": "echo",
            "params": {"message": "hello"}})
        .to_string();
        let (sessions, next) = (Arc::clone(&self.sessions), Arc::clone(&self.next));
        let places: Vec<AtomicUsize> = (0..64)
            .map(|_| AtomicUsize::new(next.fetch_add(1, Ordering::Relaxed)))
            .collect();
        move |worker, n| {
            if n > 0 && n % (CALLS_PER_SESSION as u64) == 0 {
                places[worker].store(next.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
            }
            let place = places[worker].load(Ordering::Relaxed) % sessions.len();
            let (path, token) = &sessions[place];
            request("POST", &format!("{path}/invoke"), token, "", &body)
        }
    }

    /// What a session can do, with twenty servers: cached, and listed anew.
    async fn available(
        &self,
        table: &mut Table,
        on: &str,
        server: std::net::SocketAddr,
    ) -> anyhow::Result<()> {
        let mut connectors = vec![self.reading.clone(), self.writing.clone()];
        while connectors.len() < CONNECTORS_MAX {
            connectors.push(connect(&self.target, server, "read").await?);
        }
        let (path, token) = &self.sessions[0];
        let get = request("GET", &format!("{path}/available"), token, "", "");
        let bytes = get.clone();
        let cached = load::run(self.target.address, 16, 200, move |_, _| bytes.clone()).await?;
        table.row("available, 20 servers", on, &cached, None);
        let clock = app::system::SystemClock::new();
        let mut client = Client::connect(self.target.address).await?;
        for _ in 0..COLD_ROUNDS {
            for integration in &connectors {
                let id = integration.trim_start_matches("connector:").parse()?;
                let organization_id = &self.target.organization_id;
                self.target.app.connectors().forget(organization_id, id);
            }
            let status = client.call(&get).await?;
            ensure!(status == 200, "available answered {status}");
        }
        table.rate(
            "available, 20 servers listed anew",
            on,
            COLD_ROUNDS,
            clock.monotonic(),
        );
        Ok(())
    }
}

/// A connector to the server whose one tool has this risk; its name as an integration.
async fn connect(
    target: &Target,
    server: std::net::SocketAddr,
    risk: &str,
) -> anyhow::Result<String> {
    let body = json!({"name": "Echo", "url": format!("http://{server}/mcp"),
        "riskPolicy": {"overrides": {"echo": risk}}});
    let made = send(target, "/v1/connectors", &body).await?;
    Ok(format!(
        "connector:{}",
        made["id"].as_str().context("an id")?
    ))
}

async fn send(target: &Target, path: &str, body: &Value) -> anyhow::Result<Value> {
    let mut client = Client::connect(target.address).await?;
    let bytes = request("POST", path, &target.token, "", &body.to_string());
    let (status, body) = client.exchange(&bytes).await?;
    ensure!(
        status == 201,
        "{path} answered {status}: {}",
        String::from_utf8_lossy(body)
    );
    Ok(serde_json::from_slice(body)?)
}
