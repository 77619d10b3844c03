//! In-process coordination with faults on demand: for outages that a real service causes too slowly
//! or cannot cause on demand.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use coord::{Acquisition, Coordination, Counted, Error, MemoryCoordination, Renewal, Subscription};
use domain::{
    id::InstanceId,
    instance::Instance,
    lease::{LeaseKey, RateKey, Topic},
};
use testkit::clock::FakeClock;

#[derive(Debug)]
pub(crate) struct Faulty {
    inner: MemoryCoordination,
    /// Calls of `renew` and `hit` that will fail.
    failures: AtomicU64,
    /// Calls of `renew` so far.
    renewals: AtomicU64,
    hanging: AtomicU64,
}

impl Faulty {
    pub(crate) fn new(clock: Arc<FakeClock>) -> Arc<Self> {
        Arc::new(Self {
            inner: MemoryCoordination::new(clock),
            failures: AtomicU64::new(0),
            renewals: AtomicU64::new(0),
            hanging: AtomicU64::new(0),
        })
    }

    pub(crate) fn fail(&self, calls: u64) {
        self.failures.store(calls, Ordering::SeqCst);
    }

    /// From now on `renew` never returns.
    pub(crate) fn hang(&self) {
        self.hanging.store(1, Ordering::SeqCst);
    }

    pub(crate) fn renewals(&self) -> u64 {
        self.renewals.load(Ordering::SeqCst)
    }

    fn check(&self, operation: &'static str) -> Result<(), Error> {
        let one_less = |failures: u64| failures.checked_sub(1);
        let failing = self
            .failures
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
        match failing {
            Ok(_) => Err(Error::Unavailable {
                operation,
                source: "told to fail".into(),
            }),
            Err(_) => Ok(()),
        }
    }
}

#[async_trait]
impl Coordination for Faulty {
    async fn acquire(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Acquisition, Error> {
        self.inner.acquire(key, holder, ttl).await
    }

    async fn renew(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Renewal, Error> {
        self.renewals.fetch_add(1, Ordering::SeqCst);
        if self.hanging.load(Ordering::SeqCst) > 0 {
            std::future::pending::<()>().await;
        }
        self.check("lease_renew")?;
        self.inner.renew(key, holder, ttl).await
    }

    async fn release(&self, key: LeaseKey, holder: InstanceId) -> Result<bool, Error> {
        self.inner.release(key, holder).await
    }

    async fn owner(&self, key: LeaseKey) -> Result<Option<InstanceId>, Error> {
        self.inner.owner(key).await
    }

    async fn hit(&self, key: RateKey, window: Duration, limit: u64) -> Result<Counted, Error> {
        self.check("rate_hit")?;
        self.inner.hit(key, window, limit).await
    }

    async fn publish(&self, topic: Topic<'_>, payload: Bytes) -> Result<(), Error> {
        self.inner.publish(topic, payload).await
    }

    async fn subscribe(&self, topic: Topic<'_>) -> Result<Subscription, Error> {
        self.inner.subscribe(topic).await
    }

    async fn announce(&self, instance: &Instance, ttl: Duration) -> Result<(), Error> {
        self.inner.announce(instance, ttl).await
    }

    async fn withdraw(&self, id: InstanceId) -> Result<bool, Error> {
        self.inner.withdraw(id).await
    }

    async fn instance(&self, id: InstanceId) -> Result<Option<Instance>, Error> {
        self.inner.instance(id).await
    }

    async fn instances(&self) -> Result<Vec<Instance>, Error> {
        self.inner.instances().await
    }

    async fn ping(&self) -> Result<(), Error> {
        self.inner.ping().await
    }
}
