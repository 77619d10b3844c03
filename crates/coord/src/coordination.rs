//! The contract between instances. Both implementations pass the same suite
//! (`tests/it/conformance.rs`); every guarantee for callers is a case there.
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

/// What instances share. Every method returns or fails within about
/// [`COORDINATION_TIMEOUT`](domain::limits::COORDINATION_TIMEOUT), and may be dropped while waiting:
/// then it happened completely or not at all.
#[async_trait]
pub trait Coordination: Debug + Send + Sync {
    /// Takes the lease if it is free. Asking for a lease that `holder` already has renews it: a
    /// lost response must not lock a process out of its own lease.
    async fn acquire(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Acquisition, Error>;

    /// Extends the lease if `holder` still has it, in one step.
    async fn renew(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Renewal, Error>;

    /// Frees the lease if `holder` still has it, in one step. `false` if it does not.
    async fn release(&self, key: LeaseKey, holder: InstanceId) -> Result<bool, Error>;

    /// The current holder of the lease. It may have changed by the time the response is read.
    async fn owner(&self, key: LeaseKey) -> Result<Option<InstanceId>, Error>;

    /// The same for several, in order.
    async fn owners(&self, keys: &[LeaseKey]) -> Result<Vec<Option<InstanceId>>, Error> {
        let mut owners = Vec::with_capacity(keys.len());
        for key in keys {
            owners.push(self.owner(*key).await?);
        }
        Ok(owners)
    }

    /// Counts one more in the current window, which starts with its first count and is not
    /// prolonged by later ones.
    async fn hit(&self, key: RateKey, window: Duration, limit: u64) -> Result<Counted, Error>;

    /// Sends to all current subscribers. At most once: nothing is kept for later subscribers.
    async fn publish(&self, topic: Topic<'_>, payload: Bytes) -> Result<(), Error>;

    /// Receives messages published after this returns.
    async fn subscribe(&self, topic: Topic<'_>) -> Result<Subscription, Error>;

    /// Announces `instance` as alive for `ttl`; to be repeated before it ends, with a newer
    /// heartbeat.
    async fn announce(&self, instance: &Instance, ttl: Duration) -> Result<(), Error>;

    /// Withdraws an announcement. `false` if there was none.
    async fn withdraw(&self, id: InstanceId) -> Result<bool, Error>;

    /// One of them, if it is alive.
    async fn instance(&self, id: InstanceId) -> Result<Option<Instance>, Error>;

    /// The instances alive now, oldest id first.
    async fn instances(&self) -> Result<Vec<Instance>, Error>;

    /// Whether the service responds: for readiness.
    async fn ping(&self) -> Result<(), Error>;
}

/// The result of [`Coordination::acquire`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acquisition {
    /// It was free and is now the caller's.
    Acquired,
    /// It was the caller's already and was extended.
    Renewed,
    HeldBy(InstanceId),
}

/// The result of [`Coordination::renew`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    Renewed,
    /// It expired, and another holder may have acquired it since.
    Lost {
        now_held_by: Option<InstanceId>,
    },
}

/// The result of [`Coordination::hit`].
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

/// The effective life. Redis counts whole milliseconds and rejects zero.
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
