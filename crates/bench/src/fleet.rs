//! What do several instances cost, and how long is a session unavailable when it moves? In one process, each instance with its own
//! hub and server, on one PostgreSQL and one Redis; the agent is a stand-in, so that what is measured is ours.

use std::{sync::Arc, time::Duration};

use anyhow::{Context as _, ensure};
use app::system::SystemClock;
use coord::Coordination;
use domain::{
    clock::Clock as _,
    id::SessionId,
    lease::LeaseKey,
    limits::{INSTANCE_TTL, LEASE_RENEW_EVERY},
};
use hub::{Hub, HubLimits, session::Handle};
use testkit::{
    app::{Person, Served, TestApp},
    database::Backend,
    redis::RedisServer,
    standin::agent::Agent,
};

use crate::{
    live::{Watcher, resident_bytes},
    table::Table,
};

pub(crate) const NAME: &str = "fleet";

const ON: &str = "PostgreSQL, Redis";
const HANDOFFS: usize = 200;
const LEASES: u32 = 1000;
const IDLE: u32 = 10_000;

/// An instance of the measured fleet, known to the others.
struct FleetInstance {
    app: TestApp,
    hub: Hub,
    served: Served,
}

struct Fleet {
    coordination: Arc<dyn Coordination>,
    redis: RedisServer,
    agent: Agent,
}

impl Fleet {
    async fn start() -> anyhow::Result<Self> {
        let redis = RedisServer::start().await;
        Ok(Self {
            coordination: coord::open(&redis.url(), Arc::new(SystemClock::new()))?,
            agent: Agent::start().await,
            redis,
        })
    }

    async fn join(&self, beside: Option<&FleetInstance>) -> anyhow::Result<FleetInstance> {
        let builder = TestApp::builder(Backend::Postgres).coordinating_by(&self.coordination);
        let app = match beside {
            Some(other) => builder.beside(&other.app).await,
            None => builder.start().await,
        };
        let bounds = HubLimits {
            hubs_max: 2 * IDLE as usize,
            ..HubLimits::default()
        };
        let hub = Hub::with_runtimes(app.app.clone(), self.agent.runtimes()).with_limits(bounds);
        let served = app.serve_hub(hub.clone()).await;
        let answering = hub.clone();
        tokio::spawn(async move { answering.fleet.receive_peer_messages().await });
        let instance = domain::instance::Instance {
            advertised_url: served.url(""),
            ..app.app.instance.clone()
        };
        self.coordination
            .announce(&instance, INSTANCE_TTL * 100)
            .await?;
        Ok(FleetInstance { app, hub, served })
    }
}

impl FleetInstance {
    async fn session(&self) -> anyhow::Result<SessionId> {
        let body = serde_json::json!({});
        let made = self.app.owner().post("/proliferate/sessions", body).await;
        let made = made.expect(201);
        Ok(made["sessionId"].as_str().unwrap_or_default().parse()?)
    }

    async fn open(&self, id: SessionId) -> anyhow::Result<Handle> {
        let steering = self.app.steering(id).await?;
        Ok(self.hub.registry.open(&steering).await?)
    }

    async fn watch(&self, id: SessionId) -> anyhow::Result<Watcher> {
        let token = self.app.user_token(Person::Owner);
        Watcher::connect(self.served.address, id, &token).await
    }
}

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    handoff(table).await?;
    takeover(table).await?;
    leases(table).await?;
    idle(table).await
}

/// From the moment at which an instance is told to leave until a client that watched has its place at the next one.
async fn handoff(table: &mut Table) -> anyhow::Result<()> {
    let fleet = Fleet::start().await?;
    let first = fleet.join(None).await?;
    let second = fleet.join(Some(&first)).await?;
    let clock = SystemClock::new();
    let mut gaps = Vec::new();
    for _ in 0..HANDOFFS {
        let id = first.session().await?;
        let mut watcher = first.watch(id).await?;
        let handle = first.open(id).await?;
        handle.ensure_ready().await?;
        let started = clock.monotonic();
        first.hub.fleet.drain();
        watcher.until_closed().await?;
        second.watch(id).await?;
        gaps.push(clock.monotonic().saturating_sub(started));
        let owner = fleet.coordination.owner(LeaseKey::Owner(id)).await?;
        ensure!(
            owner == Some(second.app.app.instance.id),
            "no instance took it over"
        );
        ensure!(first.hub.fleet.undrain(), "it is not closed");
        first.hub.fleet.announce_load().await;
    }
    gaps.sort();
    let worst = gaps[HANDOFFS * 99 / 100];
    gaps.truncate(HANDOFFS * 99 / 100 + 1);
    ensure!(gaps.last() == Some(&worst), "they are in order");
    table.tries(
        "planned handoff, gap to a client (p50, p99)",
        ON,
        1,
        gaps,
        None,
    );
    Ok(())
}

/// From the death of an instance, with everything in it, until the next one has its session.
async fn takeover(table: &mut Table) -> anyhow::Result<()> {
    let fleet = Fleet::start().await?;
    let first = fleet.join(None).await?;
    let id = first.session().await?;
    let builder = TestApp::builder(Backend::Postgres).coordinating_by(&fleet.coordination);
    let doomed = builder.beside(&first.app).await;
    let hub = Hub::with_runtimes(doomed.app.clone(), fleet.agent.runtimes());
    let dying = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let steering = doomed.steering(id).await?;
    let opened = dying.spawn(async move { hub.registry.open(&steering).await.map(drop) });
    opened.await??;
    let clock = SystemClock::new();
    let started = clock.monotonic();
    dying.shutdown_background();
    while first.open(id).await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let took = clock.monotonic().saturating_sub(started);
    table.tries("takeover after a crash", ON, 1, vec![took], None);
    Ok(())
}

/// Commands that Redis is sent for so many live sessions, in a second.
async fn leases(table: &mut Table) -> anyhow::Result<()> {
    let fleet = Fleet::start().await?;
    let one = fleet.join(None).await?;
    for _ in 0..LEASES {
        let id = one.session().await?;
        one.open(id).await?;
    }
    let before = commands(&fleet.redis)?;
    let clock = SystemClock::new();
    let started = clock.monotonic();
    tokio::time::sleep(LEASE_RENEW_EVERY * 2).await;
    let sent = commands(&fleet.redis)?.saturating_sub(before);
    let took = clock.monotonic().saturating_sub(started);
    table.rate("Redis commands for 1,000 leases", ON, sent, took);
    Ok(())
}

fn commands(redis: &RedisServer) -> anyhow::Result<u32> {
    let info = redis.info("stats");
    let line = info
        .lines()
        .find_map(|line| line.strip_prefix("total_commands_processed:"));
    Ok(line.context("Redis counts commands")?.trim().parse()?)
}

async fn idle(table: &mut Table) -> anyhow::Result<()> {
    let fleet = Fleet::start().await?;
    let one = fleet.join(None).await?;
    // What the first of all needs is no session's own.
    let id = one.session().await?;
    one.open(id).await?;
    let before = resident_bytes()?;
    for _ in 0..IDLE {
        let id = one.session().await?;
        one.open(id).await?;
    }
    let grown = resident_bytes()?.saturating_sub(before);
    table.bytes("memory of 10,000 idle sessions", ON, IDLE, grown);
    Ok(())
}
