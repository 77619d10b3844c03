//! The policy in force, and those that runs under way were started under.
//!
//! INVARIANT: there is always one in force, and only a policy that loaded without a mistake and is kept in the
//! database replaces it: an auditor can later look at the policy behind each decision.

use std::{
    collections::VecDeque,
    sync::{Arc, PoisonError, RwLock},
};

use domain::{clock::Timestamp, limits::POLICIES_KEPT_MAX, policy::PolicyId};
use store::{Conn, Db};

use super::{
    load::Policy,
    problem::Problems,
    source::{LoadedPolicy, PolicySource},
    stored,
};
use crate::error::Error;

/// Why a policy did not come into force.
#[derive(Debug, thiserror::Error)]
pub enum NotInForce {
    #[error("the policy was refused: {0}")]
    Refused(#[from] Problems),
    #[error("the policy could not be kept: {0}")]
    NotKept(#[from] store::Error),
}

/// Hands out the policy. Readers hold no lock while they decide: they get a share of it.
#[derive(Debug)]
pub struct ActivePolicy {
    source: PolicySource,
    state: RwLock<State>,
    /// One reload at a time, so that an older reading cannot replace a newer one.
    reloading: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct State {
    current: Arc<Policy>,
    /// Earlier ones, newest first.
    earlier: VecDeque<Arc<Policy>>,
}

impl ActivePolicy {
    /// Loads the first policy. Without a valid one there is nothing to decide by, and nothing starts.
    pub async fn start(source: PolicySource, db: &Db, now: Timestamp) -> Result<Self, NotInForce> {
        let loaded = source.load().await?;
        warn(&loaded);
        stored::keep(db, &loaded.policy, now).await?;
        let state = State {
            current: Arc::new(loaded.policy),
            earlier: VecDeque::new(),
        };
        Ok(Self {
            source,
            state: RwLock::new(state),
            reloading: tokio::sync::Mutex::new(()),
        })
    }

    pub fn source(&self) -> &PolicySource {
        &self.source
    }

    /// The policy in force now; what a new run is pinned to.
    pub fn current(&self) -> Arc<Policy> {
        self.read(|state| Arc::clone(&state.current))
    }

    /// The policy a run is pinned to. `None` if it is unknown here, or no longer kept.
    pub fn pinned(&self, id: &PolicyId) -> Option<Arc<Policy>> {
        self.read(|state| {
            std::iter::once(&state.current)
                .chain(&state.earlier)
                .find(|policy| policy.id() == id)
                .cloned()
        })
    }

    /// The policy a run is pinned to, from memory or from the database. `None` for pins that lead nowhere.
    pub(crate) async fn find_pinned(
        &self,
        conn: &mut Conn,
        id: &PolicyId,
    ) -> Result<Option<Arc<Policy>>, Error> {
        if let Some(policy) = self.pinned(id) {
            return Ok(Some(policy));
        }
        let loaded = stored::load(conn, id).await?;
        Ok(loaded.map(|policy| self.remember(policy)))
    }

    /// Reads the source again. Returns whether the policy changed; after a mistake the one in force
    /// stays.
    pub async fn reload(&self, db: &Db, now: Timestamp) -> Result<bool, NotInForce> {
        let _one_at_a_time = self.reloading.lock().await;
        let loaded = self.source.load().await?;
        warn(&loaded);
        if loaded.policy.id() != self.current().id() {
            stored::keep(db, &loaded.policy, now).await?;
        }
        let changed = self.replace(loaded.policy);
        if changed {
            tracing::info!("the policy changed");
        }
        Ok(changed)
    }

    /// Keeps a policy for runs that were started under it elsewhere or before a restart. It never comes
    /// into force by this.
    pub fn remember(&self, policy: Policy) -> Arc<Policy> {
        let policy = Arc::new(policy);
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.keep(Arc::clone(&policy));
        policy
    }

    fn replace(&self, policy: Policy) -> bool {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let changed = !state.current.versions().same_policy(policy.versions());
        let old = std::mem::replace(&mut state.current, Arc::new(policy));
        // Under the same bytes only the commit can have become known.
        if changed {
            state.keep(old);
        }
        changed
    }

    fn read<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    /// Each policy once, the one in force not among the earlier ones, and no more than the bound. Not `moka`: the order in
    /// which policies came into force decides which of them stay.
    fn keep(&mut self, policy: Arc<Policy>) {
        self.earlier.push_front(policy);
        let mut seen = vec![self.current.versions().clone()];
        self.earlier.retain(|earlier| {
            let versions = earlier.versions();
            let new = !seen.iter().any(|other| other.same_policy(versions));
            seen.push(versions.clone());
            new
        });
        self.earlier.truncate(POLICIES_KEPT_MAX);
    }
}

fn warn(loaded: &LoadedPolicy) {
    for warning in &loaded.warnings {
        tracing::warn!(%warning, "policy");
    }
}
