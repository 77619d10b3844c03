//! The contract between instances. Both implementations pass the same suite
//! (`tests/it/conformance.rs`); whatever a caller may rely on is a case there.
//!
//! Does not own keys or their texts (`domain::lease`), nor keeping a lease alive (`lease.rs`).

use std::{fmt::Debug, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    id::InstanceId,
    instance::Instance,
    lease::{LeaseKey, RateKey, Topic},
    limits::{LIFE_MAX, PUBLISH_BYTES_MAX},
};

use crate::{error::Error, queue::Subscription};

/// What instances share. Every method answers or fails within about
/// [`COORDINATION_TIMEOUT`](domain::limits::COORDINATION_TIMEOUT), and may be dropped while waiting:
/// then it happened or it did not, but never by half.
#[async_trait]
pub trait Coordination: Debug + Send + Sync {
    /// Takes the lease if it is free. Asking for a lease that `holder` already has renews it: an
    /// answer lost on the way must not lock a process out of what it owns.
    async fn acquire(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Acquisition, Error>;

    /// Gives the lease a new life if `holder` still has it, in one step.
    async fn renew(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Renewal, Error>;

    /// Frees the lease if `holder` still has it, in one step. `false` if it does not.
    async fn release(&self, key: LeaseKey, holder: InstanceId) -> Result<bool, Error>;

    /// Who has the lease now. By the time the answer is read this may have changed.
    async fn owner(&self, key: LeaseKey) -> Result<Option<InstanceId>, Error>;

    /// The same of several, in their order.
    async fn owners(&self, keys: &[LeaseKey]) -> Result<Vec<Option<InstanceId>>, Error> {
        let mut owners = Vec::with_capacity(keys.len());
        for key in keys {
            owners.push(self.owner(*key).await?);
        }
        Ok(owners)
    }

    /// Counts one more in the current window, which begins with its first count and is not
    /// prolonged by later ones.
    async fn hit(&self, key: RateKey, window: Duration, limit: u64) -> Result<Counted, Error>;

    /// Sends to whoever is subscribed now. At most once: nothing is kept for later subscribers.
    async fn publish(&self, topic: Topic<'_>, payload: Bytes) -> Result<(), Error>;

    /// Receives what is published after this returns.
    async fn subscribe(&self, topic: Topic<'_>) -> Result<Subscription, Error>;

    /// Says that `instance` is alive for `ttl`; again before it ends, with a newer heartbeat.
    async fn announce(&self, instance: &Instance, ttl: Duration) -> Result<(), Error>;

    /// Takes an announcement back. `false` if there was none.
    async fn withdraw(&self, id: InstanceId) -> Result<bool, Error>;

    /// One of them, if it is alive.
    async fn instance(&self, id: InstanceId) -> Result<Option<Instance>, Error>;

    /// The instances alive now, oldest id first.
    async fn instances(&self) -> Result<Vec<Instance>, Error>;

    /// Whether the service answers: for readiness.
    async fn ping(&self) -> Result<(), Error>;
}

/// The answer to [`Coordination::acquire`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acquisition {
    /// It was free and is now the caller's.
    Acquired,
    /// It was the caller's already and has a new life.
    Renewed,
    HeldBy(InstanceId),
}

/// The answer to [`Coordination::renew`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    Renewed,
    /// It expired, and someone else may have taken it since.
    Lost {
        now_held_by: Option<InstanceId>,
    },
}

/// The answer to [`Coordination::hit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// Hits in this window, this one included, refused ones too.
    pub count: u64,
    pub allowed: bool,
    /// When refused: how long until the window ends.
    pub retry_after: Option<Duration>,
}

impl Counted {
    pub(crate) fn new(count: u64, limit: u64, window_left: Duration) -> Self {
        let allowed = count <= limit;
        Self {
            count,
            allowed,
            retry_after: (!allowed).then_some(window_left),
        }
    }
}

/// The life that is really given. Redis counts whole milliseconds and rejects none at all.
pub(crate) fn life(wanted: Duration) -> Duration {
    wanted.clamp(Duration::from_millis(1), LIFE_MAX)
}

pub(crate) fn check_size(payload: &Bytes) -> Result<(), Error> {
    if payload.len() > PUBLISH_BYTES_MAX {
        return Err(Error::TooLarge {
            bytes: payload.len(),
            bytes_max: PUBLISH_BYTES_MAX,
        });
    }
    Ok(())
}
