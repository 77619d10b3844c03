//! How long do prompts wait while a session moves to a fresh sandbox? The gap that its clients are told, of moves without
//! an agent's restart in them: the provider is in memory and its agent is there at once, so what is left is our own. A real
//! agent's boot comes on top.

use std::{sync::Arc, time::Duration};

use agent::install::{self, Installation};
use anyhow::{Context, bail};
use app::system::{SystemClock, SystemEntropy};
use domain::{id::SessionId, limits::AGENT_PORT};
use hub::{Hub, WatchedSession, runtime::Machine, session::NewPrompt};
use sandbox::{Captured, Destination, ExecResult, Exit, fake::Fake};
use serde_json::Value;
use testkit::standin::agent::Agent;
use wire::live::MigrationReason;

use crate::{
    client::{Client, request},
    table::Table,
    target::{BACKENDS, Target},
};

pub(crate) const NAME: &str = "migration";

const MOVES: usize = 100;

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    for (backend, on) in BACKENDS {
        let target = Target::start(backend).await?;
        let gaps = gaps(&target).await?;
        table.tries("migration gap", on, 1, gaps, None);
    }
    Ok(())
}

async fn gaps(target: &Target) -> anyhow::Result<Vec<Duration>> {
    let agent = Agent::start().await;
    let hub = Hub::new(target.app.clone(), machine(&agent)?.into());
    let id = session(target).await?;
    let steering = target.steering(id).await?;
    let handle = hub.registry.open(&steering).await?;
    handle.ensure_ready().await?;
    let mut watching = hub.watchers.watch(steering.access(), None, None).await?;
    let mut gaps = Vec::with_capacity(MOVES);
    for _ in 0..MOVES {
        let asked = MigrationReason::Asked;
        let leaving = hub.sandboxes.migrate(&steering, asked).await?;
        let prompt = NewPrompt {
            text: "Go on.".to_owned(),
            ..NewPrompt::default()
        };
        handle.prompt(prompt).await?;
        leaving.wait().await;
        gaps.push(gap(&mut watching).await?);
    }
    hub.fleet.close().await;
    Ok(gaps)
}

/// As the client is told it.
async fn gap(watching: &mut WatchedSession) -> anyhow::Result<Duration> {
    loop {
        let sent = watching.frames.recv().await.context("the stream goes on")?;
        let frame: Value = serde_json::from_str(&sent.text)?;
        let payload = &frame["payload"];
        match (frame["type"].as_str(), payload["state"].as_str()) {
            (Some("migration"), Some("started")) => {}
            (Some("migration"), Some("completed")) => {
                let gap = payload["gapMs"].as_u64().context("a gap")?;
                return Ok(Duration::from_millis(gap));
            }
            (Some("migration"), _) => bail!("the session did not move: {frame}"),
            _ => {}
        }
    }
}

fn machine(agent: &Agent) -> anyhow::Result<Machine> {
    let fake = Fake::new(Arc::new(SystemEntropy));
    fake.set_endpoint(AGENT_PORT, agent.address());
    fake.turn(|knobs| knobs.keep_running = vec!["agent", "daemon"]);
    fake.on_exec(|_, request| {
        let is_read = request.argv.first().is_some_and(|program| program == "cat");
        Some(ExecResult {
            exit: Exit::Code(i32::from(is_read)),
            stdout: Captured::default(),
            stderr: Captured::default(),
        })
    });
    let modules = std::path::Path::new(install::DEFAULT_DIRECTORY);
    Ok(Machine {
        provider: Arc::new(fake),
        installation: Installation::find(modules)?,
        helper: Some("proliferate".into()),
        gateway: Destination {
            name: "gateway".to_owned(),
            address: "127.0.0.1:1".parse()?,
        },
        clock: Arc::new(SystemClock::new()),
        transport: None,
    })
}

async fn session(target: &Target) -> anyhow::Result<SessionId> {
    let mut client = Client::connect(target.address).await?;
    let create = request("POST", "/proliferate/sessions", &target.token, "", "{}");
    let (status, body) = client.exchange(&create).await?;
    anyhow::ensure!(status == 201, "creating a session answered {status}");
    let made: Value = serde_json::from_slice(body)?;
    Ok(made["sessionId"].as_str().unwrap_or_default().parse()?)
}
