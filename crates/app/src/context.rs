//! What every use case works with, put together once per process.

use std::sync::Arc;

use coord::Coordination;
use domain::{
    clock::{Clock, Entropy, Timestamp},
    instance::Instance,
};
use store::Db;

use crate::{
    crypto::Keyring,
    identity::Tokens,
    sessions::{Admission, Provisioner},
};

/// The parts an [`App`] is made of.
#[derive(Debug, Clone)]
pub struct Parts {
    pub db: Db,
    pub coordination: Arc<dyn Coordination>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    pub keyring: Keyring,
    pub tokens: Tokens,
    pub admission: Arc<dyn Admission>,
    pub provisioner: Arc<dyn Provisioner>,
    /// This process, as the others see it.
    pub instance: Instance,
}

/// The running product: cheap to clone, shared by every request.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

impl App {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl std::ops::Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}
