//! What was asked for, as people and agents see it.

use std::time::Duration;

use domain::{
    action::{InvocationState, InvocationStatus},
    caller::Caller,
    canonical,
    id::{InvocationId, RunId, SessionId},
};
use serde_json::Value;
use store::{InboxItem, InvocationRecord};

use super::{Invoked, must_be_in, sweep};
use crate::{
    access::Insider,
    context::App,
    error::{Error, Result},
    mediation,
};

/// Which of many.
#[derive(Debug, Clone, Copy)]
pub struct Slice {
    pub status: Option<InvocationStatus>,
    pub limit: u32,
    pub offset: u32,
}

/// One invocation, as it stands now. Without a session it is looked for in the whole organization.
pub async fn fetch(
    app: &App,
    caller: &Caller,
    session_id: Option<SessionId>,
    id: InvocationId,
) -> Result<InvocationRecord> {
    if let Some(session_id) = session_id {
        must_be_in(app, caller, session_id).await?;
    }
    let mut record = fetch_raw(app, caller, session_id, id).await?;
    record.invocation.state = record.invocation.state.seen_at(app.now());
    Ok(record)
}

/// As it is stored.
pub(super) async fn fetch_raw(
    app: &App,
    caller: &Caller,
    session_id: Option<SessionId>,
    id: InvocationId,
) -> Result<InvocationRecord> {
    let mut conn = app.db.read().await?;
    let found = conn.invocation_fetch(caller.organization_id(), id).await?;
    let found = found.filter(|record| {
        let invocation = &record.invocation;
        invocation.is_visible_to(caller, session_id.unwrap_or(invocation.session_id))
    });
    found.ok_or(Error::NotFound("invocation"))
}

/// Those of a session, newest first.
pub async fn list(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    slice: Slice,
) -> Result<Vec<InvocationRecord>> {
    must_be_in(app, caller, session_id).await?;
    sweep::expire(app).await?;
    let mut conn = app.db.read().await?;
    let (
        organization_id,
        Slice {
            status,
            limit,
            offset,
        },
    ) = (caller.organization_id(), slice);
    Ok(conn
        .invocation_list(organization_id, session_id, status, limit, offset)
        .await?)
}

/// Those of an organization, newest first, and how many there are.
pub async fn inbox(app: &App, insider: &Insider, slice: Slice) -> Result<(Vec<InboxItem>, u64)> {
    sweep::expire(app).await?;
    let mut conn = app.db.read().await?;
    let (
        organization_id,
        Slice {
            status,
            limit,
            offset,
        },
    ) = (insider.organization_id(), slice);
    let items = conn
        .invocation_inbox(organization_id, status, limit, offset)
        .await?;
    let total = conn.invocation_count(organization_id, status).await?;
    Ok((items, u64::try_from(total).unwrap_or_default()))
}

/// The invocation that a run is, once it has ended, with its result: for whoever asks again.
pub(super) async fn ended(app: &App, run_id: RunId, wait: Duration) -> Result<Invoked> {
    let look = async || -> Result<InvocationRecord> {
        let mut conn = app.db.read().await?;
        let found = conn.invocation_fetch_by_run(run_id).await?;
        found.ok_or(Error::NotFound("invocation"))
    };
    let mut record = look().await?;
    if matches!(record.invocation.state, InvocationState::Executing { .. }) {
        mediation::wait_for(app, &record.invocation.organization_id, run_id, wait).await?;
        record = look().await?;
    }
    record.invocation.state = record.invocation.state.seen_at(app.now());
    let result = whole_result(app, &record).await?;
    Ok(Invoked {
        record: Box::new(record),
        result,
    })
}

/// All of what came back: from the record, or from where the whole of it is kept.
pub async fn whole_result(app: &App, record: &InvocationRecord) -> Result<Option<Value>> {
    let (InvocationState::Completed { result, .. }
    | InvocationState::Failed {
        result: Some(result),
        ..
    }) = &record.invocation.state
    else {
        return Ok(None);
    };
    let Some(artifact_id) = result.artifact else {
        return Ok(record.result.clone());
    };
    let organization_id = &record.invocation.organization_id;
    let artifact = {
        let mut conn = app.db.read().await?;
        let found = conn
            .artifact_fetch_many(organization_id, &[artifact_id])
            .await?;
        found
            .into_iter()
            .next()
            .ok_or(Error::NotFound("artifact"))?
    };
    let scope = blobs::Scope::new(organization_id, &artifact.scope);
    let content = app
        .blobs
        .get(&scope, &artifact.sha256, artifact.byte_size)
        .await?;
    let bytes = content.into_bytes().await?;
    Ok(canonical::parse(&bytes).ok())
}
