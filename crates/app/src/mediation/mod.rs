//! The mediated call: the one path on which anything is done for a caller outside our own tables.
//!
//! ```text
//! attempt.rs   what the request says  ->  a request that can be decided, or INVALID_REQUEST
//! act.rs       the same for an action           callback.rs  and for a tool of a sandbox
//! group.rs     calls that wait together are committed together
//! begin.rs     ONE transaction: look up the facts, decide, claim the key, write the run and its events
//! ask.rs       whether an action runs at once, waits for a person or is refused
//! execute.rs   the permit is spent: inputs checked, executor run, outputs stored
//! builtin/     tools that are code of ours
//! commit.rs    ONE transaction: the end of the run, its artifacts, its events
//! answer.rs    what the caller is told, made from the run: also for whoever repeats the call
//! ```
//!
//! INVARIANT: the decision and the running state are committed before the effect; without the database
//! there is no effect. A key is claimed in the transaction that decides, so it is claimed once. What a
//! process that died left running is ended as unknown (`sweep.rs`) and never done again.

mod act;
mod answer;
mod ask;
mod attempt;
mod begin;
mod builtin;
mod callback;
mod cancels;
mod close;
mod commit;
mod events;
mod execute;
mod facts;
mod files;
mod group;
mod kind;
mod messages;
mod principal;
mod recorded;
mod runs;
mod scratch;
mod sweep;
mod underway;

use std::time::Duration;

use domain::{caller::Caller, run::Run};

pub use answer::Answer;
pub use attempt::{Attempt, ClaimedActor, ClaimedInput};
pub use cancels::{Cancels, obey_cancels};
pub use recorded::{Recorded, recorded};
pub use runs::{
    NewParent, cancel, end_parent, fetch, list_children, open_parent, prepare, versions_of,
    wait_for,
};
pub use scratch::sweep_scratch;
pub use sweep::sweep;

pub(crate) use act::{Act, Acted, act};
pub(crate) use ask::{Ask, Went, effect_of_silence};
pub use callback::QUOTA;
pub(crate) use callback::{CallBack, Callback, Errand, call_back};
pub(crate) use close::close;
pub(crate) use files::store as store_output;
pub(crate) use group::Group;
pub(crate) use messages::CONFLICT;
pub(crate) use principal::{member_key, principal};
pub(crate) use underway::Underway;

use self::commit::Begun;
use crate::{
    context::App,
    error::{Error, Result},
};

/// Does what is asked, if it may be done, and answers within `wait`: a call that takes longer goes on, and
/// its answer says so with the run to ask for.
pub async fn call(app: &App, caller: &Caller, attempt: Attempt, wait: Duration) -> Result<Answer> {
    let request = match attempt.check(app, caller) {
        Ok(request) => request,
        Err(malformed) => return malformed.refuse(app, caller).await,
    };
    match ended_run(app, request, wait).await? {
        Begun::Repeated(run) | Begun::Denied(run, _) => answer::load(app, &run).await,
        Begun::KeyConflict => Err(Error::IdempotencyConflict.recorded()),
        // Only an action is held, and none comes this way.
        Begun::Permitted(_) | Begun::Held(_) => Err(Error::Internal("a tool call was held")),
    }
}

/// Begins a call and waits for its end, also for that of the same call begun before: then it comes back as
/// repeated, as it stands after `wait` at the latest.
async fn ended_run(app: &App, request: attempt::Request, wait: Duration) -> Result<Begun> {
    match app.group().begin(app, request).await? {
        Begun::Permitted(admitted) => {
            let run = admitted.run.clone();
            let ended = tokio::time::timeout(wait, execute::start(app, *admitted)).await;
            // Still going, or its task was lost: the run says which, now or later.
            let ended = ended.ok().and_then(std::result::Result::ok);
            Ok(Begun::Repeated(Box::new(
                ended.map_or(run, |ended| ended.run),
            )))
        }
        Begun::Repeated(run) => {
            let ended = wait_for(app, &run.organization_id, run.id, wait).await?;
            Ok(Begun::Repeated(Box::new(ended.unwrap_or(*run))))
        }
        other => Ok(other),
    }
}

/// Notes a request that is no call at all: not JSON, or JSON of another shape. `member` is the one that is
/// wrong, where one can be named.
pub async fn refuse_malformed(
    app: &App,
    caller: &Caller,
    member: Option<&'static str>,
) -> Result<Answer> {
    let malformed = attempt::Malformed::shapeless(member);
    malformed.refuse(app, caller).await
}

/// What the caller of a run is told.
pub async fn answer_of(app: &App, run: &Run) -> Result<Answer> {
    answer::load(app, run).await
}
