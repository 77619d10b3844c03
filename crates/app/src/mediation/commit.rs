//! A batch of calls in one transaction: what begins is decided and written down (`begin.rs`), what has ended
//! is ended, and the events of both are recorded. All of it happens or none.

use std::{collections::HashSet, sync::Arc};

use domain::{
    artifact::Artifact,
    capacity::CapacityPermit,
    id::{OverrideTicketId, RunId},
    policy::{ClientSessionId, Permit, ScopeKey, ToolSpec},
    run::Run,
};
use serde_json::{Map, Value};
use store::{
    Durability, InputFact, InvocationMove, InvocationRecord, NewAuditEvent, RunEnd,
    ToolInvocationEnd, Tx,
};
use tokio::sync::oneshot;
use tools::Executor;

use super::{
    ask::{self, Ask},
    attempt::Request,
    begin::begin_all,
};
use crate::{
    audit::record_batch,
    context::App,
    error::{Error, Result},
    notices::{self, Notice},
    policy::Policy,
};

type Reply<T> = oneshot::Sender<Result<T>>;

/// Something to be committed.
#[derive(Debug)]
pub(super) enum Job {
    Begin {
        request: Box<Request>,
        durability: Durability,
        reply: Reply<Begun>,
    },
    End(Arc<End>, Reply<bool>),
    Record(Vec<NewAuditEvent>, Reply<()>),
}

/// What became of a call that asked to begin.
#[derive(Debug)]
pub(super) enum Begun {
    /// Written down as running: it is done now or never.
    Permitted(Box<Admitted>),
    /// With what is on record of it, where it is an action.
    Denied(Box<Run>, Option<Box<InvocationRecord>>),
    /// An action that waits for a person.
    Held(Box<InvocationRecord>),
    /// The same call was begun before, under the same key.
    Repeated(Box<Run>),
    /// Another call was.
    KeyConflict,
}

/// A call that may be done, once.
#[derive(Debug)]
pub(super) struct Admitted {
    pub(super) run: Run,
    pub(super) permit: Permit,
    pub(super) spec: Arc<ToolSpec>,
    pub(super) policy: Arc<Policy>,
    pub(super) parameters: Map<String, Value>,
    pub(super) client_session_id: Option<ClientSessionId>,
    pub(super) override_ticket_id: Option<OverrideTicketId>,
    pub(super) inputs: Vec<InputFact>,
    pub(super) acting: Acting,
    /// Of the calls that the process has under way.
    pub(super) capacity: Option<CapacityPermit>,
}

/// As what a call is made.
#[derive(Debug)]
pub(super) enum Acting {
    Tool,
    /// An agent in its sandbox is told what comes of it. With who does it, where it brought somebody.
    Callback(Option<Arc<dyn Executor>>),
    /// With what is on record of it, and what it brought along.
    Action(Box<InvocationRecord>, Option<Box<Ask>>),
}

impl Acting {
    pub(super) fn record(&self) -> Option<Box<InvocationRecord>> {
        match self {
            Self::Action(record, _) => Some(record.clone()),
            Self::Tool | Self::Callback(_) => None,
        }
    }
}

/// The end of a run.
#[derive(Debug, Clone)]
pub(super) struct End {
    pub(super) row: RunEnd,
    pub(super) artifacts: Vec<Artifact>,
    pub(super) events: Vec<NewAuditEvent>,
    /// The step of the invocation that the run is.
    pub(super) step: Option<InvocationMove>,
    /// What an agent in its sandbox is told.
    pub(super) callback: Option<ToolInvocationEnd>,
}

/// What the transaction did with a job.
#[derive(Debug)]
pub(super) enum Done {
    Begun(Begun),
    /// To be decided in the next commit: the answer must outlive a loss of power and this commit would not, or the same
    /// call begins in this one.
    Again,
    Ended(bool),
    Recorded,
}

impl Job {
    /// A tool that may be run again needs no more than to be remembered by this machine until its end is
    /// on the disk: if the power goes, neither the call nor its answer has happened (docs/adr/0008).
    pub(super) fn begin(app: &App, request: Request, reply: Reply<Begun>) -> Self {
        let policy = app.policy.current();
        let spec = policy.tool(&request.call.operation);
        let repeatable = spec.is_some_and(|spec| spec.idempotent && !spec.external);
        // A run that was made beforehand is promised to somebody.
        let harmless = repeatable && request.run_id.is_none();
        let durability = if harmless {
            Durability::Process
        } else {
            Durability::Power
        };
        Self::Begin {
            request: Box::new(request),
            durability,
            reply,
        }
    }

    /// Whether it may be refused for want of room. What has happened is always written down.
    pub(super) fn can_wait(&self) -> bool {
        matches!(self, Self::Begin { .. })
    }

    fn durability(&self) -> Durability {
        match self {
            Self::Begin { durability, .. } => *durability,
            Self::End(..) | Self::Record(..) => Durability::Power,
        }
    }
}

/// Commits the jobs together and answers each; those that fail together are tried one by one, so that one
/// that cannot be written does not take the others with it.
pub(super) async fn commit(app: &App, jobs: Vec<Job>) {
    match transaction(app, &jobs).await {
        Ok(done) => deliver(app, jobs, done),
        Err(error) if jobs.len() == 1 => refuse(jobs, error),
        Err(error) => {
            tracing::warn!(%error, jobs = jobs.len(), "a batch of calls is tried one by one");
            for job in jobs {
                let alone = vec![job];
                match transaction(app, &alone).await {
                    Ok(done) => deliver(app, alone, done),
                    Err(error) => refuse(alone, error),
                }
            }
        }
    }
}

