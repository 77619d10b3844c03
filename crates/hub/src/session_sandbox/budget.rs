//! Sessions that have spent the budget of their model: paused with that reason.

use app::models::{self, OverBudget};
use domain::session::SessionState;

use super::{failure::over_budget, sandbox::SessionSandbox};
use crate::session::BootError;

impl SessionSandbox {
    /// Returns why the session is to be paused, if it is over its budget or a limit of its organization. If that cannot be
    /// read it goes on: the gateway refuses its model calls all the same.
    pub(super) async fn read_over_budget(&self) -> Option<OverBudget> {
        let (app, id) = (&self.record().app, self.session_id());
        match models::over_budget(app, self.organization_id(), id).await {
            Ok(over) => over,
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

    /// Sees to it that a session which rests for a limit of its organization goes on when the day or month is over.
    pub(super) async fn resume_when_over(&self, over: &OverBudget) {
        let (app, id) = (&self.record().app, self.session_id());
        let planned = models::resume_when_over(app, self.organization_id(), id, over);
        if let Err(error) = planned.await {
            tracing::warn!(%error, session_id = %id, "a session that rests for a limit goes on only when it is used");
        }
    }

    /// Pauses a session that is on record as running, and returns the error of a boot that is not made.
    pub(super) async fn refuse_boot_for_budget(&self, over: OverBudget) -> BootError {
        let record = self.record();
        let why = over.to_string();
        self.resume_when_over(&over).await;
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
