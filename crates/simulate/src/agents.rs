//! The agents: they speak the agent's HTTP as far as the gateway uses it, answer every prompt with its own words, one
//! by one, and know a prompt again that comes twice. They live in the world, not in a gateway.

mod answers;
mod memory;
mod turn;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::id::SessionId;
use serde_json::{Value, json};
use tokio::{runtime::Handle, sync::mpsc};

pub(crate) use answers::Said;
pub(crate) use memory::Memory;

use crate::{rng::Rng, time::Time, trace::Trace};

/// Which prompts were begun, in order, by session; each once for each time.
pub(crate) type BegunPrompts = Arc<Mutex<Vec<(SessionId, String)>>>;

/// What every agent shares.
#[derive(Debug, Clone)]
pub(crate) struct AgentContext {
    /// Where agents live.
    pub(crate) world: Handle,
    pub(crate) time: Arc<Time>,
    pub(crate) rng: Rng,
    pub(crate) trace: Trace,
    pub(crate) begun: BegunPrompts,
}

/// One agent. Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Agent {
    context: AgentContext,
    session: SessionId,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    memory: Memory,
    /// The prompt it is at.
    busy: Option<String>,
    is_aborted: bool,
    is_dead: bool,
    ready_at: Duration,
    listeners: Vec<mpsc::UnboundedSender<String>>,
}

impl Agent {
    pub(crate) fn start(context: &AgentContext, session: SessionId, memory: Memory) -> Self {
        let ready_at = context.time.now() + context.rng.millis(50, 1_500);
        let agent = Self {
            context: context.clone(),
            session,
            state: Arc::new(Mutex::new(State {
                memory,
                busy: None,
                is_aborted: false,
                is_dead: false,
                ready_at,
                listeners: Vec::new(),
            })),
        };
        context.world.spawn(agent.clone().beat());
        agent
    }

    /// Ends it, as the end of its sandbox does.
    pub(crate) fn kill(&self) {
        let mut state = self.state();
        state.is_dead = true;
        state.listeners.clear();
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.state().is_dead
    }

    /// What a snapshot has of it.
    pub(crate) fn memory(&self) -> Memory {
        self.state().memory.clone()
    }

    /// Whether it accepts connections.
    pub(crate) fn listens(&self) -> bool {
        let state = self.state();
        !state.is_dead && self.context.time.now() >= state.ready_at
    }

    /// It lives, as it says now and then.
    async fn beat(self) {
        loop {
            tokio::time::sleep(Duration::from_secs(10)).await;
            if self.is_dead() {
                return;
            }
            self.say("server.heartbeat", &json!({}));
        }
    }

    fn say(&self, kind: &str, properties: &Value) {
        let event = json!({"type": kind, "properties": properties});
        let frame = format!("data: {event}\n\n");
        let mut state = self.state();
        state
            .listeners
            .retain(|listener| listener.send(frame.clone()).is_ok());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
