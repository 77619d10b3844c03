//! Commits a batch of jobs in one transaction: calls are decided (`decide.rs`), runs that have ended are ended,
//! and the events of both are recorded. All of it happens or none.

use std::{collections::HashSet, panic::AssertUnwindSafe, sync::Arc};

use domain::id::RunId;
use futures::FutureExt as _;
use store::{Durability, InvocationRecord, NewAuditEvent, RunEnd, Tx};
use tokio::sync::oneshot;

use super::{
    call::MediatedCall,
    decide::decide_batch,
    decision::CallDecision,
    hold,
    queue::{CommitJob, DecisionReply, RunEnding},
};
use crate::{
    audit::record_batch,
    context::App,
    error::{Error, Result},
    notices::{self, Notice},
};

/// What the transaction did with a job.
#[derive(Debug)]
enum CommitOutcome {
    Decided(CallDecision),
    /// A call that is decided in the next commit.
    Postponed,
    Ended(bool),
    Recorded,
}

/// Enqueues a call to be decided with others in one transaction. `reply` gets the call back with the recorded decision.
pub(super) fn decide(app: &App, call: MediatedCall, reply: DecisionReply) -> Result<()> {
    let durability = durability_of(app, &call);
    let call = Box::new(call);
    submit(
        app,
        CommitJob::Decide {
            call,
            durability,
            reply,
        },
    )
}

/// Ends a run. `false` if it had ended already, and then nothing is written.
pub(super) async fn end_run(app: &App, ending: Arc<RunEnding>) -> Result<bool> {
    let (reply, ended) = oneshot::channel();
    submit(app, CommitJob::End(ending, reply))?;
    ended.await.unwrap_or_else(|_| Err(lost()))
}

/// Records events that belong to no run.
pub(super) async fn record_events(app: &App, events: Vec<NewAuditEvent>) -> Result<()> {
    let (reply, recorded) = oneshot::channel();
    submit(app, CommitJob::Record(events, reply))?;
    recorded.await.unwrap_or_else(|_| Err(lost()))
}

/// A job whose reply was dropped panicked; its transaction was rolled back.
pub(super) fn lost() -> Error {
    store::Error::unavailable("the transaction was not committed").into()
}

/// A tool that may be run again needs no more than to be remembered by this machine until its end is on the
/// disk: if the power goes, neither the call nor its answer has happened (docs/adr/0008).
fn durability_of(app: &App, call: &MediatedCall) -> Durability {
    let policy = app.policy.current();
    let spec = policy.tool(&call.request.operation);
    let is_repeatable = spec.is_some_and(|spec| spec.idempotent && !spec.external);
    // The caller of a prepared run knows its id already.
    if is_repeatable && call.prepared_run_id.is_none() {
        Durability::Process
    } else {
        Durability::Power
    }
}

fn submit(app: &App, job: CommitJob) -> Result<()> {
    if app.commit_queue().push(job)? {
        tokio::spawn(Box::pin(drain(app.clone())));
    }
    Ok(())
}

/// Commits batches until the queue is empty. It runs in a task of its own, so that a caller that goes away takes
/// nothing with it.
async fn drain(app: App) {
    while let Some(jobs) = app.commit_queue().next_batch() {
        let size = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
        metrics::histogram!("proliferate_mediation_batch_size").record(f64::from(size));
        // A panic must not end the drain: its jobs are answered by their dropped replies.
        let committed = AssertUnwindSafe(Box::pin(commit(&app, jobs)))
            .catch_unwind()
            .await;
        if committed.is_err() {
            tracing::error!("committing a batch of calls panicked");
        }
    }
}

/// Commits the jobs together and answers each. Jobs that fail together are tried one by one, so that one that
/// cannot be written does not take the others with it.
async fn commit(app: &App, jobs: Vec<CommitJob>) {
    match transaction(app, &jobs).await {
        Ok(outcomes) => deliver(app, jobs, outcomes),
        Err(error) if jobs.len() == 1 => fail(jobs, error),
        Err(error) => {
            tracing::warn!(%error, jobs = jobs.len(), "a batch of calls is tried one by one");
            for job in jobs {
                let alone = vec![job];
                match transaction(app, &alone).await {
                    Ok(outcomes) => deliver(app, alone, outcomes),
                    Err(error) => fail(alone, error),
                }
            }
        }
    }
}

fn deliver(app: &App, jobs: Vec<CommitJob>, outcomes: Vec<CommitOutcome>) {
    let mut postponed = Vec::new();
    for (job, outcome) in jobs.into_iter().zip(outcomes) {
        match (job, outcome) {
            (CommitJob::Decide { call, reply, .. }, CommitOutcome::Postponed) => {
                postponed.push(CommitJob::Decide {
                    call,
                    reply,
                    durability: Durability::Power,
                });
            }
            (CommitJob::Decide { call, reply, .. }, CommitOutcome::Decided(decision)) => {
                reply(Ok((call, decision)));
            }
            // A caller that went away does not hear of it; what is written stays written.
            (CommitJob::End(_, reply), CommitOutcome::Ended(ended)) => _ = reply.send(Ok(ended)),
            (CommitJob::Record(_, reply), CommitOutcome::Recorded) => _ = reply.send(Ok(())),
            (job, outcome) => {
                tracing::error!(?job, ?outcome, "a job has the outcome of another job");
            }
        }
    }
    if !postponed.is_empty() {
        app.commit_queue().put_back(postponed);
    }
}

