//! The machine that sandboxes run on, opened when the first session needs it: checking what a machine supports starts
//! processes, and a container engine may start later than the gateway.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::sync::OnceCell;

use super::boot::Machine;

/// Why no sandbox can be made: a sentence for clients.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct MachineUnavailable {
    pub reason: String,
    pub retryable: bool,
}

/// Opens the machine.
#[async_trait]
pub trait MachineOpener: Send + Sync + fmt::Debug {
    async fn open(&self) -> Result<Machine, MachineUnavailable>;
}

/// Opened once, by the first session that needs it; retried if that failed. Clones share it.
#[derive(Debug, Clone)]
pub struct LazyMachine {
    shared: Arc<SharedMachine>,
    lifetime: Option<Duration>,
    is_closed: bool,
}

#[derive(Debug)]
struct SharedMachine {
    machine: OnceCell<Machine>,
    opener: Box<dyn MachineOpener>,
}

impl LazyMachine {
    pub fn new(opener: impl MachineOpener + 'static) -> Self {
        Self {
            shared: Arc::new(SharedMachine {
                machine: OnceCell::new(),
                opener: Box::new(opener),
            }),
            lifetime: None,
            is_closed: false,
        }
    }

    /// Sets how long sandboxes live. Their sessions are moved to new ones before.
    #[must_use]
    pub fn with_lifetime(mut self, lifetime: Option<Duration>) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// Returns how long sandboxes live, if that is bounded.
    pub fn lifetime(&self) -> Option<Duration> {
        self.lifetime
    }

    /// Whether this process never runs agents.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// A machine that never opens: this process runs no agents.
    pub fn closed(reason: &str) -> Self {
        let closed = ClosedMachine(MachineUnavailable {
            reason: reason.to_owned(),
            retryable: false,
        });
        Self {
            is_closed: true,
            ..Self::new(closed)
        }
    }

    pub async fn machine(&self) -> Result<&Machine, MachineUnavailable> {
        let shared = &self.shared;
        let opened = shared.machine.get_or_try_init(|| shared.opener.open());
        opened.await
    }

    /// Returns the machine if it was opened already.
    pub fn opened(&self) -> Option<&Machine> {
        self.shared.machine.get()
    }
}

impl From<Machine> for LazyMachine {
    fn from(machine: Machine) -> Self {
        Self::new(OpenedMachine(machine))
    }
}

#[derive(Debug)]
struct OpenedMachine(Machine);

#[async_trait]
impl MachineOpener for OpenedMachine {
    async fn open(&self) -> Result<Machine, MachineUnavailable> {
        Ok(self.0.clone())
    }
}

#[derive(Debug)]
struct ClosedMachine(MachineUnavailable);

#[async_trait]
impl MachineOpener for ClosedMachine {
    async fn open(&self) -> Result<Machine, MachineUnavailable> {
        Err(self.0.clone())
    }
}
