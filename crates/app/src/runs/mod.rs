//! Runs as their callers see them: opens the run that calls belong to, reads, lists, ends and cancels runs.

mod recorded;

use domain::{
    audit::{ActionType, Actor, Event, Outcome, SafeText},
    caller::Caller,
    id::{RunId, SessionId},
    page::{Page, PageRequest},
    policy::{CaseId, PolicyVersions, Principal},
    run::{Run, RunActor, RunKind, RunState, RunStatus},
    sharing::SessionViewer,
};
use store::{Conn, NewRun, RunEnd, Tx};

pub use recorded::{RecordedRun, recorded};

use crate::{
    access::{AuditedActor as _, Insider, Participant, SessionAccess},
    audit,
    context::App,
    error::{Error, Result},
    mediation::{
        identify::{member_key, principal},
        record::{end_tool_invocation, ending_of, policy_of},
        response::response_digest,
        run_kind, stop_execution,
    },
    policy::Policy,
};

/// A run to be opened for an agent or an orchestrator.
#[derive(Debug, Clone)]
pub struct NewParentRun {
    /// `agent` or `orchestrator`.
    pub kind: RunKind,
    pub case_id: Option<CaseId>,
    /// A sandbox's own session unless it says so.
    pub session_id: Option<SessionId>,
    pub correlation_id: Option<SafeText<120>>,
}

/// Opens a run that calls can belong to, pinned to the policy in force.
pub async fn open_parent(app: &App, caller: &Caller, new: NewParentRun) -> Result<Run> {
    if !matches!(new.kind, RunKind::Agent | RunKind::Orchestrator) {
        let message = "must be agent, orchestrator or tool_gateway";
        return Err(domain::invalid::Invalid::new("run_kind", message).into());
    }
    let (principal, policy) = (principal(caller)?, app.policy.current());
    let mut tx = app.db.write().await?;
    check_scope(&mut tx, caller, &new).await?;
    let mut run = blank(app, caller, &principal, new.kind);
    run.case_id = new.case_id;
    run.session_id = own_session(caller).or(new.session_id);
    run.correlation_id = new.correlation_id.map(|id| id.as_str().to_owned());
    run.state = RunState::Created
        .start(app.now(), policy.id().clone(), None)
        .map_err(|error| Error::Conflict(error.to_string()))?;
    insert(&mut tx, &run).await?;
    let by = Participant::of(caller)?.actor()?;
    note(&mut tx, app, &run, &policy, ("run_open", by)).await?;
    tx.commit().await?;
    Ok(run)
}

/// Makes the run of a call beforehand, for a caller that needs its id first.
pub async fn prepare(app: &App, caller: &Caller, parent_id: RunId) -> Result<Run> {
    let principal = principal(caller)?;
    let mut tx = app.db.write().await?;
    let organization_id = caller.organization_id();
    let parent = store::run_fetch(&mut tx, organization_id, parent_id).await?;
    let parent = parent
        .filter(|run| is_own(run, &principal))
        .ok_or(Error::NotFound("run"))?;
    if parent.state.status() != RunStatus::Running {
        return Err(Error::Conflict("the parent run has ended".to_owned()));
    }
    let mut run = blank(app, caller, &principal, RunKind::ToolGateway);
    run.parent_id = Some(parent.id);
    run.root_id = parent.root_id;
    run.case_id = parent.case_id;
    run.session_id = parent.session_id;
    insert(&mut tx, &run).await?;
    tx.commit().await?;
    Ok(run)
}

/// Ends a run that was opened, as completed or failed.
pub async fn end_parent(app: &App, caller: &Caller, id: RunId, succeeded: bool) -> Result<Run> {
    let principal = principal(caller)?;
    let mut tx = app.db.write().await?;
    let run = store::run_fetch(&mut tx, caller.organization_id(), id).await?;
    let run = run
        .filter(|run| is_own(run, &principal))
        .ok_or(Error::NotFound("run"))?;
    if !matches!(run.kind, RunKind::Agent | RunKind::Orchestrator) {
        return Err(Error::Conflict("a call ends by itself".to_owned()));
    }
    let state = run.state.clone();
    let state = if succeeded {
        state.complete(app.now())
    } else {
        let message = "the caller said that it did not succeed";
        let code = domain::run::RunErrorCode::ToolError;
        state.fail(app.now(), domain::run::RunError::new(code, message, false))
    };
    end(tx, app, run, state, ("run_end", caller)).await
}

