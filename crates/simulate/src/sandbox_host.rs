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

use domain::{clock::Timestamp, id::SessionId};
use sandbox::{Captured, ExecResult, Exit, Handle, SandboxId, SnapshotId, fake::Fake};
use tokio::time::sleep;

use crate::{
    agents::{Agent, AgentContext, Memory},
    plan::Plan,
    rng::Rng,
};

/// The first port of an agent.
const FIRST_PORT: u16 = 20_000;

/// What an agent had begun that is not in the sandbox which its session was moved to.
#[derive(Debug, Clone)]
pub(crate) struct Left {
    pub(crate) session: SessionId,
    pub(crate) prompts: Vec<String>,
    /// How much all agents had begun by then.
    pub(crate) begun: usize,
}

/// Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct SandboxHost {
    fake: Fake,
    agent_context: AgentContext,
    storm: Arc<AtomicBool>,
    /// Of a thousand things that are asked of it, how many fail.
    clumsy: u64,
    /// Of a thousand agents, how many never come up.
    stillborn: u64,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    boxes: BTreeMap<SandboxId, Place>,
    saved: BTreeMap<SnapshotId, Memory>,
    next: u16,
    /// Counts snapshots: no two have one name.
    snapshots: u64,
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

impl SandboxHost {
    pub(crate) fn new(
        agent_context: AgentContext,
        storm: Arc<AtomicBool>,
        rng: Rng,
        plan: &Plan,
    ) -> Self {
        let fake = Fake::new(Arc::new(rng));
        fake.turn(|knobs| knobs.keep_running = vec!["agent"]);
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
            agent_context,
            storm,
            clumsy: plan.clumsy,
            stillborn: plan.stillborn,
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
        let id = {
            let state = self.state();
            let count = state.boxes.len() as u64;
            let index = usize::try_from(number.checked_rem(count)?).ok()?;
            state.boxes.keys().nth(index)?.clone()
        };
        self.dies(&id)
    }

    /// Gives whose it was, if it was there.
    fn dies(&self, id: &SandboxId) -> Option<SessionId> {
        let place = self.state().boxes.remove(id)?;
        self.fake.kill(&place.handle);
        place.end();
        Some(place.session)
    }

    /// What of a sandbox is not in the one that its session goes on in, as both are on record.
    pub(crate) fn left_behind(&self, from: &str, to: &str) -> Option<Left> {
        let place = |record: &str| -> Option<SandboxId> {
            let handle: Handle = serde_json::from_str(record).ok()?;
            Some(handle.id)
        };
        let (from, to) = (place(from)?, place(to)?);
        let begun = self.agent_context.begun.lock().map(|begun| begun.len());
        let state = self.state();
        let (from, to) = (state.boxes.get(&from)?, state.boxes.get(&to)?);
        let known = to.memory.begun();
        let mut prompts = from.agent.as_ref()?.memory().begun();
        prompts.retain(|prompt| !known.contains(prompt));
        Some(Left {
            session: from.session,
            prompts,
            begun: begun.unwrap_or_default(),
        })
    }

    /// Has a sandbox end at its time.
    fn ends_at(&self, id: &SandboxId, moment: Timestamp) {
        let (sandbox_host, id) = (self.clone(), id.clone());
        self.agent_context.world.spawn(async move {
            sleep(sandbox_host.agent_context.time.until(moment)).await;
            if let Some(session) = sandbox_host.dies(&id) {
                let what = format!("a sandbox of {session} ends by itself");
                sandbox_host.agent_context.trace.note(what);
            }
        });
    }

    pub(crate) fn has(&self, id: &SandboxId) -> bool {
        self.state().boxes.contains_key(id)
    }

    /// Those that live, in words.
    pub(crate) fn living(&self) -> Vec<(SandboxId, String)> {
        let state = self.state();
        let living = state.boxes.iter().map(|(id, place)| {
            let what = format!("sandbox {} of {}", place.port, place.session);
            (id.clone(), what)
        });
        living.collect()
    }

    /// Has no room for another sandbox for a while.
    pub(crate) fn fill_until(&self, until: Duration) {
        self.state().full_until = until;
    }

    fn has_room(&self) -> sandbox::Result<()> {
        if self.agent_context.time.now() < self.state().full_until {
            self.agent_context
                .trace
                .fault("full", "no room for a sandbox");
            let what = "another sandbox";
            return Err(sandbox::Error::Exhausted { what });
        }
        Ok(())
    }

    fn address(port: u16) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, port).into()
    }

    fn is_stormy(&self) -> bool {
        self.storm.load(Ordering::SeqCst)
    }

    /// How long something takes, and whether it fails.
    async fn takes(&self, from: u64, to: u64) -> sandbox::Result<()> {
        sleep(self.agent_context.rng.millis(from, to)).await;
        if self.is_stormy() && self.agent_context.rng.chance(self.clumsy) {
            self.agent_context.trace.fault("provider", "fails");
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
