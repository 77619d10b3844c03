//! What is on record about a run, for an operator. Not for callers: it reads without a check of access.

use domain::{
    id::{OrganizationId, RunId},
    limits::PAGE_SIZE_MAX,
    page::PageRequest,
    policy::RuleId,
    run::{Run, RunState},
};
use store::{AuditFilter, AuditRecord};

use crate::{
    audit,
    context::App,
    error::{Error, Result},
};

/// A run and its events.
#[derive(Debug)]
pub struct RecordedRun {
    pub run: Run,
    /// Oldest first, and no more than a page of them: a call has a handful.
    pub events: Vec<AuditRecord>,
}

impl RecordedRun {
    /// The rule that denied it, for a call that was denied.
    pub fn rule(&self) -> Option<RuleId> {
        match &self.run.state {
            RunState::Denied { .. } => self.run.reason.as_deref()?.parse().ok(),
            _ => None,
        }
    }
}

/// Reads the run; what is recorded about it until now is put in order first.
pub async fn recorded(
    app: &App,
    organization_id: &OrganizationId,
    id: RunId,
) -> Result<RecordedRun> {
    let run = {
        let mut conn = app.db.read().await?;
        store::run_fetch(&mut conn, organization_id, id).await?
    };
    let run = run.ok_or(Error::NotFound("run"))?;
    audit::sign_pending(app, organization_id).await?;
    let filter = AuditFilter {
        run_id: Some(id.to_string()),
        ..AuditFilter::default()
    };
    let page = PageRequest {
        before: None,
        limit: PAGE_SIZE_MAX,
    };
    let mut conn = app.db.read().await?;
    let page = store::audit_record_page(&mut conn, organization_id, &filter, page).await?;
    let mut events = page.items;
    events.reverse();
    Ok(RecordedRun { run, events })
}
