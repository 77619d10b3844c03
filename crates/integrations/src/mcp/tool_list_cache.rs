//! A cache of tool lists. Callers that ask while a list is being fetched wait for that fetch; it runs in a task of its own,
//! so that a caller that gives up does not cancel it for the others.
//!
//! INVARIANT: the key holds the organization and what decides which server answers and as whom. No caller
//! gets the list of another organization or of an earlier configuration.
//!
//! Not `moka`: entries expire on the project's clock, a failure sooner than a list; a fetch that is under way is never evicted,
//! and a caller is refused when all places are taken by such.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use domain::{
    clock::Clock,
    id::{ConnectorId, OrganizationId},
    limits::{
        CONNECTOR_FAILURE_TTL, CONNECTOR_LIST_TTL, CONNECTOR_LISTS_BYTES_MAX, CONNECTOR_LISTS_MAX,
    },
};
use futures::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};

use crate::{
    failure::{Failure, FailureKind},
    mcp::catalog::ToolList,
};

pub(crate) type Outcome = Result<Arc<ToolList>, Failure>;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ToolListKey {
    pub(crate) organization_id: OrganizationId,
    pub(crate) connector_id: ConnectorId,
    pub(crate) fingerprint: String,
}

/// The lists of this process.
#[derive(Debug)]
pub(crate) struct ToolListCache {
    clock: Arc<dyn Clock>,
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    by_key: HashMap<ToolListKey, Entry>,
    bytes: usize,
    fetches: u64,
}

#[derive(Debug)]
struct Entry {
    /// Which fetch it is; the end of an older one says nothing about it.
    fetch: u64,
    outcome: Shared<BoxFuture<'static, Outcome>>,
    used_at: Duration,
    /// `None` while it is under way.
    good_until: Option<Duration>,
    bytes: usize,
}

impl ToolListCache {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            clock,
            entries: Mutex::default(),
        })
    }

    /// The list that is kept or under way, or else the one that `fetch` gets.
    pub(crate) async fn get<F>(
        self: &Arc<Self>,
        key: ToolListKey,
        fetch: impl FnOnce() -> F,
    ) -> Outcome
    where
        F: Future<Output = Result<ToolList, Failure>> + Send + 'static,
    {
        let outcome = self.kept_or_begun(key, fetch)?;
        outcome.await
    }

    fn kept_or_begun<F>(
        self: &Arc<Self>,
        key: ToolListKey,
        fetch: impl FnOnce() -> F,
    ) -> Result<Shared<BoxFuture<'static, Outcome>>, Failure>
    where
        F: Future<Output = Result<ToolList, Failure>> + Send + 'static,
    {
        let now = self.clock.monotonic();
        let mut entries = self.lock();
        if let Some(entry) = entries.by_key.get_mut(&key)
            && entry.good_until.is_none_or(|until| now < until)
        {
            entry.used_at = now;
            return Ok(entry.outcome.clone());
        }
        entries.remove(&key);
        entries.make_room(CONNECTOR_LISTS_MAX - 1, CONNECTOR_LISTS_BYTES_MAX);
        if entries.by_key.len() >= CONNECTOR_LISTS_MAX {
            let message = "too many lists of tools are being fetched";
            return Err(Failure::later(FailureKind::TimedOut, message));
        }
        entries.fetches += 1;
        let number = entries.fetches;
        let lists = Arc::clone(self);
        let fetched = fetch();
        let end_key = key.clone();
        let task = tokio::spawn(async move {
            let outcome = fetched.await.map(Arc::new);
            lists.ended(&end_key, number, &outcome);
            outcome
        });
        let lists = Arc::clone(self);
        let lost_key = key.clone();
        let outcome = async move {
            task.await.unwrap_or_else(|error| {
                tracing::error!(%error, "a list of tools was not fetched to its end");
                let failure =
                    Failure::later(FailureKind::MalformedReply, "the list could not be fetched");
                let outcome = Err(failure);
                lists.ended(&lost_key, number, &outcome);
                outcome
            })
        };
        let outcome = outcome.boxed().shared();
        let entry = Entry {
            fetch: number,
            outcome: outcome.clone(),
            used_at: now,
            good_until: None,
            bytes: 0,
        };
        entries.by_key.insert(key, entry);
        Ok(outcome)
    }

    /// Forgets everything about a connector: it was changed or removed.
    pub(crate) fn forget(&self, organization_id: &OrganizationId, connector_id: ConnectorId) {
        let mut entries = self.lock();
        let is_it = |key: &ToolListKey| {
            key.connector_id == connector_id && key.organization_id == *organization_id
        };
        let keys: Vec<ToolListKey> = entries
            .by_key
            .keys()
            .filter(|key| is_it(key))
            .cloned()
            .collect();
        for key in keys {
            entries.remove(&key);
        }
    }

    fn ended(&self, key: &ToolListKey, fetch: u64, outcome: &Outcome) {
        let now = self.clock.monotonic();
        let (good_for, bytes) = match outcome {
            Ok(list) => (CONNECTOR_LIST_TTL, list.bytes),
            Err(_) => (CONNECTOR_FAILURE_TTL, 0),
        };
        let mut entries = self.lock();
        let Some(entry) = entries.by_key.get_mut(key) else {
            return;
        };
        if entry.fetch != fetch || entry.good_until.is_some() {
            return;
        }
        entry.good_until = Some(now + good_for);
        entry.bytes = bytes;
        entries.bytes += bytes;
        entries.make_room(CONNECTOR_LISTS_MAX, CONNECTOR_LISTS_BYTES_MAX);
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn remove(&mut self, key: &ToolListKey) {
        if let Some(entry) = self.by_key.remove(key) {
            self.bytes -= entry.bytes;
        }
    }

    /// Evicts what was not used for longest. A fetch that is running stays: a caller waits for it.
    fn make_room(&mut self, count_max: usize, bytes_max: usize) {
        while self.by_key.len() > count_max || self.bytes > bytes_max {
            let ended = self
                .by_key
                .iter()
                .filter(|(_, entry)| entry.good_until.is_some());
            let oldest = ended.min_by_key(|(_, entry)| entry.used_at);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else {
                return;
            };
            self.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests;
