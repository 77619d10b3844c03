//! Takes over the automation runs that no instance serves: their instance is gone, and no client asks for them. The first
//! instance that finds one takes it; the lease decides between two.

use app::fleet::{self, SessionOwner};
use domain::{
    automation_run::AutomationRunState,
    limits::{HUB_ADOPT_AFTER, HUB_ADOPT_BATCH_MAX},
    session::SessionStatus,
};
use store::OpenRun;

use super::worker::Fleet;
use crate::registry::SessionKey;

impl Fleet {
    /// Takes over runs without an owner, at most one batch. Returns how many.
    pub async fn adopt(&self) -> usize {
        if self.registry.admission().check().is_err() {
            return 0;
        }
        match self.adopt_open_runs().await {
            Ok(adopted) => {
                if adopted > 0 {
                    tracing::info!(adopted, "took over automation runs that had no owner");
                }
                adopted
            }
            Err(error) => {
                tracing::warn!(%error, "cannot list automation runs that have no owner");
                0
            }
        }
    }

    async fn adopt_open_runs(&self) -> app::Result<usize> {
        let app = self.registry.app();
        let now = app.now();
        let silent = {
            let mut conn = app.db.read().await?;
            let since = now.minus(HUB_ADOPT_AFTER);
            let limit = HUB_ADOPT_BATCH_MAX;
            store::automation_run_list_open(&mut conn, now, since, since, limit).await?
        };
        let mut adopted = 0;
        for open in silent.into_iter().filter(is_under_way) {
            let id = open.run.session_id;
            let key = SessionKey::from_row(&open.run.organization_id, id);
            if self.registry.is_live(id) || fleet::owner(app, id).await? != SessionOwner::NoOther {
                continue;
            }
            adopted += usize::from(self.adopt_session(&key).await);
        }
        Ok(adopted)
    }

    /// Takes over a session that has no owner, and its agent. Returns whether it did.
    pub(super) async fn adopt_session(&self, key: &SessionKey) -> bool {
        match self.registry.open_by_key(key).await {
            Ok(handle) => {
                self.sweeps.count(|swept| swept.adopted += 1);
                metrics::counter!("proliferate_sessions_adopted_total").increment(1);
                handle.wake().await.is_ok()
            }
            Err(error) => {
                tracing::debug!(%error, session_id = %key.id, "cannot take over a session now");
                false
            }
        }
    }
}

fn is_under_way(open: &OpenRun) -> bool {
    let has_session = matches!(
        open.session_status,
        SessionStatus::Pending | SessionStatus::Starting | SessionStatus::Running
    );
    has_session && matches!(open.run.state, AutomationRunState::Running { .. })
}
