//! How many sessions are live here, and for how long: those that nobody watches and whose agents wait are put away after
//! a while, or when another session needs the room.
//!
//! INVARIANT: no session is put away that somebody watches, whose agent is at work or comes up, for which a prompt waits,
//! or that is a run of an automation which is not over. The hub itself decides, with nothing in between.
//!
//! INVARIANT: no caller waits for a sandbox to be saved while it holds what callers of another organization need.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

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
        if let Some(place) = found() {
            return of_its_own(place, key);
        }
        let turn = self.0.room_turns.of(&key.organization_id);
        let _turn = turn.lock().await;
        for _ in 0..HOUSE_OPEN_TRIES {
            if let Some(place) = found() {
                return of_its_own(place, key);
            }
            let room = room(&self.live(), key, hubs_max);
            if room == Room::Free {
                continue;
            }
            let Some(leaving) = self.retire_oldest(key, room).await else {
                tracing::error!(hubs_max, ?room, "no session can be opened: all are in use");
                return Err(full());
            };
            leaving.gone().await;
        }
        of_its_own(found().ok_or_else(full)?, key)
    }

    /// Has the session leave that was not used for the longest time, of those that may make room for `key`, and gives its
    /// place, which is free when it is gone. `None` if all of them are in use.
    async fn retire_oldest(&self, key: &SessionKey, room: Room) -> Option<Arc<Place>> {
        // One organization after another takes from others, so that each knows what those have left. Nothing in here waits
        // for a sandbox.
        let _choosing = match room {
            Room::Full => Some(self.0.choosing.lock().await),
            Room::Free | Room::OwnShare => None,
        };
        let mut places = self.places();
        // What is leaving makes room for another caller already.
        places.retain(|(_, place)| !place.is_leaving());
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
            if self.retire(id, place, Duration::ZERO).await {
                return Some(Arc::clone(place));
            }
        }
        None
    }

    /// Puts a session away that was quiet for so long. False if it was not, or is in use.
    async fn evict(&self, id: SessionId, place: &Arc<Place>, quiet: Duration) -> bool {
        let is_leaving = self.retire(id, place, quiet).await;
        if is_leaving {
            place.gone().await;
        }
        is_leaving
    }

    /// Has a session leave that was quiet for so long, without waiting until it is gone. False if it was not quiet, or is
    /// in use. Of two callers at once only one has it leave.
    async fn retire(&self, id: SessionId, place: &Arc<Place>, quiet: Duration) -> bool {
        let Some(handle) = place.hub.get().cloned() else {
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
        // In a task of its own: a caller that ends in between would leave a place that is leaving for ever.
        let place = Arc::clone(place);
        let retiring = tokio::spawn(async move {
            let stays = matches!(handle.retire(quiet, IDLE).await, Ok(false));
            if stays {
                place.stay();
            }
            // One that has ended by itself is as good as gone.
            !stays
        });
        retiring.await.unwrap_or(false)
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

/// Whose turn it is to make room, for each organization: its callers make room one after another, since each of them has a
/// sandbox saved. Callers of other organizations do not wait for that.
#[derive(Debug, Default)]
pub(super) struct RoomTurns(Mutex<HashMap<OrganizationId, Arc<tokio::sync::Mutex<()>>>>);

impl RoomTurns {
    fn of(&self, organization_id: &OrganizationId) -> Arc<tokio::sync::Mutex<()>> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // There are as many as organizations of which a caller waits.
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        let turn = turns.entry(organization_id.clone()).or_default();
        Arc::clone(turn)
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
