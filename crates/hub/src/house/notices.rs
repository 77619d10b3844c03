//! Notices of actions on their way into a session's log.
//!
//! INVARIANT: each is in the log once. The owner of the session writes it alone; what was not heard, because nobody owned
//! the session or coordination lost it, is made up for from the records; and the hub knows what its log has.

use app::{
    App,
    notices::{self, Heard},
};
use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    limits::{HUB_NOTICES_READ_MAX, HUB_NOTICES_RETRY_DELAY},
};
use serde_json::Value;
use tokio::time::sleep;

use crate::session::Handle;

/// Listens for one session.
pub(super) struct Notices {
    pub(super) app: App,
    pub(super) organization_id: OrganizationId,
    pub(super) id: SessionId,
    pub(super) handle: Handle,
    /// What happened before was told, or is forgotten.
    pub(super) known_since: Option<Timestamp>,
}

impl Notices {
    /// Until the session is no longer served here.
    pub(super) async fn run(self) {
        let handle = self.handle.clone();
        let listening = async {
            loop {
                if let Err(error) = self.listen().await {
                    tracing::warn!(%error, session_id = %self.id, "notices of a session are not heard");
                }
                sleep(HUB_NOTICES_RETRY_DELAY).await;
            }
        };
        tokio::select! {
            biased;
            () = handle.gone() => {}
            () = listening => {}
        }
    }

    /// Until coordination ends.
    async fn listen(&self) -> app::Result<()> {
        let mut watch = notices::subscribe(&self.app, &self.organization_id, self.id).await?;
        // Listening already: nothing falls between.
        self.make_up().await?;
        while let Some(heard) = watch.next().await? {
            match heard {
                Heard::Notice(notice) => self.tell(notice).await,
                Heard::Missed(_) => self.make_up().await?,
            }
        }
        Ok(())
    }

    async fn make_up(&self) -> app::Result<()> {
        let (app, organization_id) = (&self.app, &self.organization_id);
        let limit = HUB_NOTICES_READ_MAX;
        let all = notices::so_far(app, organization_id, self.id, self.known_since, limit).await?;
        for notice in all {
            self.tell(notice).await;
        }
        Ok(())
    }

    async fn tell(&self, notice: Value) {
        match serde_json::from_value(notice) {
            // Once the hub has ended, its successor makes up for it.
            Ok(message) => _ = self.handle.tell(message).await,
            Err(error) => {
                tracing::error!(%error, session_id = %self.id, "a notice cannot be told");
            }
        }
    }
}
