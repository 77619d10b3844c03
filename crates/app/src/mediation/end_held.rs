//! Ends an action that never ran: an admin or the gateway denied it, or its approval expired.

use domain::{
    action::{DeniedBy, Invocation, InvocationState},
    run::{Run, RunError, RunErrorCode},
};
use store::{InvocationMove, Tx};

use super::{
    hold::{sentence, with_state},
    record::{ending_of, policy_of},
    response::response_digest,
};
use crate::{
    audit,
    context::App,
    error::{Error, Result},
};

/// Ends an invocation and its run, in `tx`. `false` if it has run or ended meanwhile.
pub(crate) async fn end_held(
    app: &App,
    tx: &mut Tx,
    before: &Invocation,
    after: InvocationState,
) -> Result<bool> {
    let run = store::run_fetch(tx, &before.organization_id, before.run_id).await?;
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
    ended.response_sha256 = Some(response_digest(&ended, &ended.state, &[]));
    let ending = ending_of(app, &ended, &policy, Vec::new())?;
    if store::run_end_all(tx, &[ending.row]).await?.is_empty() {
        return Ok(false);
    }
    let step = InvocationMove {
        before: before.clone(),
        after: with_state(before, after),
        result: None,
    };
    if store::invocation_move_all(tx, &[step]).await?.is_empty() {
        // Another transaction moved the invocation: the run's end is rolled back with it.
        return Err(Error::Conflict("it was decided meanwhile".to_owned()));
    }
    audit::record_all(tx, &ending.events).await?;
    Ok(true)
}
