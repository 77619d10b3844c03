//! A world: gateways, their users and their dependencies, on one thread and one virtual time. The scheduler
//! lets one after the other run for a short while, in an order of the seed's choice.

mod chaos;
mod founding;
mod seats;

use std::{
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Duration,
};

use blobs::Blobs;
use tempfile::TempDir;

use self::seats::Seat;
use crate::{
    agents::Ground,
    commons::Commons,
    coordination::Service,
    counted::Counted,
    effects::Outside,
    eye::Eye,
    gateway::Node,
    ledger::Ledger,
    net::Net,
    people::{self, People, Person},
    plan::Plan,
    rng::Rng,
    time::{SkewedClock, Time},
    trace::Trace,
    yard::Yard,
};

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) plan: Plan,
    pub(crate) commons: Commons,
    pub(crate) people: People,
    pub(crate) ground: Ground,
    pub(crate) now: Duration,
    /// Where people and agents live.
    outside: Node,
    seats: Vec<Seat>,
    rng: Rng,
    // Last: everything else has a file in it.
    _directory: TempDir,
}

impl World {
    /// A world in which nothing has happened yet.
    pub(crate) fn new(seed: u64) -> Self {
        let (plan, empty) = (Plan::of(seed), founding::empty_database());
        let time = Arc::new(Time::default());
        let trace = Trace::new(Arc::clone(&time));
        let storm = Arc::new(AtomicBool::new(true));
        let outside = Node::new(&time);
        let directory = founding::directory();
        let path = directory.path().join("world.db");
        let db = outside.within(Duration::ZERO, founding::database(&path, empty));
        let ground = Ground {
            world: outside.handle().clone(),
            time: Arc::clone(&time),
            rng: Rng::new(seed, 2),
            trace: trace.clone(),
            begun: Arc::default(),
        };
        let yard = Yard::new(ground.clone(), Arc::clone(&storm), Rng::new(seed, 5), &plan);
        let eye = Eye::open(&path, trace.clone(), yard.clone()).expect("the database opens");
        let truth = SkewedClock {
            time: Arc::clone(&time),
            skew_ms: 0,
        };
        let commons = Commons {
            seed,
            db,
            blobs: Blobs::in_memory(Arc::new(Rng::new(seed, 3))),
            coordination: Arc::new(Service::new(Arc::new(truth))),
            outside: Outside::new(Arc::clone(&storm), Rng::new(seed, 4), trace.clone()),
            counted: Counted::new(Arc::clone(&storm), Rng::new(seed, 8), trace.clone()),
            yard,
            eye: Arc::new(Mutex::new(eye)),
            time,
            trace: trace.clone(),
            storm: Arc::clone(&storm),
            scratch: directory.path().join("scratch"),
            lifetime: plan.lifetime,
        };
        let net = Net::new(plan.gateways, Rng::new(seed, 6), trace.clone(), storm);
        let ledger = Ledger::new(trace);
        let (organization, admin) = founding::names();
        let people = People {
            net,
            ledger,
            organization,
            admin,
            begun: Arc::clone(&ground.begun),
            is_over: Arc::default(),
        };
        let rng = Rng::new(seed, 7);
        let seats = (0..plan.gateways).map(|number| Seat::new(number, &rng));
        let seats = seats.collect();
        let mut world = Self {
            plan,
            commons,
            people,
            ground,
            now: Duration::ZERO,
            outside,
            seats,
            rng,
            _directory: directory,
        };
        world.begin();
        world
    }

    fn begin(&mut self) {
        let commons = self.commons.clone();
        let granted = self.plan.granted;
        let people = self.people.clone();
        let observer = self.outside.within(self.now, commons.observer());
        let found = founding::found(&observer, &people, granted);
        let integration = self.outside.within(self.now, found);
        for seat in &mut self.seats {
            seat.start(&self.commons, &self.people.net);
        }
        for number in 0..self.plan.sessions {
            let name = format!("s{number}");
            let person = Person {
                name: name.clone(),
                prompts: self.plan.prompts,
                integration,
            };
            self.people.ledger.begins(&name);
            self.people.ledger.begins(&format!("{name}-agent"));
            self.people.ledger.begins(&format!("{name}-tools"));
            let (people, plan) = (self.people.clone(), self.plan.clone());
            let counted = self.commons.counted.clone();
            self.outside.handle().spawn(async move {
                let session = person.arrives(&people).await;
                for number in 0..plan.watchers {
                    let watcher = format!("{name}-w{number}");
                    tokio::spawn(people::watch(people.clone(), session, watcher));
                }
                let acting = people::act(people.clone(), session, name.clone(), plan.actions);
                tokio::spawn(acting);
                let (calling, tools) = (people.clone(), plan.tools);
                let calling = people::call_tools(calling, counted, session, name, tools);
                tokio::spawn(calling);
                person.talks(people, session).await;
            });
        }
        let deciding = people::decide(self.people.clone());
        self.outside.handle().spawn(deciding);
    }

    /// Says the last thing to every session.
    pub(crate) fn last_words(&self) {
        for (number, session) in self.people.ledger.sessions().into_iter().enumerate() {
            let name = format!("s{number}");
            self.people.ledger.begins(&format!("{name}-last"));
            let word = people::last_word(self.people.clone(), session, name);
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
        let count = self.seats.len() + 1;
        let mut order: Vec<usize> = (0..count).collect();
        for index in (1..count).rev() {
            let other = usize::try_from(self.rng.below(index as u64 + 1)).unwrap_or_default();
            order.swap(index, other);
        }
        for index in order {
            match self.seats.get(index) {
                Some(seat) => seat.run(from, to),
                None => self.outside.run(from, to),
            }
        }
        self.now = to;
        self.commons.time.leave(to);
        for seat in &mut self.seats {
            seat.recover(to, &self.commons, &self.people.net);
        }
    }
}
