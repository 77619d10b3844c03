//! What every use case works with, put together once per process.

use std::{path::PathBuf, sync::Arc};

use blobs::Blobs;
use coord::Coordination;
use domain::{
    clock::{Clock, Entropy, Timestamp},
    instance::Instance,
    policy::PolicyVersions,
};
use store::Db;
use tools::Executors;
use uuid::Uuid;

use crate::{
    audit::EventIds,
    crypto::Keyring,
    identity::Tokens,
    mediation::{Group, Underway},
    policy::ActivePolicy,
    sessions::{Admission, Provisioner},
};

/// The parts an [`App`] is made of.
#[derive(Debug, Clone)]
pub struct Parts {
    pub db: Db,
    /// Where artifacts are.
    pub blobs: Blobs,
    pub coordination: Arc<dyn Coordination>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    pub keyring: Keyring,
    pub tokens: Tokens,
    pub admission: Arc<dyn Admission>,
    pub provisioner: Arc<dyn Provisioner>,
    /// What every call is decided by.
    pub policy: Arc<ActivePolicy>,
    /// What runs the calls that may be made.
    pub executors: Executors,
    /// Where calls under way have their files.
    pub scratch: PathBuf,
    /// Whether an operator has locked everything.
    pub safety_lock: bool,
    /// This process, as the others see it.
    pub instance: Instance,
}

/// The running product: cheap to clone, shared by every request.
#[derive(Debug, Clone)]
pub struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    parts: Parts,
    event_ids: EventIds,
    group: Group,
    underway: Underway,
}

impl App {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(Inner {
            event_ids: EventIds::new(parts.instance.id),
            group: Group::new(parts.db.dialect()),
            underway: Underway::default(),
            parts,
        }))
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The id of an audit event that is recorded now.
    pub(crate) fn event_id(&self) -> Uuid {
        self.0.event_ids.next(self.now())
    }

    /// The policy in force, as audit events name it.
    pub(crate) fn policy_versions(&self) -> PolicyVersions {
        self.policy.current().versions().clone()
    }

    /// Calls that wait to be written down.
    pub(crate) fn group(&self) -> &Group {
        &self.0.group
    }

    /// Calls this process is busy with.
    pub(crate) fn underway(&self) -> &Underway {
        &self.0.underway
    }
}

impl std::ops::Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0.parts
    }
}
