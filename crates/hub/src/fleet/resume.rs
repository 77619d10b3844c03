//! Resumes sessions that were paused for their budget, once it was raised.

use app::{
    Error,
    access::SessionAccess,
    fleet::{self, SessionOwner},
    models,
    sessions::GoOnOutcome,
};
use domain::{id::SessionId, session::Session};

use super::worker::Fleet;
use crate::registry::SessionKey;

impl Fleet {
    /// Resumes a session whose budget was changed, if it is live here, was paused for the budget and is within it now.
    pub async fn apply_budget_change(&self, access: &SessionAccess) -> Result<(), Error> {
        let key = SessionKey::from(access);
        let entry = self.registry.entry(&key);
        let Some(handle) = entry.and_then(|entry| entry.handle.get().cloned()) else {
            return Ok(());
        };
        let app = self.registry.app();
        let over = models::over_budget(app, &key.organization_id, key.id).await?;
        if over.is_none() {
            // A hub that has ended meanwhile finds out when the session is opened.
            let _ = handle.resume_if_paused().await;
        }
        Ok(())
    }

    /// Resumes a session that was paused for its budget: at its owner, or here if it has none.
    pub(crate) async fn resume_session(&self, session: &Session) -> Result<GoOnOutcome, Error> {
        let id = session.id;
        if self.resume_if_live(id).await {
            return Ok(GoOnOutcome::Here);
        }
        match fleet::owner(self.registry.app(), id).await? {
            SessionOwner::Other(instance) => {
                if !self.registry.peers().ask_to_resume(instance.id, id).await {
                    return Err(Error::OwnerUnavailable);
                }
                Ok(GoOnOutcome::Requested)
            }
            SessionOwner::Lost => Err(fleet::owner_unavailable()),
            SessionOwner::NoOther => {
                let handle = self.registry.open_by_key(&session.into()).await?;
                // A hub that has ended meanwhile is asked again.
                let resumed = handle.resume().await;
                resumed.map_err(|_| Error::SessionInTransition)?;
                Ok(GoOnOutcome::Here)
            }
        }
    }

    /// Resumes the session if it is live here. Returns whether it is.
    pub(super) async fn resume_if_live(&self, id: SessionId) -> bool {
        match self.registry.open_handle(id) {
            Some(handle) => handle.resume().await.is_ok(),
            None => false,
        }
    }
}
