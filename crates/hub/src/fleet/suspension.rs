//! Pauses the live sessions of organizations that are suspended or being deleted: their sandboxes are saved and destroyed.
//!
//! Nothing boots in such an organization (`session_sandbox`), so a session that was paused here stays so.

use std::{collections::HashSet, sync::Arc};

use app::organizations;
use domain::{
    id::{OrganizationId, SessionId},
    limits::HUB_EVICT_AT_ONCE,
};
use futures::{StreamExt as _, stream};
use wire::live::LiveStatus;

use super::worker::Fleet;
use crate::registry::{Departure, SessionEntry};

const SUSPENDED: &str = "its organization is suspended or being deleted; the session is saved, and goes on when it is \
                         opened after that has ended";

impl Fleet {
    /// Pauses what is live here of organizations that are not active. Returns how many sessions.
    pub async fn pause_suspended(&self) -> usize {
        let entries = self.registry.entries();
        let open = entries.into_iter().filter(|(id, entry)| {
            let sandbox = self.registry.open_sandboxes().get(*id);
            let has_sandbox = sandbox.is_some_and(|sandbox| sandbox.handle().is_some());
            has_sandbox && entry.handle.initialized()
        });
        let open: Vec<_> = open.collect();
        if open.is_empty() {
            return 0;
        }
        let suspended = match organizations::list_inactive(self.registry.app()).await {
            Ok(suspended) => HashSet::<OrganizationId>::from_iter(suspended),
            Err(error) => {
                tracing::warn!(%error, "cannot look for suspended organizations");
                return 0;
            }
        };
        let concerned = open
            .into_iter()
            .filter(|(_, entry)| suspended.contains(entry.organization_id()));
        let paused = stream::iter(concerned)
            .map(|(id, entry)| async move { self.pause_session(id, &entry).await })
            .buffer_unordered(HUB_EVICT_AT_ONCE)
            .filter(|is_paused| std::future::ready(*is_paused))
            .count()
            .await;
        if paused > 0 {
            tracing::info!(paused, "paused sessions of suspended organizations");
        }
        paused
    }

    async fn pause_session(&self, id: SessionId, entry: &Arc<SessionEntry>) -> bool {
        let Some(handle) = entry.handle.get() else {
            return false;
        };
        self.sandboxes.finish_turn(id, handle).await;
        handle.publish_status(LiveStatus::Paused, SUSPENDED).await;
        let is_first = entry.begin_departure(Departure::SaveAndPause(SUSPENDED));
        handle.stop().await;
        entry.wait_gone().await;
        is_first
    }
}
