//! How many sessions are live here, and for how long: those that nobody watches and whose agents wait are put away after
//! a while, or when another session needs the room.
//!
//! INVARIANT: no session is put away that somebody watches, whose agent is at work or comes up, for which a prompt waits,
//! or that is a run of an automation which is not over. The hub itself decides, with nothing in between.

use std::{collections::HashMap, sync::Arc, time::Duration};

use app::Error;
use domain::{
    automation_run::AutomationRunState,
    id::{OrganizationId, SessionId},
    limits::{
        HOUSE_EVICT_AT_ONCE, HOUSE_FULL_RETRY_AFTER, HOUSE_LOOK_EVERY, HOUSE_OPEN_TRIES,
        HUB_IDLE_TTL, HUBS_MAX, HUBS_RESERVED_PART, MIGRATION_LOOK_EVERY, SWEEP_THOROUGH_EVERY,
    },
};
use futures::{StreamExt as _, stream};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{
    House,
    place::{Farewell, Place},
    session_key::SessionKey,
};

const IDLE: &str = "nobody used the session; it goes on when it is opened again";

/// How many sessions are live at once, and how long without anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    pub hubs_max: usize,
    pub idle_ttl: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            hubs_max: HUBS_MAX,
            idle_ttl: HUB_IDLE_TTL,
        }
    }
}

impl House {
    /// Looks after live sessions until `stop`: those that nobody uses are put away, those that nobody serves are taken,
    /// and those that others hand over.
    pub async fn keep(&self, stop: CancellationToken) {
        let every = HOUSE_LOOK_EVERY.min(self.bounds().idle_ttl / 2);
        let looks = async {
            for look in 0_u32.. {
                sleep(every).await;
                self.evict_idle().await;
                self.adopt().await;
                self.sweep(look.is_multiple_of(SWEEP_THOROUGH_EVERY)).await;
            }
        };
        let expiries = async {
            loop {
                sleep(MIGRATION_LOOK_EVERY).await;
                self.migrate_due().await;
            }
        };
        tokio::select! {
            biased;
            // What is being put away then comes to its end by itself.
            () = stop.cancelled() => {}
            () = looks => {}
            () = self.answer_calls() => {}
            () = expiries => {}
        }
    }

    /// Puts away what nobody has used for long enough; says how many.
    pub async fn evict_idle(&self) -> usize {
        let idle_ttl = self.bounds().idle_ttl;
        let evicted = stream::iter(self.places())
            .map(|(id, place)| async move { self.evict(id, &place, idle_ttl).await })
            .buffer_unordered(HOUSE_EVICT_AT_ONCE)
            .filter(|is_gone| std::future::ready(*is_gone))
            .count()
            .await;
        if evicted > 0 {
            tracing::info!(evicted, "put away sessions that nobody used");
        }
        evicted
    }

    pub(super) fn bounds(&self) -> Bounds {
        self.0.bounds.get().copied().unwrap_or_default()
    }

    pub(super) fn places(&self) -> Vec<(SessionId, Arc<Place>)> {
        let live = self.live();
        let places = live.iter().map(|(id, place)| (*id, Arc::clone(place)));
        let mut places: Vec<_> = places.collect();
        drop(live);
        // The same order whenever it is asked, oldest first.
        places.sort_unstable_by_key(|(id, _)| *id);
        places
    }

    /// The place of a session, made if there is room or room can be made.
    pub(super) async fn place(&self, key: &SessionKey) -> Result<Arc<Place>, Error> {
        let hubs_max = self.bounds().hubs_max;
        let found = || {
            let mut live = self.live();
            if live.contains_key(&key.id) || room(&live, key, hubs_max) == Room::Free {
                let place = live.entry(key.id);
                return Some(Arc::clone(
                    place.or_insert_with(|| Arc::new(Place::new(key))),
                ));
            }
            None
        };
        for _ in 0..HOUSE_OPEN_TRIES {
            if let Some(place) = found() {
                return of_its_own(place, key);
            }
            let _room = self.0.room.lock().await;
            let room = room(&self.live(), key, hubs_max);
            if room != Room::Free && !self.evict_oldest(key, room).await {
                tracing::error!(hubs_max, ?room, "no session can be opened: all are in use");
                return Err(full());
            }
        }
        of_its_own(found().ok_or_else(full)?, key)
    }

