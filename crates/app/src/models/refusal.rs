//! Why the model did not answer, told apart by what the agent, a person or the operator can do about it.

use bytes::Bytes;
use domain::capacity::CapacityExceeded;
use reqwest::header::HeaderMap;

use crate::error::Error;

#[derive(Debug, thiserror::Error)]
pub enum ModelRefusal {
    /// The request is not one that can be passed on.
    #[error("{0}")]
    Invalid(String),
    /// The session has spent what it may. People are told the amounts with its pause; the agent is not, because it
    /// takes digits such as 429 in a refusal for a status that passes, and tries again for a minute.
    #[error(
        "this session is paused for its budget: what it may spend on its model is spent. An admin of the \
         organization can raise the budget (PUT /v1/sessions/{{id}}/budget); then the session goes on where it \
         stopped"
    )]
    BudgetReached,
    /// Its organization has. Without amounts for the same reason.
    #[error(
        "this session is paused: its organization has spent what it may spend on models for now. The session goes on \
         when the next day or month begins, or when an admin of the organization raises the limit \
         (PUT /v1/organization/limits)"
    )]
    SpendLimitReached,
    /// Too much is under way here: the session's share, its organization's, or all there is.
    #[error(transparent)]
    Exceeded(#[from] CapacityExceeded),
    /// The operator has set up no model, or one that cannot be used. What is wrong is in the log alone.
    #[error("the model cannot be used: {0}. The operator of this gateway can see why in its log")]
    NotConfigured(&'static str),
    /// The provider does not answer.
    #[error("the model's provider does not answer; try again in a moment")]
    Unreachable,
    /// The provider's own no, in its own words.
    #[error("the model's provider answered {status}")]
    Upstream {
        status: u16,
        /// Those that may be passed on.
        headers: Box<HeaderMap>,
        /// The provider's envelope; absent if what it said is none, or cannot be passed on.
        body: Option<Bytes>,
    },
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<store::Error> for ModelRefusal {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}
