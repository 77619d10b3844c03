//! What every use case works with, put together once per process.

use std::sync::Arc;

use coord::Coordination;
use domain::{
    clock::{Clock, Entropy, Timestamp},
    instance::Instance,
    policy::{FilePin, PolicyVersions},
};
use store::Db;
use uuid::Uuid;

use crate::{
    audit::EventIds,
    crypto::Keyring,
    identity::Tokens,
    policy::{FileBytes, PolicyFiles},
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
pub struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    parts: Parts,
    event_ids: EventIds,
    policy_versions: PolicyVersions,
}

impl App {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(Inner {
            event_ids: EventIds::new(parts.instance.id),
            parts,
            policy_versions: built_in_policy(),
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
        self.0.policy_versions.clone()
    }
}

/// The policy that is built in, by its bytes.
fn built_in_policy() -> PolicyVersions {
    let files = PolicyFiles::built_in();
    let pin = |file: &FileBytes| FilePin::of(&file.bytes, None);
    PolicyVersions {
        lanes: pin(&files.lanes),
        roles: pin(&files.roles),
        tools: pin(&files.tools),
    }
}

impl std::ops::Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0.parts
    }
}
