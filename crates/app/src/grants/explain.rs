//! Why a call ran without an admin's approval, or why not; and what a grant would have allowed.

use domain::{
    action::{Grant, GrantBasis, GrantDraft, Judgement, PastCall, Verdict, backtest as judge},
    caller::Caller,
    clock::Timestamp,
    id::{GrantId, InvocationId},
    limits::{BACKTEST_CALLS_MAX, BACKTEST_WINDOW},
};
use store::InvocationRecord;

use super::{basis::definition_now, scope_must_exist};
use crate::{
    access::{Admin, Insider},
    actions::{self, call_of},
    context::App,
    error::Result,
};

/// What speaks for a call and against it.
#[derive(Debug)]
pub struct GrantExplanation {
    pub record: InvocationRecord,
    /// The grant it ran under, if it did.
    pub used: Option<Grant>,
    /// What every grant says about such a call now, newest first.
    pub verdicts: Vec<(Grant, Verdict)>,
}

/// Explains an invocation. Conditions are judged on what is on record, which is redacted.
pub async fn explain(
    app: &App,
    caller: &Caller,
    insider: &Insider,
    id: InvocationId,
) -> Result<GrantExplanation> {
    let record = actions::fetch(app, caller, None, id).await?;
    let invocation = &record.invocation;
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let used = match invocation.state.authorizing_grant() {
        Some(id) => store::grant_fetch(&mut conn, organization_id, id).await?,
        None => None,
    };
    let (session_id, integration) = (invocation.session_id, &invocation.integration);
    let action = &invocation.action;
    let grants = store::grant_candidate_list(
        &mut conn,
        organization_id,
        session_id,
        integration,
        action,
        app.now(),
    )
    .await?;
    let definition = definition_now(app, &mut conn, invocation).await?;
    let call = call_of(invocation, &record.params);
    let verdict = |grant: Grant| {
        let verdict = grant.explain(&call, &definition, app.now());
        (grant, verdict)
    };
    let verdicts = grants.into_iter().map(verdict).collect();
    Ok(GrantExplanation {
        used: used.map(|used| used.grant),
        verdicts,
        record,
    })
}

/// What a grant would have meant for past calls.
#[derive(Debug)]
pub struct BacktestResult {
    pub since: Timestamp,
    /// Oldest first.
    pub calls: Vec<(InvocationRecord, Judgement)>,
    /// Whether there are more calls than are judged.
    pub cut: bool,
}

/// Judges the calls of the last days as if the grant had been made before them, as long ago as it lives. Nothing is
/// saved.
pub async fn backtest(app: &App, admin: &Admin, draft: GrantDraft) -> Result<BacktestResult> {
    let now = app.now();
    draft.check(now)?;
    let organization_id = admin.organization_id();
    // One that lives an hour says something about the last hour, and little about an hour thirty days ago.
    let life = draft.expires_at.map(|end| end.since(now));
    let since = now.minus(life.map_or(BACKTEST_WINDOW, |life| life.min(BACKTEST_WINDOW)));
    let max = u32::try_from(BACKTEST_CALLS_MAX).unwrap_or(u32::MAX);
    let records = {
        let mut conn = app.db.read().await?;
        scope_must_exist(&mut conn, organization_id, draft.scope).await?;
        store::invocation_list_since(&mut conn, organization_id, since, max).await?
    };
    let id = GrantId::generate(now, &*app.entropy);
    // Nothing runs under it: it is for whatever the actions were.
    let by = (admin.user_id().clone(), GrantBasis::default());
    let grant = draft.into_grant(id, organization_id.clone(), by, now);
    let past: Vec<PastCall<'_>> = records
        .iter()
        .map(|record| PastCall {
            id: record.invocation.id,
            at: record.invocation.created_at,
            risk: record.invocation.risk,
            call: call_of(&record.invocation, &record.params),
        })
        .collect();
    let judged = judge(&grant, since, &past);
    drop(past);
    let cut = records.len() >= BACKTEST_CALLS_MAX;
    // Both are in the order of time and id.
    let mut by_id: std::collections::HashMap<InvocationId, Judgement> =
        judged.into_iter().collect();
    let calls = records.into_iter().filter_map(|record| {
        let judgement = by_id.remove(&record.invocation.id)?;
        Some((record, judgement))
    });
    Ok(BacktestResult {
        since,
        calls: calls.collect(),
        cut,
    })
}
