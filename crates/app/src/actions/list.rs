//! Invocations, as members and agents see them.

use domain::{
    action::{Invocation, InvocationState, InvocationStatus},
    caller::Caller,
    canonical,
    id::{ArtifactId, InvocationId, RunId, SessionId},
    run::Run,
};
use serde_json::Value;
use store::{InboxItem, InvocationRecord};

use super::{check_session_access, sweep};
use crate::{
    access::{Admin, Inside as _, Insider, SessionAccess},
    artifacts,
    context::App,
    error::{Error, Result},
    mediation::identify::principal,
};

/// The invocation of an action, as it stands.
#[derive(Debug)]
pub struct InvocationResult {
    pub record: Box<InvocationRecord>,
    /// The whole result, for the caller; only the credentials of the gateway are taken out.
    pub result: Option<Value>,
}

/// Selects a page of invocations.
#[derive(Debug, Clone, Copy)]
pub struct InvocationFilter {
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
        check_session_access(app, caller, session_id).await?;
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
    let found = store::invocation_fetch(&mut conn, caller.organization_id(), id).await?;
    let found = found.filter(|record| {
        let invocation = &record.invocation;
        invocation.is_visible_to(caller, session_id.unwrap_or(invocation.session_id))
    });
    let found = found.ok_or(Error::NotFound("invocation"))?;
    if let Caller::User { .. } = caller {
        let insider = Insider::of(caller)?;
        let seen = SessionAccess::read(&mut conn, &insider, found.invocation.session_id).await;
        match seen {
            Ok(_) => {}
            Err(Error::NotFound(_)) => return Err(Error::NotFound("invocation")),
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Those of a session, newest first.
pub async fn list(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    slice: InvocationFilter,
) -> Result<Vec<InvocationRecord>> {
    check_session_access(app, caller, session_id).await?;
    sweep::expire(app).await?;
    let mut conn = app.db.read().await?;
    let (
        organization_id,
        InvocationFilter {
            status,
            limit,
            offset,
        },
    ) = (caller.organization_id(), slice);
    Ok(store::invocation_list(
        &mut conn,
        organization_id,
        session_id,
        status,
        limit,
        offset,
    )
    .await?)
}

/// Those of the sessions that the caller sees, newest first, and how many there are.
pub async fn inbox(
    app: &App,
    insider: &Insider,
    slice: InvocationFilter,
) -> Result<(Vec<InboxItem>, u64)> {
    sweep::expire(app).await?;
    let mut conn = app.db.read().await?;
    let (
        organization_id,
        InvocationFilter {
            status,
            limit,
            offset,
        },
    ) = (insider.organization_id(), slice);
    let viewer = insider.viewer();
    let items =
        store::invocation_inbox(&mut conn, organization_id, viewer, status, limit, offset).await?;
    let total = store::invocation_count(&mut conn, organization_id, viewer, status).await?;
    Ok((items, u64::try_from(total).unwrap_or_default()))
}

/// The invocation of a run as it stands, with its result: for a caller that repeats its call.
pub(super) async fn replayed(
    app: &App,
    caller: &Caller,
    run_id: RunId,
) -> Result<InvocationResult> {
    let found = {
        let mut conn = app.db.read().await?;
        store::invocation_fetch_by_run(&mut conn, run_id).await?
    };
    let mut record = found.ok_or(Error::NotFound("invocation"))?;
    record.invocation.state = record.invocation.state.seen_at(app.now());
    let result = whole_result(app, caller, &record).await?;
    Ok(InvocationResult {
        record: Box::new(record),
        result,
    })
}

/// What came back, as much of it as the caller may have.
///
/// INVARIANT: all of it is for the session's own agent, for the person who made the call, and for admins, who leave the
/// event `artifact_open` first; every other caller gets the redacted result of the record.
pub async fn whole_result(
    app: &App,
    caller: &Caller,
    record: &InvocationRecord,
) -> Result<Option<Value>> {
    let invocation = &record.invocation;
    if !invocation.is_visible_to(caller, invocation.session_id) {
        return Err(Error::NotFound("invocation"));
    }
    let (InvocationState::Completed { result, .. }
    | InvocationState::Failed {
        result: Some(result),
        ..
    }) = &invocation.state
    else {
        return Ok(None);
    };
    // Without an artifact the record has the whole already.
    let Some(artifact_id) = result.artifact else {
        return Ok(record.result.clone());
    };
    if !open_whole(app, caller, invocation, artifact_id).await? {
        return Ok(record.result.clone());
    }
    let organization_id = &invocation.organization_id;
    let artifact = {
        let mut conn = app.db.read().await?;
        store::artifact_fetch(&mut conn, organization_id, artifact_id).await?
    };
    let artifact = artifact.ok_or(Error::NotFound("artifact"))?;
    let scope = blobs::Scope::new(organization_id, &artifact.scope);
    let content = app
        .blobs
        .get(&scope, &artifact.sha256, artifact.byte_size)
        .await?;
    let bytes = content.into_bytes().await?;
    Ok(canonical::parse(&bytes).ok())
}

/// Whether a caller that sees the invocation gets all of what came back. An admin who does leaves an event.
async fn open_whole(
    app: &App,
    caller: &Caller,
    invocation: &Invocation,
    artifact_id: ArtifactId,
) -> Result<bool> {
    match caller {
        // It sees the invocations of its own session alone.
        Caller::Sandbox { .. } => return Ok(true),
        Caller::Service { .. } => return Ok(false),
        Caller::User { .. } => {}
    }
    let run = {
        let mut conn = app.db.read().await?;
        let organization_id = &invocation.organization_id;
        store::run_fetch(&mut conn, organization_id, invocation.run_id).await?
    };
    let principal = principal(caller)?;
    let is_maker =
        |run: Run| run.actor.class == principal.class && run.actor.id == principal.actor_id;
    if run.is_some_and(is_maker) {
        return Ok(true);
    }
    let Ok(admin) = Admin::of(caller) else {
        return Ok(false);
    };
    artifacts::record_opening(app, &admin, artifact_id).await?;
    Ok(true)
}
