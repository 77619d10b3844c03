//! Runs of automations that nobody serves: their instance is gone, and no client comes to ask for them. Whoever notices
//! first takes them over; the lease decides between two.

use app::fleet::{self, Owner};
use domain::{
    automation_run::AutomationRunState,
    limits::{HOUSE_ADOPT_AFTER, HOUSE_ADOPT_BATCH_MAX},
    session::SessionStatus,
};
use store::OpenRun;

use super::{House, session_key::SessionKey};

impl House {
    /// Takes over what nobody serves, at most one batch; says how much.
    pub async fn adopt(&self) -> usize {
        if self.is_open().is_err() {
            return 0;
        }
        match self.try_adopt().await {
            Ok(adopted) => {
                if adopted > 0 {
                    tracing::info!(adopted, "took over runs of automations that nobody served");
                }
                adopted
            }
            Err(error) => {
                tracing::warn!(%error, "runs of automations that nobody serves cannot be found");
                0
            }
        }
    }

    async fn try_adopt(&self) -> app::Result<usize> {
        let app = &self.0.app;
        let now = app.now();
        let silent = {
            let mut conn = app.db.read().await?;
            let since = now.minus(HOUSE_ADOPT_AFTER);
            let limit = HOUSE_ADOPT_BATCH_MAX;
            conn.automation_run_list_open(now, since, since, limit)
                .await?
        };
        let mut adopted = 0;
        for open in silent.into_iter().filter(is_under_way) {
            let id = open.run.session_id;
            let key = SessionKey::of_row(&open.run.organization_id, id);
            if self.has(id) || fleet::owner(app, id).await? != Owner::OursToTake {
                continue;
            }
            adopted += usize::from(self.adopt_one(&key).await);
        }
        Ok(adopted)
    }
}

fn is_under_way(open: &OpenRun) -> bool {
    let has_session = matches!(
        open.session_status,
        SessionStatus::Pending | SessionStatus::Starting | SessionStatus::Running
    );
    has_session && matches!(open.run.state, AutomationRunState::Running { .. })
}
