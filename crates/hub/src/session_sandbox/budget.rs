//! Sessions that have spent the budget of their model, or whose organization is suspended: paused with that reason.

use app::{models, organizations};
use domain::session::SessionState;

use super::{failure::over_budget, sandbox::SessionSandbox};
use crate::session::BootError;

impl SessionSandbox {
    /// Returns why the session is to be paused, if it is over its budget or its organization is not active. If that cannot
    /// be read it goes on: the gateway refuses its model calls all the same.
    pub(super) async fn read_over_budget_reason(&self) -> Option<String> {
        let (app, id) = (&self.record().app, self.session_id());
        match organizations::suspension(app, self.organization_id()).await {
            Ok(None) => {}
            Ok(suspended) => return suspended,
            Err(error) => {
                tracing::warn!(%error, session_id = %id, "cannot read the state of a session's organization");
            }
        }
        match models::over_budget(app, self.organization_id(), id).await {
            Ok(over) => over.map(|over| over.to_string()),
            Err(error) => {
                tracing::warn!(%error, session_id = %id, "cannot read what a session has spent");
                None
            }
        }
    }

    /// Saves and ends the sandbox, to the end even if the caller does not wait. One that cannot be saved stays as it is.
    pub(super) async fn save_and_pause_for_budget(&self) {
        let sandbox = self.clone();
        let save_and_pause = tokio::spawn(async move {
            // Checked under the turn: a boot after the budget was raised keeps its sandbox.
            sandbox.save_and_pause_if_over_budget().await
        });
        let id = self.session_id();
        match save_and_pause.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(%error, session_id = %id, "a session was not paused, and its sandbox goes on");
            }
            Err(error) => {
                tracing::error!(%error, session_id = %id, "the task that pauses a session panicked");
            }
        }
    }

    /// Pauses a session that is on record as running, and returns the error of a boot that is not made.
    pub(super) async fn refuse_boot_for_budget(&self, why: String) -> BootError {
        let record = self.record();
        let paused = async {
            let (session, _) = record.load().await?;
            if matches!(session.state, SessionState::Running { .. }) {
                record
                    .set_state(&session, |state, now| state.pause(now, &why))
                    .await?;
            }
            Ok::<_, BootError>(())
        };
        if let Err(error) = paused.await {
            tracing::warn!(%error, session_id = %self.session_id(), "cannot record that a session is paused");
        }
        over_budget(why)
    }
}
