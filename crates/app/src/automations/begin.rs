//! Inserts a run in the transaction of its session.

use domain::{
    automation_run::{AutomationRun, AutomationRunState},
    id::{AutomationId, AutomationRunId},
    limits::AUTOMATION_RUNS_ACTIVE_MAX,
    session::Session,
};
use store::Tx;

use crate::{
    access::Insider,
    audit,
    context::App,
    error::{Error, Result},
};

/// A run that begins with its session.
#[derive(Debug, Clone, Copy)]
pub struct RunToBegin {
    pub(crate) automation_id: AutomationId,
    pub(crate) run_id: AutomationRunId,
}

/// Inserts the run in the transaction of its session.
pub(crate) async fn begin(
    app: &App,
    insider: &Insider,
    tx: &mut Tx,
    session: &Session,
    begun: &RunToBegin,
) -> Result<()> {
    let (organization_id, automation_id) = (&session.organization_id, begun.automation_id);
    let automation = store::automation_fetch_locked(tx, organization_id, automation_id);
    let automation = automation.await?.ok_or(Error::NotFound("automation"))?;
    if !automation.enabled {
        return Err(Error::Conflict("the automation is switched off".to_owned()));
    }
    let running = store::automation_run_count_running(tx, organization_id, automation_id);
    if running.await? >= i64::from(AUTOMATION_RUNS_ACTIVE_MAX) {
        let message =
            format!("at most {AUTOMATION_RUNS_ACTIVE_MAX} runs of an automation go on at once");
        return Err(Error::LimitReached(message));
    }
    let run = AutomationRun {
        id: begun.run_id,
        organization_id: organization_id.clone(),
        automation_id,
        session_id: session.id,
        created_by: session.created_by.clone(),
        created_at: session.created_at,
        state: AutomationRunState::begin(session.created_at),
    };
    store::automation_run_insert(tx, &run).await?;
    let id = Some(run.id.uuid());
    audit::record_operation(tx, app, insider, "automation_run_create", id).await
}
