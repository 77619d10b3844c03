//! Coordination through one Redis (or a compatible service; not a cluster, because the instance
//! index and its entries are in different slots). Owns the mapping of the contract to commands.
//!
//! INVARIANT: every decision is one command or one script, and every call ends within one timeout,
//! [`COORDINATION_TIMEOUT`] in the product: the client's own defaults wait longer than a lease lives.

mod connection;
mod listener;
mod record;
mod script;

use std::{sync::Arc, time::Duration};

use ::redis::cmd;
use async_trait::async_trait;
use bytes::Bytes;
use domain::{
    id::InstanceId,
    instance::Instance,
    lease::{LeaseKey, RateKey, Topic},
    limits::{COORDINATION_TIMEOUT, INSTANCES_MAX},
};
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use self::connection::{Connection, Repeat};
use crate::{
    coordination::{Acquisition, Coordination, Counted, Renewal, check_size},
    error::Error,
    queue::Subscription,
    topics::Topics,
};

#[derive(Debug)]
pub struct RedisCoordination {
    connection: Connection,
    topics: Arc<Topics>,
    _listener: AbortOnDropHandle<()>,
}

impl RedisCoordination {
    /// Connects on first use, so that an instance can start before Redis does and report that it is
    /// not ready. Must be called inside a Tokio runtime.
    pub fn new(url: &str) -> Result<Self, Error> {
        Self::with_timeout(url, COORDINATION_TIMEOUT)
    }

    /// The same with another longest wait for an answer: for tests on a busy machine that are not about that wait.
    pub fn with_timeout(url: &str, timeout: Duration) -> Result<Self, Error> {
        let connection = Connection::new(url, timeout)?;
        let topics = Arc::new(Topics::default());
        let listener = listener::run(connection.client(), Arc::clone(&topics), timeout);
        Ok(Self {
            connection,
            topics,
            _listener: AbortOnDropHandle::new(tokio::spawn(listener)),
        })
    }
}

