//! Ends calls that a process that died left running. What became of their effect is not known, so that is what is
//! recorded; they are never executed again.

use domain::{
    limits::RUN_SWEEP_BATCH_MAX,
    run::{Run, RunError},
};
use store::{InvocationMove, Tx};

use super::{
    hold::{self, ActionEnd},
    messages,
    record::{end_tool_invocation, ending_of, policy_of},
    response::response_digest,
    run_kind,
};
use crate::{
    audit,
    context::App,
    error::{Error, Result},
    notices,
};

/// Ends calls past their deadline, and returns how many. A call that still runs here ended itself before: its
/// deadline is later than its time-out by more than its end takes.
pub async fn sweep(app: &App) -> Result<usize> {
    let overdue = {
        let mut conn = app.db.read().await?;
        store::run_overdue_list(&mut conn, app.now(), RUN_SWEEP_BATCH_MAX).await?
    };
    let mut ended = 0;
    for run in overdue {
        let (run_id, organization_id) = (run.id, run.organization_id.clone());
        if give_up(app, run).await? {
            tracing::warn!(%run_id, %organization_id, "a call was cut off; its outcome is unknown");
            ended += 1;
        }
    }
    Ok(ended)
}

/// Ends one such run as failed. `false` if it has ended meanwhile.
async fn give_up(app: &App, run: Run) -> Result<bool> {
    let mut tx = app.db.write().await?;
    let policy = policy_of(app, &mut tx, &run).await?;
    let operation = run.target.as_ref().map(|target| &target.operation);
    let spec = operation.and_then(|operation| policy.tool(operation));
    let error = messages::outcome_unknown(spec.is_some_and(|spec| spec.idempotent));
    let step = give_up_action(app, &mut tx, &run, &error).await?;
    let state = run.state.clone().fail(app.now(), error);
    let state = state.map_err(|error| Error::Conflict(error.to_string()))?;
    let mut ended = Run {
        state,
        reason: Some("outcome_unknown".to_owned()),
        ..run
    };
    ended.response_sha256 = Some(response_digest(&ended, &ended.state, &[]));
    let ending = ending_of(app, &ended, &policy, Vec::new())?;
    let is_ended = !store::run_end_all(&mut tx, &[ending.row]).await?.is_empty();
    if is_ended {
        store::invocation_move_all(&mut tx, step.as_slice()).await?;
        if ended.session_id.is_some() {
            let end = end_tool_invocation(ended.id, None, &ended.state, app.now());
            store::tool_invocation_end(&mut tx, &end).await?;
        }
        audit::record_all(&mut tx, &ending.events).await?;
    }
    let record = step.filter(|_| is_ended);
    let record = record.map(|step| hold::record_after(&step));
    notices::commit(app, tx, record).await?;
    Ok(is_ended)
}

/// The end of the invocation of a run, if it is an action. A read has no effect, whatever became of it.
async fn give_up_action(
    app: &App,
    tx: &mut Tx,
    run: &Run,
    error: &RunError,
) -> Result<Option<InvocationMove>> {
    if !run.target.as_ref().is_some_and(run_kind::is_action) {
        return Ok(None);
    }
    let Some(record) = store::invocation_fetch_by_run(tx, run.id).await? else {
        return Ok(None);
    };
    let end = ActionEnd::Failed {
        error: error.clone(),
        effect: hold::effect_without_answer(record.invocation.risk),
        result: None,
    };
    hold::end_invocation(&record, end, None, app.now()).map(Some)
}
