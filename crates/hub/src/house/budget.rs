//! Sessions that have spent what they may on their model: paused with that reason, and let go on when they may again.

use app::{
    Error,
    access::SessionAccess,
    fleet::{self, Owner},
    models,
    sessions::GoesOn,
};
use domain::{
    id::SessionId,
    session::{Session, SessionState},
};

use super::{House, failure, runtime::SessionRuntime, session_key::SessionKey};
use crate::session::BootError;

impl House {
    /// The session's budget was changed. If it is live here and was paused for it, it goes on if it may.
    pub async fn budget_changed(&self, access: &SessionAccess) -> Result<(), Error> {
        let key = SessionKey::from(access);
        let place = self.place_of(&key);
        let Some(handle) = place.and_then(|place| place.hub.get().cloned()) else {
            return Ok(());
        };
        let over = models::over_budget(&self.0.app, &key.organization_id, key.id).await?;
        if over.is_none() {
            // One that has ended meanwhile finds out when it is opened.
            let _ = handle.go_on().await;
        }
        Ok(())
    }
}

impl House {
    /// Lets a session go on that rested for its budget: where it is served, or here if it is served nowhere.
    pub(super) async fn go_on(&self, session: &Session) -> Result<GoesOn, Error> {
        let id = session.id;
        if self.go_on_here(id).await {
            return Ok(GoesOn::Here);
        }
        match fleet::owner(&self.0.app, id).await? {
            Owner::Other(instance) => {
                if !self.ask_to_go_on(instance.id, id).await {
                    return Err(Error::Busy(
                        "the instance that serves the session cannot be told",
                    ));
                }
                Ok(GoesOn::Asked)
            }
            Owner::Lost => Err(fleet::lost()),
            Owner::OursToTake => {
                let handle = self.hub(&session.into()).await?;
                // One that has ended meanwhile is tried again.
                let told = handle.go_on_from_rest().await;
                told.map_err(|_| Error::Busy("the session is being put away; try again"))?;
                Ok(GoesOn::Here)
            }
        }
    }

    /// The same if it is live here; says whether.
    pub(super) async fn go_on_here(&self, id: SessionId) -> bool {
        match self.live_handle(id) {
            Some(handle) => handle.go_on_from_rest().await.is_ok(),
            None => false,
        }
    }
}

impl SessionRuntime {
    /// Why the session is to be paused, if it is. Not knowing is no reason: its model refuses it all the same.
    pub(super) async fn is_over_budget(&self) -> Option<String> {
        let (app, id) = (&self.0.app, self.0.session_id);
        match models::over_budget(app, &self.0.organization_id, id).await {
            Ok(over) => over.map(|over| over.to_string()),
            Err(error) => {
                tracing::warn!(%error, session_id = %id, "what a session has spent cannot be read");
                None
            }
        }
    }

    /// Puts the sandbox away, to its end whoever waits for it. One that cannot be saved is left as it is.
    pub(super) async fn rest_for_budget(&self) {
        let runtime = self.clone();
        let rest = tokio::spawn(async move {
            // Looked at in turn: whoever boots it after the budget was raised finds it as it is.
            runtime.put_away_if_over_budget().await
        });
        let id = self.0.session_id;
        match rest.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(%error, session_id = %id, "a sandbox was not put away and goes on");
            }
            Err(error) => {
                tracing::error!(%error, session_id = %id, "putting a sandbox away broke");
            }
        }
    }

    /// No sandbox is made for a session that may not use it. One that seemed to run is said to be paused.
    pub(super) async fn withhold(&self, why: String) -> BootError {
        let paused = async {
            let (session, _) = self.load().await?;
            if matches!(session.state, SessionState::Running { .. }) {
                self.set_state(&session, |state, now| state.pause(now, &why))
                    .await?;
            }
            Ok::<_, BootError>(())
        };
        if let Err(error) = paused.await {
            tracing::warn!(%error, session_id = %self.0.session_id, "that a session is paused is not on record");
        }
        failure::withheld(why)
    }
}
