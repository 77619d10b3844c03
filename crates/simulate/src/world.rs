//! A world: gateways, their users and their dependencies, on one thread and one virtual time. The scheduler
//! lets one after the other run for a short while, in an order of the seed's choice.

mod chaos;
mod gateway_slots;
mod initial_rows;

use std::{
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Duration,
};

use blobs::Blobs;
use tempfile::TempDir;

use self::gateway_slots::GatewaySlot;
use crate::{
    agents::AgentContext,
    coordination::Service,
    counted::Counted,
    database_watcher::DatabaseWatcher,
    effects::Outside,
    gateway::Node,
    ledger::Ledger,
    net::Net,
    plan::Plan,
    rng::Rng,
    sandbox_host::SandboxHost,
    shared_parts::SharedParts,
    time::{SkewedClock, Time},
    trace::Trace,
    users::{self, Person, Users},
};

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) plan: Plan,
    pub(crate) shared_parts: SharedParts,
    pub(crate) users: Users,
    pub(crate) agent_context: AgentContext,
    pub(crate) now: Duration,
    /// Where users and agents live.
    outside: Node,
    gateway_slots: Vec<GatewaySlot>,
    rng: Rng,
    // Last: everything else has a file in it.
    _directory: TempDir,
}

impl World {
    /// A world in which nothing has happened yet.
    pub(crate) fn new(seed: u64) -> Self {
        let (plan, empty) = (Plan::of(seed), initial_rows::empty_database());
        let time = Arc::new(Time::default());
        let trace = Trace::new(Arc::clone(&time));
        let storm = Arc::new(AtomicBool::new(true));
        let outside = Node::new(&time);
        let directory = initial_rows::directory();
        let path = directory.path().join("world.db");
        let db = outside.within(Duration::ZERO, initial_rows::database(&path, empty));
        let agent_context = AgentContext {
            world: outside.handle().clone(),
            time: Arc::clone(&time),
            rng: Rng::new(seed, 2),
            trace: trace.clone(),
            begun: Arc::default(),
        };
        let sandbox_host = SandboxHost::new(
            agent_context.clone(),
            Arc::clone(&storm),
            Rng::new(seed, 5),
            &plan,
        );
        let database_watcher = DatabaseWatcher::open(&path, trace.clone(), sandbox_host.clone())
            .expect("the database opens");
        let truth = SkewedClock {
            time: Arc::clone(&time),
            skew_ms: 0,
        };
        let shared_parts = SharedParts {
            seed,
            db,
            blobs: Blobs::in_memory(Arc::new(Rng::new(seed, 3))),
            coordination: Arc::new(Service::new(Arc::new(truth))),
            outside: Outside::new(Arc::clone(&storm), Rng::new(seed, 4), trace.clone()),
            counted: Counted::new(Arc::clone(&storm), Rng::new(seed, 8), trace.clone()),
            sandbox_host,
            database_watcher: Arc::new(Mutex::new(database_watcher)),
            time,
            trace: trace.clone(),
            storm: Arc::clone(&storm),
            scratch: directory.path().join("scratch"),
            lifetime: plan.lifetime,
        };
        let net = Net::new(plan.gateways, Rng::new(seed, 6), trace.clone(), storm);
        let ledger = Ledger::new(trace);
        let (organization, admin) = initial_rows::names();
        let users = Users {
            net,
            ledger,
            organization,
            admin,
            begun: Arc::clone(&agent_context.begun),
            is_over: Arc::default(),
        };
        let rng = Rng::new(seed, 7);
        let gateway_slots = (0..plan.gateways).map(|number| GatewaySlot::new(number, &rng));
        let mut world = Self {
            plan,
            shared_parts,
            users,
            agent_context,
            now: Duration::ZERO,
            outside,
            gateway_slots: gateway_slots.collect(),
            rng,
            _directory: directory,
        };
        world.begin();
        world
    }

    fn begin(&mut self) {
        let shared_parts = self.shared_parts.clone();
        let granted = self.plan.granted;
        let users = self.users.clone();
        let observer = self.outside.within(self.now, shared_parts.observer());
        let found = initial_rows::found(&observer, &users, granted);
        let integration = self.outside.within(self.now, found);
        for gateway_slot in &mut self.gateway_slots {
            gateway_slot.start(&self.shared_parts, &self.users.net);
        }
        for number in 0..self.plan.sessions {
            let name = format!("s{number}");
            let person = Person {
                name: name.clone(),
                prompts: self.plan.prompts,
                integration,
            };
            self.users.ledger.begins(&name);
            self.users.ledger.begins(&format!("{name}-agent"));
            self.users.ledger.begins(&format!("{name}-tools"));
            let (users, plan) = (self.users.clone(), self.plan.clone());
            let counted = self.shared_parts.counted.clone();
            self.outside.handle().spawn(async move {
                let session = person.arrives(&users).await;
                for number in 0..plan.watchers {
                    let watcher = format!("{name}-w{number}");
                    tokio::spawn(users::watch(users.clone(), session, watcher));
                }
                let acting = users::act(users.clone(), session, name.clone(), plan.actions);
                tokio::spawn(acting);
                let (calling, tools) = (users.clone(), plan.tools);
                let calling = users::call_tools(calling, counted, session, name, tools);
                tokio::spawn(calling);
                person.talks(users, session).await;
            });
        }
        let deciding = users::decide(self.users.clone());
        self.outside.handle().spawn(deciding);
    }

    /// Says the last thing to every session.
    pub(crate) fn last_words(&self) {
        for (number, session) in self.users.ledger.sessions().into_iter().enumerate() {
            let name = format!("s{number}");
            self.users.ledger.begins(&format!("{name}-last"));
            let word = users::last_word(self.users.clone(), session, name);
            self.outside.handle().spawn(word);
        }
    }

    /// For how long all participants run next: the shorter, the more interleavings.
    pub(crate) fn slice(&self) -> Duration {
        Duration::from_millis(self.rng.pick(&[2, 5, 10, 20, 40, 80, 160]))
    }

    /// Runs all participants for a while.
    pub(crate) fn step(&mut self, length: Duration) {
        let (from, to) = (self.now, self.now + length);
        let count = self.gateway_slots.len() + 1;
        let mut order: Vec<usize> = (0..count).collect();
        for index in (1..count).rev() {
            let other = usize::try_from(self.rng.below(index as u64 + 1)).unwrap_or_default();
            order.swap(index, other);
        }
        for index in order {
            match self.gateway_slots.get(index) {
                Some(gateway_slot) => gateway_slot.run(from, to),
                None => self.outside.run(from, to),
            }
        }
        self.now = to;
        self.shared_parts.time.leave(to);
        for gateway_slot in &mut self.gateway_slots {
            gateway_slot.recover(to, &self.shared_parts, &self.users.net);
        }
    }
}
