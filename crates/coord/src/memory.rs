//! Coordination inside one process: the default for a single instance, and what simulations run on.
//! Several instances in one process share one of these. Owns no task and never waits.
//!
//! INVARIANT: every decision is made under one lock, so it is as atomic as a Redis script. Time is
//! the monotonic clock's: a jump of the wall clock neither ends nor prolongs a lease.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    clock::Clock,
    id::InstanceId,
    instance::Instance,
    lease::{LeaseKey, RateKey, Topic},
    limits::{INSTANCES_MAX, MEMORY_ENTRIES_MAX},
};

use crate::{
    coordination::{Acquisition, Coordination, Counted, Renewal, check_size, life},
    error::Error,
    expiring::Expiring,
    queue::Subscription,
    topics::Topics,
};

#[derive(Debug)]
pub struct MemoryCoordination {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    topics: Arc<Topics>,
}

#[derive(Debug)]
struct State {
    leases: Expiring<LeaseKey, InstanceId>,
    windows: Expiring<RateKey, u64>,
    instances: Expiring<InstanceId, Instance>,
}

impl MemoryCoordination {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            state: Mutex::new(State {
                leases: Expiring::new(MEMORY_ENTRIES_MAX),
                windows: Expiring::new(MEMORY_ENTRIES_MAX),
                instances: Expiring::new(INSTANCES_MAX),
            }),
            topics: Arc::new(Topics::default()),
        }
    }

    /// The state and the time of access.
    fn lock(&self) -> (MutexGuard<'_, State>, Duration) {
        // No code under this lock can panic half-way.
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Read under the lock, so that two callers see time in the order they see the state.
        let now = self.clock.monotonic();
        (state, now)
    }
}

#[async_trait]
impl Coordination for MemoryCoordination {
    async fn acquire(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Acquisition, Error> {
        let (mut state, now) = self.lock();
        let answer = match state.leases.get_mut(&key, now) {
            Some((held_by, _)) if *held_by != holder => {
                return Ok(Acquisition::HeldBy(*held_by));
            }
            Some(_) => Acquisition::Renewed,
            None => Acquisition::Acquired,
        };
        state
            .leases
            .insert(key, holder, now, life(ttl))
            .map_err(|full| Error::unavailable("lease_acquire", full))?;
        Ok(answer)
    }

    async fn renew(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Renewal, Error> {
        let (mut state, now) = self.lock();
        let now_held_by = state.leases.get_mut(&key, now).map(|(held_by, _)| *held_by);
        if now_held_by != Some(holder) {
            return Ok(Renewal::Lost { now_held_by });
        }
        state
            .leases
            .insert(key, holder, now, life(ttl))
            .map_err(|full| Error::unavailable("lease_renew", full))?;
        Ok(Renewal::Renewed)
    }

    async fn release(&self, key: LeaseKey, holder: InstanceId) -> Result<bool, Error> {
        let (mut state, now) = self.lock();
        let held_by = state.leases.get_mut(&key, now).map(|(held_by, _)| *held_by);
        Ok(held_by == Some(holder) && state.leases.remove(&key, now))
    }

    async fn owner(&self, key: LeaseKey) -> Result<Option<InstanceId>, Error> {
        let (mut state, now) = self.lock();
        Ok(state.leases.get_mut(&key, now).map(|(held_by, _)| *held_by))
    }

    async fn hit(&self, key: RateKey, window: Duration, limit: u64) -> Result<Counted, Error> {
        let (mut state, now) = self.lock();
        if let Some((count, left)) = state.windows.get_mut(&key, now) {
            *count += 1;
            return Ok(Counted::new(*count, limit, left));
        }
        state
            .windows
            .insert(key, 1, now, life(window))
            .map_err(|full| Error::unavailable("rate_hit", full))?;
        Ok(Counted::new(1, limit, life(window)))
    }

    async fn publish(&self, topic: Topic<'_>, payload: Bytes) -> Result<(), Error> {
        check_size(&payload)?;
        self.topics.dispatch(&topic.to_string(), &payload);
        Ok(())
    }

    async fn subscribe(&self, topic: Topic<'_>) -> Result<Subscription, Error> {
        let (subscription, _) = self
            .topics
            .join(topic.to_string())
            .map_err(|full| Error::unavailable("subscribe", full))?;
        Ok(subscription)
    }

    async fn announce(&self, instance: &Instance, ttl: Duration) -> Result<(), Error> {
        let (mut state, now) = self.lock();
        state
            .instances
            .insert(instance.id, instance.clone(), now, life(ttl))
            .map_err(|full| Error::unavailable("instance_announce", full))
    }

    async fn withdraw(&self, id: InstanceId) -> Result<bool, Error> {
        let (mut state, now) = self.lock();
        Ok(state.instances.remove(&id, now))
    }

    async fn instance(&self, id: InstanceId) -> Result<Option<Instance>, Error> {
        let (mut state, now) = self.lock();
        let found = state.instances.get_mut(&id, now);
        Ok(found.map(|(instance, _)| instance.clone()))
    }

    async fn instances(&self) -> Result<Vec<Instance>, Error> {
        let (state, now) = self.lock();
        let mut instances: Vec<_> = state.instances.live(now).cloned().collect();
        drop(state);
        instances.sort_by_key(|instance| instance.id);
        Ok(instances)
    }

    async fn ping(&self) -> Result<(), Error> {
        Ok(())
    }
}

impl Drop for MemoryCoordination {
    fn drop(&mut self) {
        self.topics.close();
    }
}
