//! The contract between mediation and the executors of actions: built-in sources and the tools of connectors.
//!
//! INVARIANT: an action is executed with a permit for this call or not at all; [`ActionCall::spend`] is the one check.

use std::fmt;

use async_trait::async_trait;
use domain::{
    action::Risk,
    policy::{CaseId, Permit},
};
use secrecy::SecretString;
use serde_json::{Map, Value};

use crate::{Action, ActionOutput, Failure, FailureKind};

/// Executes actions that the policy permitted.
#[async_trait]
pub trait ActionSource: fmt::Debug + Send + Sync {
    /// Executes the call once and never repeats it: the caller decides that by [`Failure::retry`]. `credential` is the
    /// one of the integration, `None` for a connector without authentication.
    async fn execute(
        &self,
        permit: Permit,
        call: ActionCall,
        credential: Option<&SecretString>,
    ) -> Result<ActionOutput, Failure>;
}

/// A source that is part of this program.
pub trait BuiltInSource: ActionSource {
    /// Its name on the wire, such as `linear`.
    fn name(&self) -> &'static str;

    /// The name that users see.
    fn display_name(&self) -> &'static str;

    /// Markdown for the agent, served unchanged.
    fn guide(&self) -> &'static str;

    /// Every action, in the order to show them in.
    fn actions(&self) -> &[Action];

    fn action(&self, name: &str) -> Option<&Action> {
        self.actions().iter().find(|action| action.name == name)
    }
}

/// One call of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionCall {
    pub action: String,
    pub params: Map<String, Value>,
    /// The risk that the call was judged by when the permit was given. It also decides what a missing reply means.
    pub risk: Risk,
    /// The case it belongs to, if it belongs to one.
    pub case_id: Option<CaseId>,
}

impl ActionCall {
    /// Spends the permit on this call; every source begins with it. A permit for an operation of another risk or for
    /// another case is an error.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a permit that is spent is gone"
    )]
    pub fn spend(&self, permit: Permit) -> Result<(), Failure> {
        let same_operation = permit.operation().as_str() == self.risk.operation();
        if same_operation && permit.case_id() == self.case_id.as_ref() {
            return Ok(());
        }
        tracing::error!(?permit, action = self.action, risk = %self.risk, "a permit for another call");
        Err(permit_mismatch())
    }
}

pub(crate) fn permit_mismatch() -> Failure {
    let message = "the gateway has a permit for another call, so this one was not made";
    Failure::never(FailureKind::PermitMismatch, message)
}
