//! Writes the notices of a session's actions into its log.
//!
//! INVARIANT: each is in the log once. Only the owner of the session writes it. One that was missed, because no instance
//! owned the session or coordination lost it, is read from the records; and the hub knows what its log contains.

use app::{
    App,
    notices::{self, NoticeUpdate},
};
use domain::{
    clock::Timestamp,
    id::{OrganizationId, SessionId},
    limits::{HUB_NOTICES_READ_MAX, HUB_NOTICES_RETRY_DELAY},
};
use serde_json::Value;
use tokio::time::sleep;
use wire::live::ServerMessage;

use crate::session::Handle;

/// The notices of one session.
pub(super) struct ActionNotices {
    pub(super) app: App,
    pub(super) organization_id: OrganizationId,
    pub(super) id: SessionId,
    pub(super) handle: Handle,
    /// Notices of before were logged, or are no longer kept.
    pub(super) known_since: Option<Timestamp>,
}

impl ActionNotices {
    /// Runs until the session is no longer live here.
    pub(super) async fn run(self) {
        let handle = self.handle.clone();
        let receiving = async {
            loop {
                if let Err(error) = self.receive().await {
                    tracing::warn!(%error, session_id = %self.id, "cannot receive the notices of a session");
                }
                sleep(HUB_NOTICES_RETRY_DELAY).await;
            }
        };
        tokio::select! {
            biased;
            () = handle.wait_gone() => {}
            () = receiving => {}
        }
    }

    /// Receives notices until coordination ends.
    async fn receive(&self) -> app::Result<()> {
        let mut watch = notices::subscribe(&self.app, &self.organization_id, self.id).await?;
        // Subscribed already: nothing is missed in between.
        self.log_recorded().await?;
        while let Some(heard) = watch.next().await? {
            match heard {
                NoticeUpdate::Notice(notice) => self.log_notice(notice).await,
                NoticeUpdate::Missed(_) => self.log_recorded().await?,
            }
        }
        Ok(())
    }

    /// Logs all notices that the records have.
    async fn log_recorded(&self) -> app::Result<()> {
        let (app, organization_id) = (&self.app, &self.organization_id);
        let limit = HUB_NOTICES_READ_MAX;
        let all = notices::recent(app, organization_id, self.id, self.known_since, limit).await?;
        for notice in all {
            self.log_notice(notice).await;
        }
        Ok(())
    }

    async fn log_notice(&self, notice: Value) {
        match serde_json::from_value::<ServerMessage>(notice) {
            // Once the hub has ended, its successor reads it from the records.
            Ok(message) => _ = self.handle.publish(message).await,
            Err(error) => {
                tracing::error!(%error, session_id = %self.id, "a notice is not a live message");
            }
        }
    }
}
