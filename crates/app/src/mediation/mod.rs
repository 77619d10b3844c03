//! The mediated call: the one path on which anything is done for a caller outside the gateway's own tables.
//!
//! An entry builds one [`MediatedCall`](call::MediatedCall), whose kind is tool, callback, action or push, and hands
//! in its executor; [`run`] takes it through the steps. The entries (`tool_calls`, `callbacks`, `actions`, `git`) and
//! the executors know mediation; mediation knows none of them.
//!
//! ```text
//!  step                     file
//!  who      identify        identify.rs   the caller, from the credential alone; call.rs has the call
//!           malformed       malformed.rs  a request that is no call leaves its events
//!  how much capacity        running.rs    this process's share for one more call
//!           wait together   queue.rs      calls that wait together are committed together
//!  ---- one transaction, before the effect (commit.rs) ----------------------------------------
//!           decide          decide.rs     the steps of one call, in their order
//!  facts                    facts.rs      what the decision depends on
//!  once     claim           claim.rs      the idempotency key, or the run that has it
//!  may it   lane            decide.rs     domain::policy::decide: a Permit or a denial
//!  risk     hold            hold.rs       an action: grant spent, held for approval, or denied
//!  how much quota           quota.rs      a call of a sandbox: its session's quota
//!           draft           draft.rs      the run, the invocation and the events to write
//!  --------------------------------------------------------------------------------------------
//!  do it    execute         execute.rs    the executor spends the permit (files.rs, scratch.rs)
//!  ---- one transaction, after the effect (commit.rs) -----------------------------------------
//!  prove it record          record.rs     the end of the run, its artifacts, its events (events.rs)
//!  --------------------------------------------------------------------------------------------
//!           answer          response.rs   the outcome in the words of the contract, and its digest
//!
//!  beside the path: wait.rs (replays wait for the first call), cancel.rs (stops calls of other instances),
//!  end_held.rs (an action that never ran), sweep.rs (calls of processes that died)
//! ```
//!
//! INVARIANT: the decision, the claimed key and the running run are committed before the effect; without the database
//! there is no effect. A call that a dead process left running is ended as unknown and never executed again.

pub(crate) mod call;
mod cancel;
mod claim;
mod commit;
mod decide;
pub(crate) mod decision;
mod draft;
mod end_held;
mod events;
mod execute;
mod facts;
pub(crate) mod files;
mod hold;
pub(crate) mod identify;
pub(crate) mod malformed;
mod messages;
pub(crate) mod queue;
mod quota;
pub(crate) mod record;
pub(crate) mod response;
pub(crate) mod run_kind;
pub(crate) mod running;
mod scratch;
mod sweep;
mod wait;

use std::time::Duration;

use tokio::sync::oneshot;

pub use cancel::{CancelledRuns, apply_cancels};
pub use quota::QUOTA_EXCEEDED;
pub use scratch::sweep_scratch;
pub use sweep::sweep;
pub use wait::wait_for;

pub(crate) use cancel::stop_execution;
pub(crate) use end_held::end_held;
pub(crate) use messages::CONFLICT;

use self::{
    call::MediatedCall,
    decision::{CallDecision, CallOutcome},
};
use crate::{
    context::App,
    error::{Error, Result},
};

/// Takes a call through all steps. Its outcome comes after `wait` at the latest: a call that takes longer goes on, and
/// its run says so.
pub(crate) async fn run(app: &App, mut call: MediatedCall, wait: Duration) -> Result<CallOutcome> {
    call.capacity = Some(app.running_calls().reserve(&call)?);
    let (call, decision) = decide_call(app, call).await?;
    match decision {
        CallDecision::Allowed(authorization) => {
            Ok(execute::execute(app, *call, *authorization, wait).await)
        }
        CallDecision::Held(run, invocation) => Ok(CallOutcome::new(*run, Some(invocation))),
        CallDecision::Denied(run, invocation) => Ok(CallOutcome::new(*run, invocation)),
        CallDecision::Replayed(run) => {
            // A replay holds no capacity while it waits.
            drop(call);
            wait::replay(app, *run, wait).await
        }
        CallDecision::KeyConflict => Err(Error::IdempotencyConflict.recorded()),
    }
}

/// Has the call decided, in one transaction with the calls that wait beside it.
async fn decide_call(app: &App, call: MediatedCall) -> Result<(Box<MediatedCall>, CallDecision)> {
    let (sender, decided) = oneshot::channel();
    let executing = app.clone();
    let reply = Box::new(move |decided| {
        if let Err(Ok((call, CallDecision::Allowed(authorization)))) = sender.send(decided) {
            // The caller went away, but the call is committed as running: it is executed all the same.
            let call: Box<MediatedCall> = call;
            drop(execute::start(&executing, *call, *authorization));
        }
    });
    commit::decide(app, call, reply)?;
    decided.await.unwrap_or_else(|_| Err(commit::lost()))
}
