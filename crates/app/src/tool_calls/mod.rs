//! Lane-governed tool calls: the entry for any caller that names an operation and a lane.
//!
//! ```text
//! request.rs   what the request says  ->  a mediated call, or INVALID_REQUEST
//! answer.rs    the answer of the contract, made from the run: a repeated call gets the same
//! ```

mod answer;
mod request;

use std::time::Duration;

use domain::caller::Caller;

pub use answer::{ToolCallAnswer, answer_of};
pub use request::{ClaimedActor, ClaimedInput, ToolCallRequest};

use crate::{
    builtin,
    context::App,
    error::Result,
    mediation::{self, malformed::MalformedCall},
};

/// Makes the call that is requested, and answers within `wait`: a call that takes longer goes on, and its answer has
/// the run to ask for.
pub async fn call(
    app: &App,
    caller: &Caller,
    request: ToolCallRequest,
    wait: Duration,
) -> Result<ToolCallAnswer> {
    let mut call = match request.check(app, caller) {
        Ok(call) => call,
        Err(malformed) => return refuse(app, caller, malformed).await,
    };
    call.executor = builtin::executor_of(app, &call.request.operation);
    let outcome = mediation::run(app, call, wait).await?;
    answer_of(app, &outcome.run).await
}

/// Records a request that is no call at all: not JSON, or JSON of another shape. `member` is the wrong member, where
/// one can be named.
pub async fn refuse_malformed(
    app: &App,
    caller: &Caller,
    member: Option<&'static str>,
) -> Result<ToolCallAnswer> {
    refuse(app, caller, MalformedCall::shapeless(member)).await
}

async fn refuse(app: &App, caller: &Caller, malformed: MalformedCall) -> Result<ToolCallAnswer> {
    let error = malformed.record(app, caller).await?;
    Ok(ToolCallAnswer::malformed(malformed, error))
}
