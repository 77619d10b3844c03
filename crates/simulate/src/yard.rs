//! Where sandboxes are: the fake provider, with an agent in each of them at an address of its own. What it does takes
//! time and fails now and then; what it made outlives every gateway.

mod provider;

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use domain::id::SessionId;
use sandbox::{Captured, ExecResult, Exit, Handle, SandboxId, SnapshotId, fake::Fake};
use tokio::time::sleep;

use crate::{
    agents::{Agent, Ground, Memory},
    rng::Rng,
};

/// The first port of an agent.
const FIRST_PORT: u16 = 20_000;

/// Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Yard {
    fake: Fake,
    ground: Ground,
    storm: Arc<AtomicBool>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    boxes: BTreeMap<SandboxId, Place>,
    saved: BTreeMap<SnapshotId, Memory>,
    next: u16,
    /// Until then there is no room for another sandbox.
    full_until: Duration,
}

#[derive(Debug)]
struct Place {
    handle: Handle,
    session: SessionId,
    port: u16,
    memory: Memory,
    agent: Option<Agent>,
}

impl Yard {
    pub(crate) fn new(ground: Ground, storm: Arc<AtomicBool>, rng: Rng) -> Self {
        let fake = Fake::new(Arc::new(rng));
        fake.turn(|knobs| knobs.goes_on = vec!["agent"]);
        fake.on_exec(|_, request| {
            let is_script = request.argv.first().is_some_and(|word| word == "/bin/sh");
            is_script.then(|| ExecResult {
                exit: Exit::Code(0),
                stdout: Captured::default(),
                stderr: Captured::default(),
            })
        });
        Self {
            fake,
            ground,
            storm,
            state: Arc::default(),
        }
    }

    /// The agent at an address.
    pub(crate) fn agent_at(&self, port: u16) -> Option<Agent> {
        let state = self.state();
        let place = state.boxes.values().find(|place| place.port == port)?;
        place.agent.clone()
    }

    /// Ends a sandbox from outside, as a machine that fails does: the n-th of those that live.
    pub(crate) fn strike(&self, number: u64) -> Option<SessionId> {
        let mut state = self.state();
        let count = state.boxes.len() as u64;
        let index = usize::try_from(number.checked_rem(count)?).ok()?;
        let id = state.boxes.keys().nth(index)?.clone();
        let place = state.boxes.remove(&id)?;
        drop(state);
        self.fake.kill(&place.handle);
        place.end();
        Some(place.session)
    }

    /// Has no room for another sandbox for a while.
    pub(crate) fn is_full(&self, until: Duration) {
        self.state().full_until = until;
    }

    fn has_room(&self) -> sandbox::Result<()> {
        if self.ground.time.now() < self.state().full_until {
            self.ground.trace.fault("full", "no room for a sandbox");
            let what = "another sandbox";
            return Err(sandbox::Error::Exhausted { what });
        }
        Ok(())
    }

    fn address(port: u16) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, port).into()
    }

    /// How long something takes, and whether it fails.
    async fn takes(&self, from: u64, to: u64) -> sandbox::Result<()> {
        sleep(self.ground.rng.millis(from, to)).await;
        if self.storm.load(Ordering::SeqCst) && self.ground.rng.chance(15) {
            self.ground.trace.fault("provider", "fails");
            return Err(sandbox::Error::failed("simulated", "no luck"));
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    fn end(&self) {
        if let Some(agent) = &self.agent {
            agent.kill();
        }
    }
}
