//! The log in the database.

use async_trait::async_trait;
use domain::{
    id::{OrganizationId, SessionId},
    limits::LIVE_EVENTS_PAGE_MAX,
    session_event::SessionEvent,
};
use store::{Db, EventAppend};

use super::ports::{Journal, JournalError};

/// The log of a session, in the name of the owner with this epoch.
#[derive(Debug, Clone)]
pub struct StoreJournal {
    pub db: Db,
    pub organization_id: OrganizationId,
    pub session_id: SessionId,
    pub epoch: i64,
}

#[async_trait]
impl Journal for StoreJournal {
    async fn last(&self) -> Result<u64, JournalError> {
        let mut conn = self.db.read().await.map_err(unavailable)?;
        let last = store::session_event_last(&mut conn, &self.organization_id, self.session_id);
        last.await.map_err(unavailable)
    }

    async fn append(&self, events: &[SessionEvent]) -> Result<(), JournalError> {
        let mut tx = self.db.write().await.map_err(unavailable)?;
        let appended = store::session_event_append(
            &mut tx,
            &self.organization_id,
            self.session_id,
            self.epoch,
            events,
        );
        match appended.await.map_err(unavailable)? {
            EventAppend::Appended => tx.commit().await.map_err(unavailable),
            EventAppend::NotOwner => Err(JournalError::NotOwner),
            EventAppend::OutOfPlace => Err(JournalError::OutOfPlace),
        }
    }

    async fn after(&self, after: u64) -> Result<Vec<SessionEvent>, JournalError> {
        let mut conn = self.db.read().await.map_err(unavailable)?;
        let (organization, session) = (&self.organization_id, self.session_id);
        let page = store::session_event_list(
            &mut conn,
            organization,
            session,
            after,
            LIVE_EVENTS_PAGE_MAX,
        );
        page.await.map_err(unavailable)
    }

    async fn trim(&self, kept: u64) -> Result<(), JournalError> {
        let mut tx = self.db.write().await.map_err(unavailable)?;
        let trimmed =
            store::session_event_trim(&mut tx, &self.organization_id, self.session_id, kept);
        trimmed.await.map_err(unavailable)?;
        tx.commit().await.map_err(unavailable)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn unavailable(error: store::Error) -> JournalError {
    tracing::warn!(%error, "the log of a session cannot be reached");
    JournalError::Unavailable
}
