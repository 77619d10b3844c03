//! Which instances can take a session.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use app::App;
use domain::{
    id::InstanceId,
    instance::{self, Instance},
};

/// The instances that coordination knew when it was read.
pub(crate) enum PeerDirectory {
    Known {
        instances: Vec<Instance>,
        /// How many sessions each was asked to take since it announced its load.
        assigned: Mutex<BTreeMap<InstanceId, u32>>,
    },
    /// Coordination does not answer: there may be some.
    Unknown,
}

impl PeerDirectory {
    pub(crate) async fn load(app: &App) -> Self {
        match app.coordination.instances().await {
            Ok(instances) => Self::Known {
                instances,
                assigned: Mutex::default(),
            },
            Err(error) => {
                tracing::warn!(%error, "cannot list the other instances; sandboxes keep running for them");
                Self::Unknown
            }
        }
    }

    /// Whether another instance may take sessions.
    pub(crate) fn has_candidates(&self, own: InstanceId) -> bool {
        match self {
            Self::Known { instances, .. } => instance::successor(instances, own, |_| 0).is_some(),
            Self::Unknown => true,
        }
    }

    /// Chooses an instance with room for one more session, and counts the session as assigned to it.
    pub(crate) fn assign_session(&self, own: InstanceId) -> Option<InstanceId> {
        let Self::Known {
            instances,
            assigned,
        } = self
        else {
            return None;
        };
        let mut assigned = assigned.lock().unwrap_or_else(PoisonError::into_inner);
        let count_of = |id| assigned.get(&id).copied().unwrap_or_default();
        let next = instance::successor(instances, own, count_of)?.id;
        *assigned.entry(next).or_default() += 1;
        Some(next)
    }

    /// Leaves out an instance that does not answer.
    pub(crate) fn without(self, id: InstanceId) -> Self {
        match self {
            Self::Known {
                mut instances,
                assigned,
            } => {
                instances.retain(|one| one.id != id);
                Self::Known {
                    instances,
                    assigned,
                }
            }
            Self::Unknown => Self::Unknown,
        }
    }
}