#[async_trait]
impl Coordination for RedisCoordination {
    async fn acquire(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Acquisition, Error> {
        const OPERATION: &str = "lease_acquire";
        let command = script::acquire(key, holder, ttl);
        let (answer, held_by): (String, String) = self
            .connection
            .call(OPERATION, Repeat::Safe, &command)
            .await?;
        match answer.as_str() {
            "acquired" => Ok(Acquisition::Acquired),
            "renewed" => Ok(Acquisition::Renewed),
            _ => Ok(Acquisition::HeldBy(instance_id(OPERATION, &held_by)?)),
        }
    }

    async fn renew(
        &self,
        key: LeaseKey,
        holder: InstanceId,
        ttl: Duration,
    ) -> Result<Renewal, Error> {
        const OPERATION: &str = "lease_renew";
        let command = script::renew(key, holder, ttl);
        let (answer, held_by): (String, String) = self
            .connection
            .call(OPERATION, Repeat::Safe, &command)
            .await?;
        if answer == "renewed" {
            return Ok(Renewal::Renewed);
        }
        // A lost lease is lost, whatever the current value is: the holder must learn of it.
        let now_held_by = held_by.parse().ok();
        Ok(Renewal::Lost { now_held_by })
    }

    async fn release(&self, key: LeaseKey, holder: InstanceId) -> Result<bool, Error> {
        let command = script::release(key, holder);
        self.connection
            .call("lease_release", Repeat::Safe, &command)
            .await
    }

    async fn owner(&self, key: LeaseKey) -> Result<Option<InstanceId>, Error> {
        const OPERATION: &str = "lease_owner";
        let mut command = cmd("GET");
        command.arg(key.to_string());
        let held_by: Option<String> = self
            .connection
            .call(OPERATION, Repeat::Safe, &command)
            .await?;
        held_by
            .map(|text| instance_id(OPERATION, &text))
            .transpose()
    }

    async fn owners(&self, keys: &[LeaseKey]) -> Result<Vec<Option<InstanceId>>, Error> {
        const OPERATION: &str = "lease_owners";
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let mut command = cmd("MGET");
        command.arg(keys.iter().map(ToString::to_string).collect::<Vec<_>>());
        let held_by: Vec<Option<String>> = self
            .connection
            .call(OPERATION, Repeat::Safe, &command)
            .await?;
        held_by
            .into_iter()
            .map(|text| text.map(|text| instance_id(OPERATION, &text)).transpose())
            .collect()
    }

    async fn hit(&self, key: RateKey, window: Duration, limit: u64) -> Result<Counted, Error> {
        let command = script::hit(key, window);
        let (count, left_ms): (u64, u64) = self
            .connection
            .call("rate_hit", Repeat::OnlyIfNotSent, &command)
            .await?;
        let left = Duration::from_millis(left_ms.max(1));
        Ok(Counted::new(count, limit, left))
    }

    async fn publish(&self, topic: Topic<'_>, payload: Bytes) -> Result<(), Error> {
        check_size(&payload)?;
        let mut command = cmd("PUBLISH");
        command.arg(topic.to_string()).arg(payload.as_ref());
        let _receivers: u64 = self
            .connection
            .call("publish", Repeat::OnlyIfNotSent, &command)
            .await?;
        Ok(())
    }

    async fn subscribe(&self, topic: Topic<'_>) -> Result<Subscription, Error> {
        const OPERATION: &str = "subscribe";
        let (subscription, mut confirmed) = self
            .topics
            .join(topic.to_string())
            .map_err(|full| Error::unavailable(OPERATION, full))?;
        let heard = timeout(
            self.connection.timeout(),
            confirmed.wait_for(|heard| *heard),
        );
        match heard.await {
            Ok(Ok(_)) => Ok(subscription),
            _ => Err(Error::no_answer(OPERATION, self.connection.timeout())),
        }
    }

    async fn announce(&self, instance: &Instance, ttl: Duration) -> Result<(), Error> {
        const OPERATION: &str = "instance_announce";
        let record = record::encode(instance).map_err(|error| Error::refused(OPERATION, error))?;
        let command = script::announce(instance.id, &record, ttl);
        let _one: u64 = self
            .connection
            .call(OPERATION, Repeat::Safe, &command)
            .await?;
        Ok(())
    }

    async fn withdraw(&self, id: InstanceId) -> Result<bool, Error> {
        let command = script::withdraw(id);
        self.connection
            .call("instance_withdraw", Repeat::Safe, &command)
            .await
    }

    async fn instance(&self, id: InstanceId) -> Result<Option<Instance>, Error> {
        let mut command = cmd("GET");
        command.arg(script::instance_key(id));
        let record: Option<String> = self
            .connection
            .call("instance_fetch", Repeat::Safe, &command)
            .await?;
        Ok(record.and_then(|record| record::decode(&record)))
    }

    async fn instances(&self) -> Result<Vec<Instance>, Error> {
        const OPERATION: &str = "instance_list";
        let mut ids: Vec<String> = self
            .connection
            .call(OPERATION, Repeat::Safe, &script::list())
            .await?;
        if ids.len() > INSTANCES_MAX {
            tracing::warn!(
                INSTANCES_MAX,
                "more instances are announced than are listed"
            );
            ids.truncate(INSTANCES_MAX);
        }
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut command = cmd("MGET");
        command.arg(ids.iter().map(script::instance_key).collect::<Vec<_>>());
        // An entry can expire between the two commands; then it is not alive.
        let records: Vec<Option<String>> = self
            .connection
            .call(OPERATION, Repeat::Safe, &command)
            .await?;
        let mut instances: Vec<_> = ids
            .iter()
            .zip(records)
            .filter_map(|(id, record)| Some((id, record?)))
            .filter_map(|(id, record)| {
                let instance = record::decode(&record);
                if instance.is_none() {
                    tracing::warn!(%id, "an announced instance is not understood and not listed");
                }
                instance
            })
            .collect();
        instances.sort_by_key(|instance| instance.id);
        Ok(instances)
    }

    async fn ping(&self) -> Result<(), Error> {
        let _pong: String = self
            .connection
            .call("ping", Repeat::Safe, &cmd("PING"))
            .await?;
        Ok(())
    }
}

impl Drop for RedisCoordination {
    fn drop(&mut self) {
        self.topics.close();
    }
}

fn instance_id(operation: &'static str, text: &str) -> Result<InstanceId, Error> {
    text.parse()
        .map_err(|error: domain::id::InvalidId| Error::refused(operation, error))
}
