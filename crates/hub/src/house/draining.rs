//! Letting all sessions go: because an operator asked for it, who may think better of it, or because the process ends.
//! There is one way. Where another instance can go on, it is asked to; otherwise each sandbox is saved and ended, and its
//! session is paused.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use app::{Error, fleet};
use domain::{
    clock::Timestamp,
    id::{InstanceId, SessionId},
    instance::{self, Drain, Instance},
    limits::{DRAIN_LOOK_EVERY, HOUSE_CLOSE_AT_ONCE, HOUSE_HAND_OVER_AT_ONCE},
};
use futures::{StreamExt as _, stream};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use wire::live::LiveStatus;

use super::{
    House,
    closing::tell_status,
    place::{Farewell, Place, Successor},
};

const STOPPING: &str = "the gateway stopped; the session goes on when it is opened again";

/// Whether sessions are opened here.
#[derive(Debug, Default)]
pub(super) struct Doors {
    state: Mutex<State>,
    handed_over: AtomicU32,
    put_away: AtomicU32,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Open,
    /// None is opened, and those that are here go. It can be undone.
    Draining {
        since: Timestamp,
        undone: CancellationToken,
    },
    /// The same for good.
    Closed { since: Timestamp },
}

/// Who can go on with sessions.
pub(super) enum Peers {
    Known {
        instances: Vec<Instance>,
        /// What each was asked to take since they said how full they are.
        given: Mutex<BTreeMap<InstanceId, u32>>,
    },
    /// There may be some: coordination does not answer.
    Unknown,
}

impl Doors {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to drain; `None` if that, or more, is under way.
    fn drain(&self, since: Timestamp) -> Option<CancellationToken> {
        let mut state = self.state();
        if !matches!(*state, State::Open) {
            return None;
        }
        let undone = CancellationToken::new();
        *state = State::Draining {
            since,
            undone: undone.clone(),
        };
        self.handed_over.store(0, Ordering::SeqCst);
        self.put_away.store(0, Ordering::SeqCst);
        Some(undone)
    }

    fn close(&self, now: Timestamp) {
        let mut state = self.state();
        *state = match std::mem::take(&mut *state) {
            State::Open => State::Closed { since: now },
            State::Closed { since } => State::Closed { since },
            // Whoever ends the process goes on with it.
            State::Draining { since, undone } => {
                undone.cancel();
                State::Closed { since }
            }
        };
    }
}

impl House {
    /// Takes no new sessions and lets go of all that are here, in the background, until that is undone. Again is no
    /// error.
    pub fn drain(&self) {
        let Some(undone) = self.0.doors.drain(self.0.app.now()) else {
            return;
        };
        tracing::info!("draining: sessions go to other instances");
        let house = self.clone();
        tokio::spawn(async move {
            tokio::select! {
                biased;
                // What has begun comes to its end: each session in a task of its own.
                () = undone.cancelled() => {}
                () = house.let_all_go() => {}
            }
        });
    }

    /// Takes sessions again. False if the process ends.
    pub fn undrain(&self) -> bool {
        let mut state = self.0.doors.state();
        match &*state {
            State::Closed { .. } => return false,
            State::Draining { undone, .. } => undone.cancel(),
            State::Open => {}
        }
        *state = State::Open;
        true
    }

    /// Lets all of them go; nothing is opened afterwards. Whoever does not wait for the end leaves sandboxes that go
    /// on, on record.
    pub async fn close(&self) {
        self.0.doors.close(self.0.app.now());
        self.let_all_go().await;
    }

    /// How far it is, if it takes no sessions.
    pub fn drain_progress(&self) -> Option<Drain> {
        let since = match &*self.0.doors.state() {
            State::Open => return None,
            State::Draining { since, .. } | State::Closed { since } => *since,
        };
        Some(Drain {
            since,
            handed_over: self.0.doors.handed_over.load(Ordering::SeqCst),
            put_away: self.0.doors.put_away.load(Ordering::SeqCst),
        })
    }

