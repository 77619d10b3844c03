//! Stand-ins for what lies outside the product, with the ways they can go wrong.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use ::app::sessions::{Admission, Denied, Environment, ProvisionError, Provisioner};
use async_trait::async_trait;
use domain::{id::OrganizationId, session::Session};
use secrecy::ExposeSecret;
use tokio::sync::{Notify, Semaphore};

/// What a sandbox provider does when asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provision {
    Succeeds,
    FailsForNow,
    FailsForGood,
    /// Takes until the test says so.
    Waits,
    Panics,
}

/// A sandbox provider that makes nothing and remembers what it was asked for.
#[derive(Debug)]
pub struct FakeProvisioner {
    provision: Provision,
    calls: AtomicUsize,
    entered: Notify,
    gate: Semaphore,
    environment: Mutex<BTreeMap<String, String>>,
}

/// Billing with a bad mood.
#[derive(Debug, Clone, Copy)]
pub enum FakeAdmission {
    Denies(&'static str),
    Panics,
}

impl FakeProvisioner {
    pub(super) fn new(provision: Provision) -> Self {
        Self {
            provision,
            calls: AtomicUsize::new(0),
            entered: Notify::new(),
            gate: Semaphore::new(0),
            environment: Mutex::default(),
        }
    }

    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// Waits for a call to be under way.
    pub async fn entered(&self) {
        self.entered.notified().await;
    }

    /// Lets one waiting call go on.
    pub fn release(&self) {
        self.gate.add_permits(1);
    }

    /// The variables of the last call.
    pub fn environment(&self) -> BTreeMap<String, String> {
        self.environment.lock().expect("nobody panics here").clone()
    }
}

#[async_trait]
impl Provisioner for FakeProvisioner {
    async fn provision(&self, _: &Session, environment: Environment) -> Result<(), ProvisionError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let exposed = environment.variables.into_iter();
        *self.environment.lock().expect("nobody panics here") = exposed
            .map(|(key, value)| (key, value.expose_secret().to_owned()))
            .collect();
        self.entered.notify_one();
        let refused = |message: &str, retryable| ProvisionError {
            message: message.to_owned(),
            retryable,
        };
        match self.provision {
            Provision::Succeeds => Ok(()),
            Provision::FailsForNow => Err(refused("no capacity left", true)),
            Provision::FailsForGood => Err(refused("the image does not exist", false)),
            Provision::Waits => {
                let permit = self.gate.acquire().await.expect("it is never closed");
                permit.forget();
                Ok(())
            }
            Provision::Panics => panic!("the provider's client broke"),
        }
    }

    async fn dismiss(&self, _: &Session) {}
}

#[async_trait]
impl Admission for FakeAdmission {
    async fn admit(&self, _: &OrganizationId) -> Result<(), Denied> {
        match self {
            Self::Denies(reason) => Err(Denied {
                reason: (*reason).to_owned(),
            }),
            Self::Panics => panic!("billing broke"),
        }
    }
}
