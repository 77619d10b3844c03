//! Tool calls of agents that call back: held while their session is between two sandboxes, then executed once.
//!
//! INVARIANT: only the owner knows whether a session is moving. An instance that does not own a session executes nothing
//! for its agent unless no other instance owns it.

use std::time::Duration;

use app::{
    Error, Result,
    access::SessionAccess,
    callbacks::{self, CallbackAnswer, CallbackRequest},
    fleet::{self, SessionOwner},
};
use domain::{caller::Caller, id::SessionId};
use tokio::time::timeout;

use super::{Registry, session_key::SessionKey};

impl Registry {
    /// Executes a tool call of an agent, once for each id. Answers that it is under way if it takes longer than `wait`.
    pub async fn execute_callback(
        &self,
        caller: &Caller,
        id: SessionId,
        call: CallbackRequest,
        wait: Duration,
    ) -> Result<CallbackAnswer> {
        let app = self.app();
        let access = SessionAccess::of_agent(app, caller, id).await?;
        let began = app.clock.monotonic();
        if !self.wait_calls_released(&(&access).into(), wait).await? {
            return Ok(CallbackAnswer::Underway);
        }
        let waited = app.clock.monotonic().saturating_sub(began);
        callbacks::call(app, caller, id, call, wait.saturating_sub(waited)).await
    }

    /// Waits while calls of the session's agent are held. Returns false if that takes longer than `at_most`.
    async fn wait_calls_released(&self, key: &SessionKey, at_most: Duration) -> Result<bool> {
        let id = key.id;
        let entry = self.entry(key);
        if let Some(entry) = entry.filter(|_| self.is_live(id)) {
            return Ok(timeout(at_most, entry.wait_calls_released()).await.is_ok());
        }
        match fleet::owner(self.app(), id).await? {
            SessionOwner::NoOther => Ok(true),
            SessionOwner::Other(instance) => Err(Error::Elsewhere {
                url: instance.advertised_url,
            }),
            SessionOwner::Lost => Err(fleet::owner_unavailable()),
        }
    }
}
