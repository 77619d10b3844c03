//! How many sessions are live here. When there is no room, the session that was quiet longest is saved and leaves.
//!
//! INVARIANT: a session stays that is watched, whose agent works or is booting, for which a prompt waits, or whose automation
//! run is not over. The hub of the session decides, with nothing between its check and its end.
//!
//! INVARIANT: no caller waits for a sandbox to be saved while it holds what callers of another organization need.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use app::Error;
use domain::{
    id::{OrganizationId, SessionId},
    limits::{HUB_FULL_RETRY_AFTER, HUB_IDLE_TTL, HUB_OPEN_TRIES, HUBS_MAX, HUBS_RESERVED_PART},
};

use super::{departure::Departure, entry::SessionEntry, session_key::SessionKey, state::Registry};

const IDLE: &str = "the session was not used; it goes on when it is opened again";

/// How many sessions are live at once, and after which time an unused one leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HubLimits {
    pub hubs_max: usize,
    pub idle_ttl: Duration,
}

impl Default for HubLimits {
    fn default() -> Self {
        Self {
            hubs_max: HUBS_MAX,
            idle_ttl: HUB_IDLE_TTL,
        }
    }
}

impl Registry {
    /// Returns the entry of a session; makes one if there is room or room can be made.
    pub(super) async fn reserve_entry(&self, key: &SessionKey) -> Result<Arc<SessionEntry>, Error> {
        let hubs_max = self.limits().hubs_max;
        let find = || {
            let mut entries = self.lock_entries();
            if entries.contains_key(&key.id) || room(&entries, key, hubs_max) == Room::Free {
                let entry = entries.entry(key.id);
                return Some(Arc::clone(
                    entry.or_insert_with(|| Arc::new(SessionEntry::new(key))),
                ));
            }
            None
        };
        if let Some(entry) = find() {
            return check_organization(entry, key);
        }
        let lock = self.eviction().lock_of(&key.organization_id);
        let _turn = lock.lock().await;
        for _ in 0..HUB_OPEN_TRIES {
            if let Some(entry) = find() {
                return check_organization(entry, key);
            }
            let room = room(&self.lock_entries(), key, hubs_max);
            if room == Room::Free {
                continue;
            }
            let Some(leaving) = self.evict_oldest(key, room).await else {
                tracing::error!(hubs_max, ?room, "no session can be opened: all are in use");
                return Err(full());
            };
            leaving.wait_gone().await;
        }
        check_organization(find().ok_or_else(full)?, key)
    }

    /// Makes the session leave that was quiet longest, of those that may make room for `key`. Returns its entry, whose room
    /// is free once it is gone, or `None` if all are in use.
    async fn evict_oldest(&self, key: &SessionKey, room: Room) -> Option<Arc<SessionEntry>> {
        // One organization after the other evicts sessions of others, so that each knows what those have left. Nothing here
        // waits for a sandbox.
        let _choosing = match room {
            Room::Full => Some(self.eviction().choosing.lock().await),
            Room::Free | Room::OwnShare => None,
        };
        let mut entries = self.entries();
        // One that is leaving makes room for another caller already.
        entries.retain(|(_, entry)| !entry.is_leaving());
        let reserved = reserved(self.limits().hubs_max);
        let mut held: HashMap<&OrganizationId, usize> = HashMap::new();
        for (_, entry) in &entries {
            *held.entry(entry.organization_id()).or_default() += 1;
        }
        let own = held.get(&key.organization_id).copied().unwrap_or_default();
        let has_many = |entry: &SessionEntry| held[entry.organization_id()] > own.min(reserved);
        let mut resting = Vec::new();
        for (id, entry) in &entries {
            let makes_room = entry.is_of(key) || (room == Room::Full && has_many(entry));
            let Some(handle) = entry.handle.get().filter(|_| makes_room) else {
                continue;
            };
            if let Ok(activity) = handle.read_activity().await
                && activity.is_resting
            {
                resting.push((activity.quiet, *id, entry));
            }
        }
        resting.sort_by_key(|(quiet, ..)| std::cmp::Reverse(*quiet));
        for (_, id, entry) in resting {
            if self.evict_if_quiet(id, entry, Duration::ZERO).await {
                return Some(Arc::clone(entry));
            }
        }
        None
    }

    /// Makes a session leave that was quiet for so long, without waiting until it is gone. Returns false if it was not
    /// quiet, or is in use. Of two concurrent callers only one makes it leave.
    pub(crate) async fn evict_if_quiet(
        &self,
        id: SessionId,
        entry: &Arc<SessionEntry>,
        quiet: Duration,
    ) -> bool {
        let Some(handle) = entry.handle.get().cloned() else {
            return false;
        };
        let activity = handle.read_activity().await;
        let is_quiet =
            activity.is_ok_and(|activity| activity.is_resting && activity.quiet >= quiet);
        if !is_quiet || entry.has_open_run(self.app(), id).await {
            return false;
        }
        if !entry.begin_departure(Departure::Evict(IDLE)) {
            return false;
        }
        // In a task of its own: a caller that is dropped in between would leave an entry that is leaving for ever.
        let entry = Arc::clone(entry);
        let retiring = tokio::spawn(async move {
            let stays = matches!(handle.stop_if_quiet(quiet, IDLE).await, Ok(false));
            if stays {
                entry.cancel_departure();
            }
            // A hub that ended by itself makes room too.
            !stays
        });
        retiring.await.unwrap_or(false)
    }
}

/// The locks under which room is made.
#[derive(Debug, Default)]
pub(super) struct EvictionLocks {
    /// Held while a session of another organization is chosen, and not while it leaves.
    choosing: tokio::sync::Mutex<()>,
    by_organization: Mutex<HashMap<OrganizationId, Arc<tokio::sync::Mutex<()>>>>,
}

impl EvictionLocks {
    /// Returns the lock of an organization: its callers make room one after the other, since each of them has a sandbox
    /// saved. Callers of other organizations do not wait for that.
    fn lock_of(&self, organization_id: &OrganizationId) -> Arc<tokio::sync::Mutex<()>> {
        let locks = self.by_organization.lock();
        let mut locks = locks.unwrap_or_else(PoisonError::into_inner);
        // As many remain as organizations of which a caller waits.
        locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        let lock = locks.entry(organization_id.clone()).or_default();
        Arc::clone(lock)
    }
}

/// Whether another session of an organization can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    Free,
    /// The organization has as many sessions as one may have: only its own make room.
    OwnShare,
    Full,
}

fn room(
    entries: &HashMap<SessionId, Arc<SessionEntry>>,
    key: &SessionKey,
    hubs_max: usize,
) -> Room {
    let share = hubs_max - reserved(hubs_max);
    if entries.len() < share {
        return Room::Free;
    }
    let own = entries.values().filter(|entry| entry.is_of(key)).count();
    if own >= share {
        Room::OwnShare
    } else if entries.len() >= hubs_max {
        Room::Full
    } else {
        Room::Free
    }
}

/// Returns how many sessions one organization leaves to others. An organization with fewer keeps all of its own.
fn reserved(hubs_max: usize) -> usize {
    hubs_max / HUBS_RESERVED_PART
}

fn check_organization(
    entry: Arc<SessionEntry>,
    key: &SessionKey,
) -> Result<Arc<SessionEntry>, Error> {
    if entry.is_of(key) {
        return Ok(entry);
    }
    tracing::error!(session_id = %key.id, "a live session was requested in the name of another organization");
    Err(Error::NotFound("session"))
}

fn full() -> Error {
    Error::Full {
        retry_after: HUB_FULL_RETRY_AFTER,
    }
}