/// Answers a job that was tried alone.
fn fail(jobs: Vec<CommitJob>, error: Error) {
    match jobs.into_iter().next() {
        Some(CommitJob::Decide { reply, .. }) => reply(Err(error)),
        Some(CommitJob::End(_, reply)) => _ = reply.send(Err(error)),
        Some(CommitJob::Record(_, reply)) => _ = reply.send(Err(error)),
        None => {}
    }
}

async fn transaction(app: &App, jobs: &[CommitJob]) -> Result<Vec<CommitOutcome>> {
    let durability = jobs.iter().map(CommitJob::durability).max();
    let durability = durability.unwrap_or(Durability::Power);
    let mut tx = app.db.write_for(durability).await?;
    let calls: Vec<&MediatedCall> = jobs
        .iter()
        .filter_map(|job| match job {
            CommitJob::Decide { call, .. } => Some(&**call),
            CommitJob::End(..) | CommitJob::Record(..) => None,
        })
        .collect();
    let endings: Vec<&RunEnding> = jobs
        .iter()
        .filter_map(|job| match job {
            CommitJob::End(ending, _) => Some(&**ending),
            CommitJob::Decide { .. } | CommitJob::Record(..) => None,
        })
        .collect();
    let mut events = Vec::new();
    let decisions = decide_batch(app, &mut tx, &calls, durability, &mut events).await?;
    let ended = end_runs(&mut tx, &endings, &mut events).await?;
    for job in jobs {
        if let CommitJob::Record(recorded, _) = job {
            events.extend(recorded.iter().cloned());
        }
    }
    let grown = record_batch(&mut tx, events).await?;
    let notices = notices_of(app, &decisions, &endings, &ended);
    notices::enqueue(&mut tx, &notices).await?;
    tx.commit().await?;
    grown.committed(app);
    notices::publish_all(app, notices);
    let mut decisions = decisions.into_iter();
    let outcomes = jobs.iter().map(|job| match job {
        CommitJob::Decide { .. } => {
            let decision = decisions.next().flatten();
            decision.map_or(CommitOutcome::Postponed, CommitOutcome::Decided)
        }
        CommitJob::End(ending, _) => CommitOutcome::Ended(ended.contains(&ending.row.id)),
        CommitJob::Record(..) => CommitOutcome::Recorded,
    });
    Ok(outcomes.collect())
}

/// The notices about actions that wait, were refused or have ended.
fn notices_of(
    app: &App,
    decisions: &[Option<CallDecision>],
    endings: &[&RunEnding],
    ended: &HashSet<RunId>,
) -> Vec<Notice> {
    let decided = decisions.iter().filter_map(|decision| match decision {
        Some(CallDecision::Held(_, record) | CallDecision::Denied(_, Some(record))) => {
            Notice::of(app, InvocationRecord::clone(record))
        }
        _ => None,
    });
    let over = endings
        .iter()
        .filter(|ending| ended.contains(&ending.row.id));
    let over = over.filter_map(|ending| {
        let record = hold::record_after(ending.invocation.as_ref()?);
        Notice::of(app, record)
    });
    decided.chain(over).collect()
}

async fn end_runs(
    tx: &mut Tx,
    endings: &[&RunEnding],
    events: &mut Vec<NewAuditEvent>,
) -> Result<HashSet<RunId>> {
    let rows: Vec<RunEnd> = endings.iter().map(|ending| ending.row.clone()).collect();
    let ended: HashSet<RunId> = store::run_end_all(tx, &rows).await?.into_iter().collect();
    let (mut artifacts, mut moves) = (Vec::new(), Vec::new());
    // A run that had ended already leaves nothing behind.
    for ending in endings
        .iter()
        .filter(|ending| ended.contains(&ending.row.id))
    {
        moves.extend(ending.invocation.iter().cloned());
        artifacts.extend(ending.artifacts.iter().cloned());
        events.extend(ending.events.iter().cloned());
        if let Some(tool_invocation) = &ending.tool_invocation {
            store::tool_invocation_end(tx, tool_invocation).await?;
        }
    }
    if !artifacts.is_empty() {
        store::artifact_insert_all(tx, &artifacts).await?;
    }
    let moved = store::invocation_move_all(tx, &moves).await?;
    if moved.len() < moves.len() {
        // A run and its invocation move together or not at all.
        return Err(Error::Conflict(
            "an invocation is not where its run is".to_owned(),
        ));
    }
    Ok(ended)
}
