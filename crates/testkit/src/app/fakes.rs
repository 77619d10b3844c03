//! Stand-ins for external systems, with their failure modes.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use ::app::{
    admission::{Admission, AdmissionDenied, AdmissionKind, AdmissionRequest},
    sessions::{Environment, ProvisionError, Provisioner},
};
use async_trait::async_trait;
use domain::{id::SessionId, session::Session};
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
    released: Mutex<Vec<SessionId>>,
    rest: Semaphore,
}

/// Billing with a bad mood.
#[derive(Debug, Clone, Copy)]
pub enum FakeAdmission {
    Denies(&'static str),
    /// Lets sessions be created, and none start.
    DeniesStart(&'static str),
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
            released: Mutex::default(),
            rest: Semaphore::new(0),
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

    /// Lets the agent of one session that is to end come to rest.
    pub fn come_to_rest(&self) {
        self.rest.add_permits(1);
    }

    /// The sessions whose sandboxes were released, in order.
    pub fn released(&self) -> Vec<SessionId> {
        self.released
            .lock()
            .expect("no thread panics with this lock")
            .clone()
    }

    /// The variables of the last call.
    pub fn environment(&self) -> BTreeMap<String, String> {
        self.environment
            .lock()
            .expect("no thread panics with this lock")
            .clone()
    }
}

#[async_trait]
impl Provisioner for FakeProvisioner {
    async fn provision(&self, _: &Session, environment: Environment) -> Result<(), ProvisionError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let exposed = environment.variables.into_iter();
        *self
            .environment
            .lock()
            .expect("no thread panics with this lock") = exposed
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

    async fn settle(&self, _: &Session, at_most: Duration) {
        let rest = self.rest.acquire();
        if let Ok(permit) = tokio::time::timeout(at_most, rest).await {
            permit.expect("it is never closed").forget();
        }
    }

    async fn dismiss(&self, session: &Session) -> Result<(), ProvisionError> {
        let mut released = self
            .released
            .lock()
            .expect("no thread panics with this lock");
        released.push(session.id);
        Ok(())
    }
}

#[async_trait]
impl Admission for FakeAdmission {
    async fn admit(&self, request: &AdmissionRequest) -> Result<(), AdmissionDenied> {
        match self {
            Self::DeniesStart(_) if request.kind == AdmissionKind::SessionCreate => Ok(()),
            Self::Denies(reason) | Self::DeniesStart(reason) => Err(AdmissionDenied {
                reason: (*reason).to_owned(),
                retryable: false,
            }),
            Self::Panics => panic!("billing broke"),
        }
    }
}
