//! Where agents can be brought up, found out when the first one is needed: trying what a machine allows starts
//! processes, and a container engine may come later than the gateway.

use std::{fmt, sync::Arc};

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
pub struct Workshop(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    machine: OnceCell<Machine>,
    opener: Box<dyn Opener>,
}

impl Workshop {
    pub fn new(opener: impl Opener + 'static) -> Self {
        Self(Arc::new(Inner {
            machine: OnceCell::new(),
            opener: Box::new(opener),
        }))
    }

    /// Where no agent is to run.
    pub fn closed(reason: &str) -> Self {
        Self::new(Never(Closed {
            reason: reason.to_owned(),
            retryable: false,
        }))
    }

    pub async fn machine(&self) -> Result<&Machine, Closed> {
        let opened = self.0.machine.get_or_try_init(|| self.0.opener.open());
        opened.await
    }

    /// The machine, if somebody needed it already.
    pub fn opened(&self) -> Option<&Machine> {
        self.0.machine.get()
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
