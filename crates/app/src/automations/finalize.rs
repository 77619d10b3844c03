//! Ends runs whose agents do not report how they ended, with the reason, so that no caller waits for them.

use domain::{
    automation_run::{AutomationRun, AutomationRunState, RunOver},
    limits::{
        AUTOMATION_RUN_LIFE, AUTOMATION_RUN_SILENCE_MAX, AUTOMATION_SWEEP_BATCH_MAX,
        SESSION_END_FOLLOWS_MAX,
    },
    session::SessionStatus,
};
use store::OpenRun;

use super::close::close;
use crate::{
    access::GatewayActor,
    audit,
    context::App,
    error::{Error, Result},
};

/// Ends at most one batch; says how many. Safe to run anywhere, any number of times.
pub async fn finalize(app: &App) -> Result<usize> {
    let now = app.now();
    let silent_since = now.minus(AUTOMATION_RUN_SILENCE_MAX);
    let ended_before = now.minus(SESSION_END_FOLLOWS_MAX);
    let open = {
        let mut conn = app.db.read().await?;
        let limit = AUTOMATION_SWEEP_BATCH_MAX;
        store::automation_run_list_open(&mut conn, now, silent_since, ended_before, limit).await?
    };
    let mut ended = 0;
    for open in open {
        let id = open.run.id;
        match finish(app, open).await {
            Ok(true) => ended += 1,
            Ok(false) => {}
            // One run that cannot be ended does not stop the others.
            Err(error) => {
                tracing::warn!(%error, run_id = %id, "an automation run could not be ended");
            }
        }
    }
    Ok(ended)
}

/// Ends the run if it is time to, and returns whether it was still running.
async fn finish(app: &App, open: OpenRun) -> Result<bool> {
    let (verdict, run) = (verdict(app, &open), open.run);
    let now = app.now();
    let ended = match &verdict {
        None => run,
        Some(Verdict::Lost(reason)) => fail_run(app, run, reason).await?,
        Some(Verdict::TimedOut(reason)) => {
            end(app, run, |state| state.time_out(now, reason)).await?
        }
    };
    close(app, &ended).await?;
    Ok(verdict.is_some())
}

enum Verdict {
    Lost(String),
    TimedOut(String),
}

/// How a run that is still running ends, with the reason. `None` for one that ended before.
fn verdict(app: &App, open: &OpenRun) -> Option<Verdict> {
    let AutomationRunState::Running { deadline } = open.run.state else {
        return None;
    };
    let why = open
        .session_reason
        .as_deref()
        .unwrap_or("no reason is known");
    Some(match open.session_status {
        SessionStatus::Stopped => Verdict::Lost(format!(
            "its session was stopped before its agent said how the run ended: {why}"
        )),
        SessionStatus::Failed => Verdict::Lost(format!("its session failed: {why}")),
        _ if deadline <= app.now() => {
            let hours = AUTOMATION_RUN_LIFE.as_secs() / 3600;
            Verdict::TimedOut(format!("it was not over after {hours} hours"))
        }
        status => {
            let minutes = AUTOMATION_RUN_SILENCE_MAX.as_secs() / 60;
            Verdict::TimedOut(format!(
                "nothing was heard of its session for {minutes} minutes; the session was {status}"
            ))
        }
    })
}

/// Ends a run as failed whose session ended before its agent reported.
pub(super) async fn fail_run(app: &App, run: AutomationRun, reason: &str) -> Result<AutomationRun> {
    let now = app.now();
    end(app, run, |state| state.lose(now, reason)).await
}

/// The run as it ended: now, or as the agent or a member ended it meanwhile.
async fn end(
    app: &App,
    run: AutomationRun,
    step: impl FnOnce(AutomationRunState) -> std::result::Result<AutomationRunState, RunOver>,
) -> Result<AutomationRun> {
    let organization_id = run.organization_id.clone();
    let Ok(state) = step(run.state.clone()) else {
        return Ok(run);
    };
    let ended = AutomationRun { state, ..run };
    let mut tx = app.db.write().await?;
    if !store::automation_run_end(&mut tx, &ended).await? {
        let found = store::automation_run_fetch(&mut tx, &organization_id, ended.id).await?;
        return found.ok_or(Error::NotFound("automation run"));
    }
    let itself = GatewayActor(organization_id);
    let id = Some(ended.id.uuid());
    audit::record_operation(&mut tx, app, &itself, "automation_run_end", id).await?;
    tx.commit().await?;
    let reason = ended.state.reason().unwrap_or_default();
    tracing::warn!(run_id = %ended.id, reason, "automation run ended without its agent's word");
    Ok(ended)
}