/// Cancels a run, for its actor, a member of its case, or an admin. Nothing is undone.
pub async fn cancel(app: &App, caller: &Caller, id: RunId) -> Result<Run> {
    let run = fetch(app, caller, id).await?;
    if run.target.as_ref().is_some_and(run_kind::is_action) {
        let message = "an action is not cancelled: while it waits it can be denied";
        return Err(Error::Conflict(message.to_owned()));
    }
    let tx = app.db.write().await?;
    let state = run.state.clone().cancel(app.now());
    let run = end(tx, app, run, state, ("run_cancel", caller)).await?;
    stop_execution(app, id).await;
    Ok(run)
}

async fn end(
    mut tx: Tx,
    app: &App,
    run: Run,
    state: std::result::Result<RunState, domain::run::InvalidRunTransition>,
    (operation, caller): (&str, &Caller),
) -> Result<Run> {
    let by = Participant::of(caller)?.actor()?;
    let state = state.map_err(|error| Error::Conflict(error.to_string()))?;
    let policy = policy_of(app, &mut tx, &run).await?;
    let mut ended = Run {
        state,
        reason: Some(operation.to_owned()),
        ..run
    };
    let is_call = ended.target.is_some();
    ended.response_sha256 = is_call.then(|| response_digest(&ended, &ended.state, &[]));
    let row = RunEnd::of(&ended, app.now());
    if store::run_end_all(&mut tx, &[row]).await?.is_empty() {
        return Err(Error::Conflict("the run has ended meanwhile".to_owned()));
    }
    if is_call {
        if ended.session_id.is_some() {
            let end = end_tool_invocation(ended.id, None, &ended.state, app.now());
            store::tool_invocation_end(&mut tx, &end).await?;
        }
        let ending = ending_of(app, &ended, &policy, Vec::new())?;
        audit::record_all(&mut tx, &ending.events).await?;
    }
    note(&mut tx, app, &ended, &policy, (operation, by)).await?;
    tx.commit().await?;
    Ok(ended)
}

/// Returns a run to its actor, a member of its case, or an admin; one of a session only to callers that see the session.
pub async fn fetch(app: &App, caller: &Caller, id: RunId) -> Result<Run> {
    let run = fetch_own(app, caller, id).await?;
    let mut conn = app.db.read().await?;
    if sees(&mut conn, caller, std::slice::from_ref(&run)).await? == [true] {
        return Ok(run);
    }
    Err(Error::NotFound("run"))
}

async fn fetch_own(app: &App, caller: &Caller, id: RunId) -> Result<Run> {
    let mut conn = app.db.read().await?;
    let run = store::run_fetch(&mut conn, caller.organization_id(), id).await?;
    let run = run.ok_or(Error::NotFound("run"))?;
    let admin = matches!(caller, Caller::User { role, .. } if role.is_admin());
    if is_own(&run, &principal(caller)?) || (admin && run.case_id.is_none()) {
        return Ok(run);
    }
    if let Some(case_id) = &run.case_id {
        let asked = [(caller.organization_id(), case_id, member_key(caller))];
        if store::fact_case_members(&mut conn, &asked).await? == [true] {
            return Ok(run);
        }
    }
    // A run that does not exist and one of another caller get the same answer.
    Err(Error::NotFound("run"))
}

/// Lists the children of a run that the caller may see, newest first.
pub async fn list_children(
    app: &App,
    caller: &Caller,
    id: RunId,
    page: PageRequest<RunId>,
) -> Result<Page<Run, RunId>> {
    let parent = fetch(app, caller, id).await?;
    let mut conn = app.db.read().await?;
    let mut page =
        store::run_child_page(&mut conn, &parent.organization_id, parent.id, page).await?;
    // A run of no session may have children in several.
    let mut seen = sees(&mut conn, caller, &page.items).await?.into_iter();
    page.items.retain(|_| seen.next() == Some(true));
    Ok(page)
}

