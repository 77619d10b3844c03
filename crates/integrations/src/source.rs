//! The contract between the pipeline and a source.

use std::fmt;

use async_trait::async_trait;
use domain::{
    action::Risk,
    policy::{CaseId, Permit},
};
use secrecy::SecretString;
use serde_json::{Map, Value};

use crate::{Action, Failure, FailureKind, Retry};

/// Somewhere actions can be had done.
#[async_trait]
pub trait Source: fmt::Debug + Send + Sync {
    /// Its name on the wire, such as `linear`.
    fn integration(&self) -> &'static str;

    /// Its name for people.
    fn display_name(&self) -> &'static str;

    /// Markdown for an agent, served as it is.
    fn guide(&self) -> &'static str;

    /// Everything it can do, in the order to show it in.
    fn actions(&self) -> &[Action];

    fn action(&self, name: &str) -> Option<&Action> {
        self.actions().iter().find(|action| action.name == name)
    }

    /// Does it, once. Tries nothing again: whether to is the caller's decision, by [`Failure::retry`].
    async fn execute(
        &self,
        permit: Permit,
        call: Call,
        credential: &SecretString,
    ) -> Result<Value, Failure>;
}

/// One call of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub action: String,
    pub params: Map<String, Value>,
    /// The case it belongs to, if it belongs to one.
    pub case_id: Option<CaseId>,
}

impl Call {
    /// Spends the permit on this call, which is of this risk; every source begins with it. A permit for
    /// another operation or another case is none.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a permit that is spent is gone"
    )]
    pub fn spend(&self, permit: Permit, risk: Risk) -> Result<(), Failure> {
        let same_operation = permit.operation().as_str() == risk.operation();
        if same_operation && permit.case_id() == self.case_id.as_ref() {
            return Ok(());
        }
        tracing::error!(?permit, action = self.action, "a permit for another action");
        let message = "the permit is for another action";
        Err(Failure::new(FailureKind::Forbidden, Retry::Never, message))
    }
}
