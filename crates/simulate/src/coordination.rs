//! Coordination over a line that fails, and a service that can lose everything it knew, as a failover does that comes
//! before its copy was up to date.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use coord::{Acquisition, Coordination, Counted, Error, MemoryCoordination, Renewal, Subscription};
use domain::{
    clock::Clock,
    id::InstanceId,
    instance::Instance,
    lease::{LeaseKey, RateKey, Topic},
};

use crate::link::{Fate, Line, Link};

/// The service that all of them use.
#[derive(Debug)]
pub(crate) struct Service {
    clock: Arc<dyn Clock>,
    now: Mutex<Arc<MemoryCoordination>>,
}

impl Service {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        let now = Mutex::new(Arc::new(MemoryCoordination::new(Arc::clone(&clock))));
        Self { clock, now }
    }

    /// Another one takes over, which knows nothing.
    pub(crate) fn fail_over(&self) {
        let empty = Arc::new(MemoryCoordination::new(Arc::clone(&self.clock)));
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = empty;
    }

    fn now(&self) -> Arc<MemoryCoordination> {
        Arc::clone(&self.now.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What one process sees of it.
#[derive(Debug)]
pub(crate) struct Reached {
    pub(crate) service: Arc<Service>,
    pub(crate) link: Arc<Link>,
}

impl Reached {
    async fn ask<T>(
        &self,
        operation: &'static str,
        act: impl AsyncFnOnce(Arc<MemoryCoordination>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let fate = self.link.pass(Line::Coordination).await;
        let lost = || Error::Unavailable {
            operation,
            source: "the line is cut".into(),
        };
        if fate == Fate::QuestionLost {
            return Err(lost());
        }
        let answer = act(self.service.now()).await;
        if fate == Fate::AnswerLost {
            return Err(lost());
        }
        answer
    }
}

#[async_trait]
impl Coordination for Reached {
    async fn acquire(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Acquisition, Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.acquire(key, holder, ttl).await;
        self.ask("lease_acquire", act).await
    }

    async fn renew(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Renewal, Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.renew(key, holder, ttl).await;
        self.ask("lease_renew", act).await
    }

    async fn release(&self, key: LeaseKey, holder: InstanceId) -> Result<bool, Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.release(key, holder).await;
        self.ask("lease_release", act).await
    }

    async fn owner(&self, key: LeaseKey) -> Result<Option<InstanceId>, Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.owner(key).await;
        self.ask("lease_owner", act).await
    }

    async fn hit(&self, key: RateKey, window: Duration, limit: u64) -> Result<Counted, Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.hit(key, window, limit).await;
        self.ask("rate_hit", act).await
    }

    async fn publish(&self, topic: Topic<'_>, payload: Bytes) -> Result<(), Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.publish(topic, payload).await;
        self.ask("publish", act).await
    }

    async fn subscribe(&self, topic: Topic<'_>) -> Result<Subscription, Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.subscribe(topic).await;
        self.ask("subscribe", act).await
    }

    async fn announce(&self, instance: &Instance, ttl: Duration) -> Result<(), Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.announce(instance, ttl).await;
        self.ask("instance_announce", act).await
    }

    async fn withdraw(&self, id: InstanceId) -> Result<bool, Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.withdraw(id).await;
        self.ask("instance_withdraw", act).await
    }

    async fn instance(&self, id: InstanceId) -> Result<Option<Instance>, Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.instance(id).await;
        self.ask("instance", act).await
    }

    async fn instances(&self) -> Result<Vec<Instance>, Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.instances().await;
        self.ask("instances", act).await
    }

    async fn ping(&self) -> Result<(), Error> {
        let act = async |inner: Arc<MemoryCoordination>| inner.ping().await;
        self.ask("ping", act).await
    }
}
