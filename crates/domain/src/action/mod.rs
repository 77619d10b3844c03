//! Actions: what an agent does outside its sandbox, through the gateway. The risk decides whether an
//! approval is needed, an invocation is the request for it, a grant is an approval in advance, and
//! redaction decides how much of it users see in the record.

mod backtest;
mod binding;
mod budget;
mod derived_risk;
mod disposition;
mod grant;
mod grant_basis;
mod grant_request;
mod invocation;
mod name;
mod predicate;
pub mod redact;

pub mod risk;

pub use backtest::{Judgement, PastCall, backtest};
pub use binding::{ActionCall, Binding, Bound, Mismatch, ToolDefinition};
pub use budget::{GrantBudget, check_max_calls};
pub use derived_risk::{RiskFacts, RiskSource, derive_risk};
pub use disposition::{Disposition, Standing, dispose};
pub use grant::{Grant, GrantDraft, GrantScope, GrantScopeKind, Verdict, candidates, suspended};
pub use grant_basis::{
    BuiltInActions, CallDefinition, GrantBasis, StandingTool, SuspendedGrant, Suspension,
    Uncovered, built_in_digest,
};
pub use grant_request::{GrantRequest, GrantRequestState, GrantRequestStatus, NotDecided};
pub use invocation::{
    ApprovalMode, Authority, Claim, DeniedBy, Effect, InvalidMove, Invocation, InvocationState,
    InvocationStatus, Refusal, ResultRef, decider,
};
pub use name::{ActionName, IntegrationName, InvalidActionName, Pattern, parse_name};
pub use predicate::{Condition, JsonPointer, Predicate, check_predicates};
pub use risk::Risk;

#[cfg(test)]
mod fixture;