    /// Whether sessions are opened here.
    pub(super) fn is_open(&self) -> Result<(), Error> {
        match &*self.0.doors.state() {
            State::Open => Ok(()),
            State::Draining { .. } => Err(Error::Busy("this gateway is being drained; try again")),
            State::Closed { .. } => Err(Error::Busy("the gateway is stopping")),
        }
    }

    async fn let_all_go(&self) {
        // The others must not choose this one.
        self.say_load().await;
        loop {
            let places = self.places();
            if places.is_empty() {
                break;
            }
            let peers = self.peers().await;
            let at_once = if peers.are_some(self.0.app.instance.id) {
                tracing::info!(
                    sessions = places.len(),
                    "handing sessions over to other instances"
                );
                HOUSE_HAND_OVER_AT_ONCE
            } else {
                HOUSE_CLOSE_AT_ONCE
            };
            let (mut opened, opening): (Vec<_>, Vec<_>) = places
                .into_iter()
                .partition(|(_, place)| place.hub.initialized());
            // Those that somebody watches wait for it.
            opened.sort_by_key(|(id, _)| *id);
            let peers = &peers;
            stream::iter(opened)
                .for_each_concurrent(at_once, |(id, place)| async move {
                    self.let_go(id, &place, peers).await;
                })
                .await;
            if !opening.is_empty() {
                // Whoever opens one sees that it must not stay.
                sleep(DRAIN_LOOK_EVERY).await;
            }
        }
        self.say_load().await;
    }

    async fn let_go(&self, id: SessionId, place: &Arc<Place>, peers: &Peers) {
        let Some(handle) = place.hub.get() else {
            return;
        };
        let doors = &self.0.doors;
        let (how, count) = match peers {
            Peers::Unknown => (Farewell::Leave, &doors.handed_over),
            known @ Peers::Known { .. } => {
                if let Some(next) = known.successor(self.0.app.instance.id) {
                    let pulse = handle.pulse().await;
                    let wants_agent = pulse.is_ok_and(|pulse| pulse.wants_agent);
                    let next = Successor {
                        id: next,
                        wants_agent,
                    };
                    (Farewell::HandOver(next), &doors.handed_over)
                } else {
                    let runtime = self.sandboxes().get(&id).cloned();
                    if runtime.is_some_and(|runtime| runtime.handle().is_some()) {
                        self.end_turn(id, handle).await;
                        tell_status(handle, LiveStatus::Paused, STOPPING).await;
                    }
                    (Farewell::PutAway(STOPPING), &doors.put_away)
                }
            }
        };
        if place.leave(how) {
            count.fetch_add(1, Ordering::SeqCst);
        }
        handle.stop().await;
        place.gone().await;
    }

    pub(super) async fn peers(&self) -> Peers {
        match self.0.app.coordination.instances().await {
            Ok(instances) => Peers::Known {
                instances,
                given: Mutex::default(),
            },
            Err(error) => {
                tracing::warn!(%error, "sandboxes are left as they are: other instances may go on with them");
                Peers::Unknown
            }
        }
    }

    /// Tells the others at once how it is here.
    pub async fn say_load(&self) {
        if let Err(error) = fleet::announce(&self.0.app, self.load().await).await {
            tracing::warn!(%error, "the others do not know yet how it is here");
        }
    }
}

impl Peers {
    fn are_some(&self, own: InstanceId) -> bool {
        match self {
            Self::Known { instances, .. } => instance::successor(instances, own, |_| 0).is_some(),
            Self::Unknown => true,
        }
    }

    /// Who has room for one more.
    pub(super) fn successor(&self, own: InstanceId) -> Option<InstanceId> {
        let Self::Known { instances, given } = self else {
            return None;
        };
        let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |id| given.get(&id).copied().unwrap_or_default();
        let next = instance::successor(instances, own, of)?.id;
        *given.entry(next).or_default() += 1;
        Some(next)
    }

    /// Without one that does not answer.
    pub(super) fn without(self, id: InstanceId) -> Self {
        match self {
            Self::Known {
                mut instances,
                given,
            } => {
                instances.retain(|one| one.id != id);
                Self::Known { instances, given }
            }
            Self::Unknown => Self::Unknown,
        }
    }
}
