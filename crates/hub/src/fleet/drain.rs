//! Releases all sessions: because an operator drains this instance, who may undo that, or because the process ends. A session
//! is handed to another instance if there is one; otherwise its sandbox is saved and destroyed, and it is paused.

use std::sync::Arc;

use app::fleet;
use domain::{
    id::SessionId,
    instance::Drain,
    limits::{DRAIN_LOOK_EVERY, HUB_CLOSE_AT_ONCE, HUB_HAND_OVER_AT_ONCE},
};
use futures::{StreamExt as _, stream};
use tokio::time::sleep;
use wire::live::LiveStatus;

use super::worker::Fleet;
use crate::{
    peers::{HandoffTarget, PeerDirectory},
    registry::{Departure, SessionEntry},
};

const STOPPING: &str = "the gateway stopped; the session goes on when it is opened again";

impl Fleet {
    /// Admits no sessions and releases all, in the background, until that is undone. A second call changes nothing.
    pub fn drain(&self) {
        let now = self.registry.app().now();
        let Some(undone) = self.registry.admission().begin_drain(now) else {
            return;
        };
        tracing::info!("draining: sessions go to other instances");
        let own = self.clone();
        tokio::spawn(async move {
            tokio::select! {
                biased;
                // Departures that have begun complete, each in a task of its own.
                () = undone.cancelled() => {}
                () = own.release_all_sessions() => {}
            }
        });
    }

    /// Admits sessions again. Returns false if the process ends.
    pub fn undrain(&self) -> bool {
        self.registry.admission().cancel_drain()
    }

    /// Releases all sessions; none is opened afterwards. If the caller does not wait for the end, sandboxes keep running
    /// that are on record.
    pub async fn close(&self) {
        let now = self.registry.app().now();
        self.registry.admission().close(now);
        self.release_all_sessions().await;
    }

    /// Returns how far the drain is, if no session is admitted.
    pub fn drain_progress(&self) -> Option<Drain> {
        self.registry.admission().drain_progress()
    }

    async fn release_all_sessions(&self) {
        let own = self.registry.app().instance.id;
        // Other instances must not choose this one.
        self.announce_load().await;
        loop {
            let entries = self.registry.entries();
            if entries.is_empty() {
                break;
            }
            let peers = PeerDirectory::load(self.registry.app()).await;
            let at_once = if peers.has_candidates(own) {
                tracing::info!(
                    sessions = entries.len(),
                    "handing sessions over to other instances"
                );
                HUB_HAND_OVER_AT_ONCE
            } else {
                HUB_CLOSE_AT_ONCE
            };
            let (mut open, opening): (Vec<_>, Vec<_>) = entries
                .into_iter()
                .partition(|(_, entry)| entry.handle.initialized());
            open.sort_by_key(|(id, _)| *id);
            let peers = &peers;
            stream::iter(open)
                .for_each_concurrent(at_once, |(id, entry)| async move {
                    self.release_session(id, &entry, peers).await;
                })
                .await;
            if !opening.is_empty() {
                // A caller that is opening one finds that it must not stay.
                sleep(DRAIN_LOOK_EVERY).await;
            }
        }
        self.announce_load().await;
    }

    async fn release_session(
        &self,
        id: SessionId,
        entry: &Arc<SessionEntry>,
        peers: &PeerDirectory,
    ) {
        let Some(handle) = entry.handle.get() else {
            return;
        };
        let admission = self.registry.admission();
        let (departure, is_paused) = match peers {
            PeerDirectory::Unknown => (Departure::LeaveRunning, false),
            known @ PeerDirectory::Known { .. } => {
                let own = self.registry.app().instance.id;
                if let Some(instance_id) = known.assign_session(own) {
                    let activity = handle.read_activity().await;
                    let wants_agent = activity.is_ok_and(|activity| activity.wants_agent);
                    let target = HandoffTarget {
                        instance_id,
                        wants_agent,
                    };
                    (Departure::HandOver(target), false)
                } else {
                    let sandbox = self.registry.open_sandboxes().get(id);
                    if sandbox.is_some_and(|sandbox| sandbox.handle().is_some()) {
                        self.sandboxes.finish_turn(id, handle).await;
                        handle.publish_status(LiveStatus::Paused, STOPPING).await;
                    }
                    (Departure::SaveAndPause(STOPPING), true)
                }
            }
        };
        if entry.begin_departure(departure) {
            if is_paused {
                admission.count_paused();
            } else {
                admission.count_handed_over();
            }
        }
        handle.stop().await;
        entry.wait_gone().await;
    }

    /// Tells the other instances the load of this one at once.
    pub async fn announce_load(&self) {
        if let Err(error) = fleet::announce(self.registry.app(), self.load().await).await {
            tracing::warn!(%error, "cannot announce the load of this instance");
        }
    }
}
