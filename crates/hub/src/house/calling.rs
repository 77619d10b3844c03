//! Tools of agents that call back: held while their session is between two sandboxes, and done then, once as ever.
//!
//! INVARIANT: whether a session moves, its owner alone knows. An instance that does not serve a session does nothing for
//! its agent before it has heard that nobody else does.

use std::time::Duration;

use app::{
    Error, Result,
    access::SessionAccess,
    callbacks::{self, CallbackAnswer, CallbackRequest},
    fleet::{self, Owner},
};
use domain::{caller::Caller, id::SessionId};
use tokio::time::timeout;

use super::{House, session_key::SessionKey};

impl House {
    /// Does what an agent's module asks for, once for each id; says that it is under way if that takes longer.
    pub async fn call_back(
        &self,
        caller: &Caller,
        id: SessionId,
        asked: CallbackRequest,
        wait: Duration,
    ) -> Result<CallbackAnswer> {
        let app = &self.0.app;
        let access = SessionAccess::of_agent(app, caller, id).await?;
        let began = app.clock.monotonic();
        if !self
            .calls_admitted(&SessionKey::from(&access), wait)
            .await?
        {
            return Ok(CallbackAnswer::Underway);
        }
        let waited = app.clock.monotonic().saturating_sub(began);
        callbacks::call(app, caller, id, asked, wait.saturating_sub(waited)).await
    }

    /// Waits while calls of the session's agent are held; `false` if that takes longer.
    async fn calls_admitted(&self, key: &SessionKey, at_most: Duration) -> Result<bool> {
        let id = key.id;
        let place = self.place_of(key);
        if let Some(place) = place.filter(|_| self.has(id)) {
            return Ok(timeout(at_most, place.calls_released()).await.is_ok());
        }
        match fleet::owner(&self.0.app, id).await? {
            Owner::OursToTake => Ok(true),
            Owner::Other(instance) => Err(Error::Elsewhere {
                url: instance.advertised_url,
            }),
            Owner::Lost => Err(fleet::lost()),
        }
    }
}
