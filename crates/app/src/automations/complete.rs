//! The agent reports how its run ended.

use domain::{
    automation_run::{AutomationRun, AutomationRunState, Completion},
    id::{AutomationRunId, OrganizationId, SessionId},
};

use super::close::close_soon;
use crate::{context::App, error::Result};

/// What came of a completion that an agent reported.
#[derive(Debug)]
pub(crate) enum CompletionOutcome {
    /// The run ended with this completion, now or when it was reported before.
    Done(Box<AutomationRun>),
    /// No run of this session has the id.
    NotOurs,
    /// The run ended otherwise.
    Conflict(&'static str),
}

/// INVARIANT: one completion for a run, and so one for a session. The same one reported again changes nothing.
pub(crate) async fn complete(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
    run_id: &str,
    completion: Completion,
) -> Result<CompletionOutcome> {
    let Ok(id) = run_id.parse::<AutomationRunId>() else {
        return Ok(CompletionOutcome::NotOurs);
    };
    let mut tx = app.db.write().await?;
    let found = store::automation_run_fetch(&mut tx, organization_id, id).await?;
    let Some(run) = found.filter(|run| run.session_id == session_id) else {
        return Ok(CompletionOutcome::NotOurs);
    };
    let Ok(state) = run.state.clone().complete(app.now(), completion.clone()) else {
        return Ok(judge(run, &completion));
    };
    let ended = AutomationRun { state, ..run };
    if store::automation_run_end(&mut tx, &ended).await? {
        tx.commit().await?;
        tracing::info!(run_id = %ended.id, status = %ended.state.status(), "automation run completed");
        close_soon(app, &ended);
        return Ok(CompletionOutcome::Done(Box::new(ended)));
    }
    // The agent, a member or a sweep ended it after the read above.
    drop(tx);
    let mut conn = app.db.read().await?;
    let found = store::automation_run_fetch(&mut conn, organization_id, id).await?;
    Ok(found.map_or(CompletionOutcome::NotOurs, |run| judge(run, &completion)))
}

/// Whether a run that is over ended with this very completion.
fn judge(run: AutomationRun, said: &Completion) -> CompletionOutcome {
    match &run.state {
        AutomationRunState::Completed { completion, .. } if completion.id == said.id => {
            if completion.sha256() == said.sha256() {
                CompletionOutcome::Done(Box::new(run))
            } else {
                CompletionOutcome::Conflict(
                    "the run was completed under this id with other content",
                )
            }
        }
        AutomationRunState::Completed { .. } => {
            CompletionOutcome::Conflict("the run was completed under another id")
        }
        _ => CompletionOutcome::Conflict("the run was ended before it was completed"),
    }
}
