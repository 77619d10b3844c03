//! One gateway: a process in miniature. Its tasks run on a runtime of its own, which the scheduler lets run for a while,
//! leaves alone (the process is stopped), or drops with everything in it (the process is killed).

use std::{sync::Arc, time::Duration};

use agent::install::Installation;
use app::{App, jobs, maintenance};
use domain::clock::Clock as _;
use hub::{
    Hub, HubLimits, HubSlot,
    runtime::{LazyMachine, Machine},
};
use sandbox::Destination;
use tokio::{
    runtime::{Builder, Handle, Runtime},
    time::{Instant, advance, sleep_until},
};
use tokio_util::sync::CancellationToken;

use crate::{
    link::Link,
    rng::Rng,
    shared_parts::SharedParts,
    time::{SkewedClock, Time, own_clock},
    transport::Wire,
};

/// A runtime whose time is the scheduler's.
#[derive(Debug)]
pub(crate) struct Node {
    runtime: Runtime,
    /// When it was made: on its own clock, and in truth.
    start: Instant,
    origin: Duration,
    time: Arc<Time>,
}

impl Node {
    pub(crate) fn new(time: &Arc<Time>) -> Self {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
        let start = runtime.block_on(async { own_clock() });
        Self {
            runtime,
            start,
            origin: time.now(),
            time: Arc::clone(time),
        }
    }

    pub(crate) fn handle(&self) -> &Handle {
        self.runtime.handle()
    }

    /// Lets everything in it run up to a moment. Time that it did not see passes at once, as for a process that was
    /// stopped.
    pub(crate) fn run(&self, from: Duration, to: Duration) {
        let at = |moment: Duration| self.start + moment.saturating_sub(self.origin);
        self.runtime.block_on(async {
            self.time.enter(self.start, self.origin);
            let missed = at(from).saturating_duration_since(own_clock());
            if !missed.is_zero() {
                advance(missed).await;
            }
            sleep_until(at(to)).await;
        });
        self.time.leave(to);
    }

    /// Does something at this moment, and waits for it.
    pub(crate) fn within<F: Future>(&self, from: Duration, work: F) -> F::Output {
        let done = self.runtime.block_on(async {
            self.time.enter(self.start, self.origin);
            work.await
        });
        self.time.leave(from);
        done
    }

    /// Drops everything in it where it stands.
    pub(crate) fn kill(self) {
        self.runtime.shutdown_background();
    }
}

/// One life of a gateway.
#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) node: Node,
    pub(crate) link: Arc<Link>,
    pub(crate) app: App,
    pub(crate) hub: Hub,
}

impl Gateway {
    pub(crate) fn start(
        shared_parts: &SharedParts,
        number: usize,
        life: u64,
        skew_ms: i64,
    ) -> Self {
        let node = Node::new(&shared_parts.time);
        let purpose = 1_000 * (number as u64 + 1) + life;
        let who = format!("g{number}.{life}");
        let link = Arc::new(Link::new(
            who,
            Arc::clone(&shared_parts.storm),
            Rng::new(shared_parts.seed, 1_000_000 + purpose),
            shared_parts.trace.clone(),
            Arc::clone(&shared_parts.database_watcher),
        ));
        let clock = SkewedClock {
            time: Arc::clone(&shared_parts.time),
            skew_ms,
        };
        let slot = Arc::new(HubSlot::default());
        let rng = Rng::new(shared_parts.seed, 2_000_000 + purpose);
        let now = shared_parts.time.now();
        let policy = node.within(now, shared_parts.policy(clock.now()));
        let parts = shared_parts.parts(&link, &clock, rng, Arc::clone(&slot), policy);
        let machine = Machine {
            provider: Arc::new(shared_parts.sandbox_host.clone()),
            installation: Installation::unseen(),
            helper: None,
            gateway: Destination {
                name: "gateway".to_owned(),
                address: ([127, 0, 0, 1], 8_787).into(),
            },
            clock: Arc::new(clock),
            transport: Some(Arc::new(Wire {
                sandbox_host: shared_parts.sandbox_host.clone(),
                link: Arc::clone(&link),
            })),
        };
        let (app, hub) = node.within(now, async {
            let app = App::new(parts);
            let bounds = HubLimits {
                hubs_max: 100,
                idle_ttl: Duration::from_mins(1),
            };
            let workshop = LazyMachine::from(machine).with_lifetime(shared_parts.lifetime);
            let hub = Hub::new(app.clone(), workshop).with_limits(bounds);
            slot.fill(hub.clone());
            // A process that is killed is told nothing.
            let stop = CancellationToken::new();
            tokio::spawn(maintenance::heartbeat(app.clone(), stop.clone()));
            tokio::spawn(maintenance::sweep(app.clone(), stop.clone()));
            tokio::spawn(jobs::run(app.clone(), stop.clone()));
            let kept = hub.clone();
            tokio::spawn(async move { kept.fleet.run(stop).await });
            (app, hub)
        });
        Self {
            node,
            link,
            app,
            hub,
        }
    }
}