    /// Puts the session away that was not used for the longest time, of those that may make room for `key`. False if all
    /// of them are in use.
    async fn evict_oldest(&self, key: &SessionKey, room: Room) -> bool {
        let places = self.places();
        let reserved = reserved(self.bounds().hubs_max);
        let mut held: HashMap<&OrganizationId, usize> = HashMap::new();
        for (_, place) in &places {
            *held.entry(place.organization_id()).or_default() += 1;
        }
        let own = held.get(&key.organization_id).copied().unwrap_or_default();
        let has_many = |place: &Place| held[place.organization_id()] > own.min(reserved);
        let mut resting = Vec::new();
        for (id, place) in &places {
            let makes_room = place.is_of(key) || (room == Room::Full && has_many(place));
            let Some(handle) = place.hub.get().filter(|_| makes_room) else {
                continue;
            };
            if let Ok(pulse) = handle.pulse().await
                && pulse.is_resting
            {
                resting.push((pulse.quiet, *id, place));
            }
        }
        resting.sort_by_key(|(quiet, ..)| std::cmp::Reverse(*quiet));
        for (_, id, place) in resting {
            if self.evict(id, place, Duration::ZERO).await {
                return true;
            }
        }
        false
    }

    /// Puts a session away that was quiet for so long. False if it was not, or is in use.
    async fn evict(&self, id: SessionId, place: &Arc<Place>, quiet: Duration) -> bool {
        let Some(handle) = place.hub.get() else {
            return false;
        };
        let is_quiet = handle.pulse().await;
        let is_quiet = is_quiet.is_ok_and(|pulse| pulse.is_resting && pulse.quiet >= quiet);
        if !is_quiet || self.is_at_work(id, place).await {
            return false;
        }
        if !place.leave(Farewell::Retire(IDLE)) {
            return false;
        }
        if let Ok(false) = handle.retire(quiet, IDLE).await {
            place.stay();
            return false;
        }
        // One that ended by itself is as good as gone.
        place.gone().await;
        true
    }

    /// Whether it is the session of a run that is not over. Not knowing is no reason to put it away.
    pub(super) async fn is_at_work(&self, id: SessionId, place: &Place) -> bool {
        if !place.facts.get().is_some_and(|facts| facts.is_automation) {
            return false;
        }
        let run = async {
            let mut conn = self.0.app.db.read().await?;
            conn.automation_run_fetch_of_session(place.organization_id(), id)
                .await
        };
        match run.await {
            Ok(run) => {
                run.is_some_and(|run| matches!(run.state, AutomationRunState::Running { .. }))
            }
            Err(error) => {
                tracing::warn!(%error, session_id = %id, "whether a run is over cannot be read");
                true
            }
        }
    }
}

/// Whether another session of an organization can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    Free,
    /// The organization has as many as one may have: only its own sessions make room.
    OwnShare,
    Full,
}

fn room(live: &HashMap<SessionId, Arc<Place>>, key: &SessionKey, hubs_max: usize) -> Room {
    let share = hubs_max - reserved(hubs_max);
    if live.len() < share {
        return Room::Free;
    }
    let own = live.values().filter(|place| place.is_of(key)).count();
    if own >= share {
        Room::OwnShare
    } else if live.len() >= hubs_max {
        Room::Full
    } else {
        Room::Free
    }
}

/// The places that one organization leaves to others; as many as those may have is few.
fn reserved(hubs_max: usize) -> usize {
    hubs_max / HUBS_RESERVED_PART
}

fn of_its_own(place: Arc<Place>, key: &SessionKey) -> Result<Arc<Place>, Error> {
    if place.is_of(key) {
        return Ok(place);
    }
    tracing::error!(session_id = %key.id, "a live session was asked for in the name of another organization");
    Err(Error::NotFound("session"))
}

fn full() -> Error {
    Error::Full {
        retry_after: HOUSE_FULL_RETRY_AFTER,
    }
}
