//! Where agents can be brought up, found out when the first one is needed: trying what a machine allows starts
//! processes, and a container engine may come later than the gateway.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use tokio::sync::OnceCell;

use super::boot::Machine;

/// Why no agent can be brought up: a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Closed {
    pub reason: String,
    pub retryable: bool,
}

/// Finds the machine.
#[async_trait]
pub trait Opener: Send + Sync + fmt::Debug {
    async fn open(&self) -> Result<Machine, Closed>;
}

/// Opened once, by whoever needs it first; tried again if that failed. Clones are the same.
#[derive(Debug, Clone)]
pub struct Workshop {
    shared: Arc<Inner>,
    lifetime: Option<Duration>,
    is_closed: bool,
}

#[derive(Debug)]
struct Inner {
    machine: OnceCell<Machine>,
    opener: Box<dyn Opener>,
}

impl Workshop {
    pub fn new(opener: impl Opener + 'static) -> Self {
        Self {
            shared: Arc::new(Inner {
                machine: OnceCell::new(),
                opener: Box::new(opener),
            }),
            lifetime: None,
            is_closed: false,
        }
    }

    /// Whose sandboxes live so long; their sessions are moved to fresh ones before.
    #[must_use]
    pub fn with_lifetime(mut self, lifetime: Option<Duration>) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// How long its sandboxes live, if not for ever.
    pub fn lifetime(&self) -> Option<Duration> {
        self.lifetime
    }

    /// Whether no agent will ever run here.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Where no agent is to run.
    pub fn closed(reason: &str) -> Self {
        let closed = Never(Closed {
            reason: reason.to_owned(),
            retryable: false,
        });
        Self {
            is_closed: true,
            ..Self::new(closed)
        }
    }

    pub async fn machine(&self) -> Result<&Machine, Closed> {
        let shared = &self.shared;
        let opened = shared.machine.get_or_try_init(|| shared.opener.open());
        opened.await
    }

    /// The machine, if somebody needed it already.
    pub fn opened(&self) -> Option<&Machine> {
        self.shared.machine.get()
    }
}

impl From<Machine> for Workshop {
    fn from(machine: Machine) -> Self {
        Self::new(Ready(machine))
    }
}

#[derive(Debug)]
struct Ready(Machine);

#[async_trait]
impl Opener for Ready {
    async fn open(&self) -> Result<Machine, Closed> {
        Ok(self.0.clone())
    }
}

#[derive(Debug)]
struct Never(Closed);

#[async_trait]
impl Opener for Never {
    async fn open(&self) -> Result<Machine, Closed> {
        Err(self.0.clone())
    }
}