/// For each run: whether the caller sees its session, if it has one.
async fn sees(conn: &mut Conn, caller: &Caller, runs: &[Run]) -> Result<Vec<bool>> {
    let viewer = match caller {
        Caller::User { user_id, role, .. } if !role.is_admin() => SessionViewer::Member(user_id),
        _ => return Ok(vec![true; runs.len()]),
    };
    let named = runs.iter().enumerate();
    let (numbers, asked): (Vec<_>, Vec<_>) = named
        .filter_map(|(number, run)| Some((number, (&run.organization_id, run.session_id?, viewer))))
        .unzip();
    let mut seen = vec![true; runs.len()];
    let facts = store::fact_sessions(conn, &asked).await?;
    for (number, is_seen) in numbers.into_iter().zip(facts) {
        seen[number] = is_seen;
    }
    Ok(seen)
}

/// A caller that opens a run for a case is its member, and one for a session sees it.
async fn check_scope(tx: &mut Tx, caller: &Caller, new: &NewParentRun) -> Result<()> {
    let organization_id = caller.organization_id();
    if let Some(case_id) = &new.case_id {
        let asked = [(organization_id, case_id, member_key(caller))];
        if store::fact_case_members(tx, &asked).await? != [true] {
            return Err(Error::NotFound("case"));
        }
    }
    match (own_session(caller), new.session_id) {
        (Some(own), Some(named)) if own != named => Err(Error::NotFound("session")),
        (None, Some(named)) => {
            let insider = Insider::of(caller)?;
            SessionAccess::read(tx, &insider, named).await.map(drop)
        }
        _ => Ok(()),
    }
}

fn own_session(caller: &Caller) -> Option<SessionId> {
    match caller {
        Caller::Sandbox { session_id, .. } => Some(*session_id),
        Caller::User { .. } | Caller::Service { .. } => None,
    }
}

fn is_own(run: &Run, principal: &Principal) -> bool {
    run.actor.class == principal.class && run.actor.id == principal.actor_id
}

fn blank(app: &App, caller: &Caller, principal: &Principal, kind: RunKind) -> Run {
    let id = RunId::generate(app.now(), &*app.entropy);
    Run {
        id,
        organization_id: caller.organization_id().clone(),
        kind,
        root_id: id,
        parent_id: None,
        case_id: None,
        session_id: None,
        actor: RunActor {
            class: principal.class,
            id: principal.actor_id.clone(),
            role: principal.role.clone(),
        },
        target: None,
        correlation_id: None,
        request_sha256: None,
        created_at: app.now(),
        state: RunState::Created,
        reason: None,
        inputs: Vec::new(),
        outputs: Vec::new(),
        response_sha256: None,
    }
}

async fn insert(tx: &mut Tx, run: &Run) -> Result<()> {
    let row = NewRun {
        run: run.clone(),
        key: None,
    };
    store::run_insert_all(tx, &[row]).await?;
    Ok(())
}

/// The pins of a run; `None` for one that never started, or whose policy is not there.
pub async fn versions_of(app: &App, run: &Run) -> Result<Option<PolicyVersions>> {
    let (RunState::Running { policy, .. }
    | RunState::Completed { policy, .. }
    | RunState::Failed { policy, .. }) = &run.state
    else {
        return Ok(None);
    };
    let mut conn = app.db.read().await?;
    let pinned = app.policy.find_pinned(&mut conn, policy).await?;
    Ok(pinned.map(|policy| policy.versions().clone()))
}

/// Records a `system` event of what `actor` did to a run: the actor that cancels a run need not be the one that opened
/// it.
async fn note(
    tx: &mut Tx,
    app: &App,
    run: &Run,
    policy: &Policy,
    (operation, actor): (&str, Actor),
) -> Result<()> {
    let actor_is_its_own = actor.class == run.actor.class && actor.id.as_str() == run.actor.id;
    let (id, versions) = (app.event_id(), policy.versions().clone());
    let action = ActionType::System;
    let mut event = Event::new(id, app.now(), action, Outcome::Success, actor, versions);
    if actor_is_its_own {
        event.role = Some(run.actor.role.clone());
    }
    event.case_id.clone_from(&run.case_id);
    event.run_id = Some(SafeText::new("run_id", run.id.to_string())?);
    event.target = Some((
        SafeText::new("target.name", format!("run/{}", run.id))?,
        SafeText::new("target.operation", operation)?,
    ));
    audit::record(tx, event, &run.organization_id, run.session_id).await
}