fn deliver(app: &App, jobs: Vec<Job>, done: Vec<Done>) {
    let mut again = Vec::new();
    for (job, done) in jobs.into_iter().zip(done) {
        // Whoever went away does not hear it; what is written stays written.
        match (job, done) {
            (Job::Begin { request, reply, .. }, Done::Again) => again.push(Job::Begin {
                request,
                durability: Durability::Power,
                reply,
            }),
            (Job::Begin { request, reply, .. }, Done::Begun(mut begun)) => {
                if let Begun::Permitted(admitted) = &mut begun {
                    let meeting = request.call.scope.get(&ScopeKey::ClientSessionId);
                    admitted.client_session_id = meeting.and_then(|id| id.parse().ok());
                    let ticket = request.call.scope.get(&ScopeKey::OverrideTicketId);
                    admitted.override_ticket_id = ticket.and_then(|id| id.parse().ok());
                    admitted.parameters = request.parameters;
                    admitted.capacity = request.capacity;
                    match &mut admitted.acting {
                        Acting::Tool => {}
                        Acting::Callback(brought) => {
                            let callback = request.callback.as_ref();
                            *brought = callback.and_then(|callback| callback.errand.executor());
                        }
                        Acting::Action(_, brought) => *brought = request.ask,
                    }
                }
                if let Err(Ok(Begun::Permitted(admitted))) = reply.send(Ok(begun)) {
                    // It was begun, so it is done, with or without somebody to hear of it.
                    drop(super::execute::start(app, *admitted));
                }
            }
            (Job::End(_, reply), Done::Ended(ended)) => _ = reply.send(Ok(ended)),
            (Job::Record(_, reply), Done::Recorded) => _ = reply.send(Ok(())),
            (job, done) => tracing::error!(?job, ?done, "a job was answered with another's answer"),
        }
    }
    if !again.is_empty() {
        app.group().again(again);
    }
}

/// For a job that was tried alone.
fn refuse(jobs: Vec<Job>, error: Error) {
    match jobs.into_iter().next() {
        Some(Job::Begin { reply, .. }) => _ = reply.send(Err(error)),
        Some(Job::End(_, reply)) => _ = reply.send(Err(error)),
        Some(Job::Record(_, reply)) => _ = reply.send(Err(error)),
        None => {}
    }
}

async fn transaction(app: &App, jobs: &[Job]) -> Result<Vec<Done>> {
    let durability = jobs.iter().map(Job::durability).max();
    let durability = durability.unwrap_or(Durability::Power);
    let mut tx = app.db.write_for(durability).await?;
    let requests: Vec<&Request> = jobs
        .iter()
        .filter_map(|job| match job {
            Job::Begin { request, .. } => Some(&**request),
            Job::End(..) | Job::Record(..) => None,
        })
        .collect();
    let ends: Vec<&End> = jobs
        .iter()
        .filter_map(|job| match job {
            Job::End(end, _) => Some(&**end),
            Job::Begin { .. } | Job::Record(..) => None,
        })
        .collect();
    let mut events = Vec::new();
    let mut begun = begin_all(app, &mut tx, &requests, durability, &mut events)
        .await?
        .into_iter();
    let ended = end_all(&mut tx, &ends, &mut events).await?;
    for job in jobs {
        if let Job::Record(recorded, _) = job {
            events.extend(recorded.iter().cloned());
        }
    }
    let grown = record_batch(&mut tx, events).await?;
    let told = notices_of(app, begun.as_slice(), &ends, &ended);
    notices::enqueue(&mut tx, &told).await?;
    tx.commit().await?;
    grown.committed(app);
    notices::publish_all(app, told);
    let done = jobs.iter().map(|job| match job {
        Job::Begin { .. } => begun.next().unwrap_or(Done::Again),
        Job::End(end, _) => Done::Ended(ended.contains(&end.row.id)),
        Job::Record(..) => Done::Recorded,
    });
    Ok(done.collect())
}

/// What everyone concerned is told: of actions that wait, were refused or have ended.
fn notices_of(app: &App, begun: &[Done], ends: &[&End], ended: &HashSet<RunId>) -> Vec<Notice> {
    let begun = begun.iter().filter_map(|done| match done {
        Done::Begun(Begun::Held(record) | Begun::Denied(_, Some(record))) => {
            Notice::of(app, InvocationRecord::clone(record))
        }
        _ => None,
    });
    let over = ends.iter().filter(|end| ended.contains(&end.row.id));
    let over = over.filter_map(|end| Notice::of(app, ask::after(end.step.as_ref()?)));
    begun.chain(over).collect()
}

async fn end_all(
    tx: &mut Tx,
    ends: &[&End],
    events: &mut Vec<NewAuditEvent>,
) -> Result<HashSet<RunId>> {
    let rows: Vec<RunEnd> = ends.iter().map(|end| end.row.clone()).collect();
    let ended: HashSet<RunId> = tx.run_end_all(&rows).await?.into_iter().collect();
    let (mut artifacts, mut steps) = (Vec::new(), Vec::new());
    // What had ended already leaves nothing behind.
    for end in ends.iter().filter(|end| ended.contains(&end.row.id)) {
        steps.extend(end.step.iter().cloned());
        artifacts.extend(end.artifacts.iter().cloned());
        events.extend(end.events.iter().cloned());
        if let Some(callback) = &end.callback {
            tx.tool_invocation_end(callback).await?;
        }
    }
    if !artifacts.is_empty() {
        tx.artifact_insert_all(&artifacts).await?;
    }
    let moved = tx.invocation_move_all(&steps).await?;
    if moved.len() < steps.len() {
        // They move together or not at all.
        return Err(Error::Conflict(
            "an invocation is not where its run is".to_owned(),
        ));
    }
    Ok(ended)
}
