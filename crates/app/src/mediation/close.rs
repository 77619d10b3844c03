//! Ending an action that never ran: denied, or the time to decide ended without a decision.

use domain::{
    action::{DeniedBy, Invocation, InvocationState},
    run::{Run, RunError, RunErrorCode},
};
use store::{InvocationMove, Tx};

use super::{
    answer,
    ask::{sentence, with_state},
    execute,
    runs::policy_of,
};
use crate::{
    audit,
    context::App,
    error::{Error, Result},
};

/// Ends an invocation and the run that it is, in `tx`. `false` if it has run or ended meanwhile.
pub(crate) async fn close(
    app: &App,
    tx: &mut Tx,
    before: &Invocation,
    after: InvocationState,
) -> Result<bool> {
    let run = tx.run_fetch(&before.organization_id, before.run_id).await?;
    let run = run.ok_or(Error::NotFound("run"))?;
    let now = app.now();
    let (state, reason) = match &after {
        InvocationState::Denied { by, .. } => {
            let (reason, message) = match by {
                DeniedBy::Person(_) => ("denied_by_person", "a person denied it"),
                DeniedBy::Platform(refusal) => (refusal.as_str(), sentence(*refusal)),
            };
            let error = RunError::new(RunErrorCode::PolicyDenied, message, false);
            (run.state.clone().deny(now, error), reason)
        }
        _ => (run.state.clone().cancel(now), "not_decided_in_time"),
    };
    let Ok(state) = state else {
        return Ok(false);
    };
    let policy = policy_of(app, tx, &run).await?;
    let mut ended = Run {
        state,
        reason: Some(reason.to_owned()),
        ..run
    };
    ended.response_sha256 = Some(answer::digest(&ended, &ended.state, &[]));
    let end = execute::end_of(app, &ended, &policy, Vec::new())?;
    if tx.run_end_all(&[end.row]).await?.is_empty() {
        return Ok(false);
    }
    let step = InvocationMove {
        before: before.clone(),
        after: with_state(before, after),
        result: None,
    };
    if tx.invocation_move_all(&[step]).await?.is_empty() {
        // The run was not this one's to end: all of it is taken back.
        return Err(Error::Conflict("it was decided meanwhile".to_owned()));
    }
    audit::record_all(tx, &end.events).await?;
    Ok(true)
}
