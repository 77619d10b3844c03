//! What is decided about a call, and what comes of it.

use std::sync::Arc;

use domain::{
    policy::{Permit, ToolSpec},
    run::Run,
};
use serde_json::Value;
use store::{InputFact, InvocationRecord};

use crate::policy::Policy;

/// The decision about a call, as it is committed.
#[derive(Debug)]
pub(crate) enum CallDecision {
    /// The run has the reason. An action has an invocation, unless too many wait for approval already.
    Denied(Box<Run>, Option<Box<InvocationRecord>>),
    /// The run is committed as running: it is executed now or never.
    Allowed(Box<Authorization>),
    /// An action that waits for approval.
    Held(Box<Run>, Box<InvocationRecord>),
    /// The same call was made before under the same key; this is its run.
    Replayed(Box<Run>),
    /// Another call was made before under the same key.
    KeyConflict,
}

/// The permit of an allowed call, with what its execution needs from the decision.
#[derive(Debug)]
pub(crate) struct Authorization {
    pub(crate) permit: Permit,
    pub(crate) run: Run,
    pub(crate) spec: Arc<ToolSpec>,
    /// The policy that allowed the call.
    pub(crate) policy: Arc<Policy>,
    pub(crate) inputs: Vec<InputFact>,
    /// For an action.
    pub(crate) invocation: Option<Box<InvocationRecord>>,
}

/// What came of a call: what is on record of it, and what its caller is answered.
#[derive(Debug)]
pub(crate) struct CallOutcome {
    /// The run as it stands. It still runs where the caller's wait is over before the call is.
    pub(crate) run: Run,
    /// For an action. `None` where it was replayed, or denied because too many wait for approval.
    pub(crate) invocation: Option<Box<InvocationRecord>>,
    /// The result of an action, for its caller alone: the record has the redacted one.
    pub(crate) result: Option<Value>,
    /// Whether the call was made before, under the same key.
    pub(crate) replayed: bool,
}

impl CallOutcome {
    /// Of a call that this request made.
    pub(super) const fn new(run: Run, invocation: Option<Box<InvocationRecord>>) -> Self {
        Self {
            run,
            invocation,
            result: None,
            replayed: false,
        }
    }
}
