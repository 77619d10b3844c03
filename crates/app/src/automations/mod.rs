//! Automations: tasks that agents work on alone. Members define them (`write.rs`), each start creates a session
//! (`start.rs`) with its run (`begin.rs`), the agent reports how the run ended (`complete.rs`), and a sweep ends runs
//! whose agents do not (`finalize.rs`).
//!
//! INVARIANT: a run and its session are made in one transaction, and a run ends once.

mod begin;
mod close;
mod complete;
mod finalize;
mod start;
mod write;

use domain::{
    automation::Automation,
    automation_run::AutomationRun,
    id::{AutomationId, AutomationRunId},
    page::{Page, PageRequest},
};

pub use begin::RunToBegin;
pub(crate) use begin::begin;
pub(crate) use complete::{CompletionOutcome, complete};
pub use finalize::finalize;
pub use start::{StartedRun, start};
pub use write::{create, delete, update};

use crate::{
    access::{Inside as _, Insider, SessionAccess},
    context::App,
    error::{Error, Result},
};

pub async fn list(
    app: &App,
    insider: &Insider,
    page: PageRequest<AutomationId>,
) -> Result<Page<Automation, AutomationId>> {
    let mut conn = app.db.read().await?;
    Ok(store::automation_list(&mut conn, insider.organization_id(), page).await?)
}

pub async fn fetch(app: &App, insider: &Insider, id: AutomationId) -> Result<Automation> {
    let mut conn = app.db.read().await?;
    let found = store::automation_fetch(&mut conn, insider.organization_id(), id).await?;
    found.ok_or(Error::NotFound("automation"))
}

/// The runs of an automation in sessions that the caller sees, newest first.
pub async fn runs(
    app: &App,
    insider: &Insider,
    id: AutomationId,
    page: PageRequest<AutomationRunId>,
) -> Result<Page<AutomationRun, AutomationRunId>> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let found = store::automation_fetch(&mut conn, organization_id, id).await?;
    found.ok_or(Error::NotFound("automation"))?;
    let viewer = insider.viewer();
    Ok(store::automation_run_list(&mut conn, organization_id, viewer, id, page).await?)
}

pub async fn fetch_run(app: &App, insider: &Insider, id: AutomationRunId) -> Result<AutomationRun> {
    let mut conn = app.db.read().await?;
    let found = store::automation_run_fetch(&mut conn, insider.organization_id(), id);
    let run = found.await?.ok_or(Error::NotFound("automation run"))?;
    match SessionAccess::read(&mut conn, insider, run.session_id).await {
        Ok(_) => Ok(run),
        Err(Error::NotFound(_)) => Err(Error::NotFound("automation run")),
        Err(error) => Err(error),
    }
}
