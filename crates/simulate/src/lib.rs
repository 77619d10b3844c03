//! A deterministic simulation of many gateways: the real ownership, hub, mediation, grant and approval code, in one
//! process and on one thread, on virtual time, with crashes, pauses, partitions, lost and doubled messages, skewed
//! clocks and a coordination service that forgets. One number decides everything that happens.
//!
//! `docs/concepts/simulation.md` says what is simulated, what is real, and what is checked.

mod agents;
mod coordination;
mod counted;
mod database_watcher;
mod effects;
mod final_checks;
mod gateway;
mod ledger;
mod link;
mod net;
mod plan;
mod rng;
mod sandbox_host;
mod shared_parts;
mod time;
mod trace;
mod transport;
mod users;
mod world;

use std::{collections::BTreeMap, sync::atomic::Ordering, time::Duration};

use world::World;

/// How long after the storm every session must take a prompt and answer it: a lease ends, a sandbox is found dead and
/// made anew, a lock of a boot ends, and some.
const SERVICEABLE: Duration = Duration::from_mins(4);
/// How long users may take with everything they had in mind.
const DONE: Duration = Duration::from_mins(90);
/// How long after that nothing may wait any more: a question and an approval each have five minutes, a run its
/// deadline, and sweeps come every minute.
const SETTLED: Duration = Duration::from_mins(15);
/// How long a client may be behind, or a session be on its way, when all else has come to rest.
const BEHIND: Duration = Duration::from_mins(3);
/// How long after the last client a sandbox without a session may exist: it is ended an hour after that was
/// noticed, and looks are minutes apart.
const TIDY: Duration = Duration::from_mins(80);

/// What came of a seed.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub seed: u64,
    /// What must not have happened.
    pub violation: Option<String>,
    /// The same whenever the same happened.
    pub digest: String,
    pub faults: BTreeMap<&'static str, u64>,
    /// How much time passed in it.
    pub simulated: Duration,
    /// What happened.
    pub tail: Vec<String>,
}

impl Outcome {
    /// The command that makes it happen again.
    pub fn replay(&self) -> String {
        format!("cargo xtask simulate --from {} --seeds 1", self.seed)
    }
}

/// Runs the world of a seed to its end.
pub fn run(seed: u64) -> Outcome {
    let mut world = World::new(seed);
    storm(&mut world);
    if world.shared_parts.trace.violated().is_none() {
        rest(&mut world);
    }
    if world.shared_parts.trace.violated().is_none() {
        world.judge();
    }
    if world.shared_parts.trace.violated().is_none() {
        tidy(&mut world);
    }
    let trace = &world.shared_parts.trace;
    Outcome {
        seed,
        violation: trace.violated(),
        digest: trace.digest(),
        faults: trace.faults(),
        simulated: world.now,
        tail: trace.tail(),
    }
}

fn storm(world: &mut World) {
    let end = world.plan.storm;
    while world.now < end && world.shared_parts.trace.violated().is_none() {
        let length = world.slice();
        world.step(length);
        world.chaos(length);
    }
    world.calm();
}

fn rest(world: &mut World) {
    let step = Duration::from_millis(100);
    let calm_since = world.now;
    // Restarts and wakes what is left.
    world.step(step);
    world.last_words();
    let trace = world.shared_parts.trace.clone();
    let is_last = |waiting: &[String]| waiting.iter().any(|one| one.ends_with("-last"));
    while is_last(&world.users.ledger.waiting()) && trace.violated().is_none() {
        if world.now > calm_since + SERVICEABLE {
            let waiting = world.users.ledger.waiting();
            return trace.violation(format!("sessions are not serviceable: {waiting:?}"));
        }
        world.step(step);
    }
    while !world.users.ledger.waiting().is_empty() && trace.violated().is_none() {
        if world.now > calm_since + DONE {
            let waiting = world.users.ledger.waiting();
            return trace.violation(format!("a participant is never done: {waiting:?}"));
        }
        world.step(step * 3);
    }
    let done = world.now;
    while trace.violated().is_none()
        && (world.open_actions() > 0 || world.now < done + Duration::from_mins(4))
    {
        if world.now > done + SETTLED {
            return;
        }
        world.step(step * 5);
    }
    let still = world.now;
    while world.unsettled().is_some() && trace.violated().is_none() && world.now < still + BEHIND {
        world.step(step);
    }
}

/// All clients have left; sandboxes without a session are removed by the sweep.
fn tidy(world: &mut World) {
    world.users.is_over.store(true, Ordering::SeqCst);
    let trace = world.shared_parts.trace.clone();
    let since = world.now;
    while !world.strays().is_empty() && trace.violated().is_none() {
        if world.now > since + TIDY {
            let strays = world.strays();
            return trace.violation(format!("these are never ended: {strays:?}"));
        }
        world.step(Duration::from_secs(1));
    }
}
