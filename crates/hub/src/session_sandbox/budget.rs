//! Sessions that have spent the budget of their model, or whose organization is suspended: paused with that reason.

use std::fmt;

use app::{
    models::{self, OverBudget},
    organizations,
};
use domain::session::SessionState;

use super::{failure::over_budget, sandbox::SessionSandbox};
use crate::session::BootError;

/// Why a session is not to run now.
#[derive(Debug)]
pub(super) enum RestReason {
    /// Its organization is not active, in the words for people.
    Suspended(String),
    OverBudget(OverBudget),
}

impl fmt::Display for RestReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suspended(state) => f.write_str(state),
            Self::OverBudget(over) => over.fmt(f),
        }
    }
}

impl SessionSandbox {
    /// Returns why the session is to be paused, if it is over its budget or a limit of its organization, or its organization
    /// is not active. If that cannot be read it goes on: the gateway refuses its model calls all the same.
    pub(super) async fn read_rest_reason(&self) -> Option<RestReason> {
        let (app, id) = (&self.record().app, self.session_id());
        match organizations::suspension(app, self.organization_id()).await {
            Ok(None) => {}
            Ok(Some(state)) => return Some(RestReason::Suspended(state)),
            Err(error) => {
                tracing::warn!(%error, session_id = %id, "cannot read the state of a session's organization");
            }
        }
        match models::over_budget(app, self.organization_id(), id).await {
            Ok(over) => over.map(RestReason::OverBudget),
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
    pub(super) async fn resume_when_over(&self, reason: &RestReason) {
        let RestReason::OverBudget(over) = reason else {
            return;
        };
        let (app, id) = (&self.record().app, self.session_id());
        let planned = models::resume_when_over(app, self.organization_id(), id, over);
        if let Err(error) = planned.await {
            tracing::warn!(%error, session_id = %id, "a session that rests for a limit goes on only when it is used");
        }
    }

    /// Pauses a session that is on record as running, and returns the error of a boot that is not made.
    pub(super) async fn refuse_boot(&self, reason: &RestReason) -> BootError {
        let record = self.record();
        let why = reason.to_string();
        self.resume_when_over(reason).await;
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
