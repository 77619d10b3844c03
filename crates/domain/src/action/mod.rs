//! Actions: what an agent does outside its sandbox, through us. Risk says whether somebody has to be asked,
//! an invocation is the asking, a grant is an answer given beforehand, and redaction decides what of it all
//! people get to see in the record.

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
pub use budget::{Budget, check_max_calls};
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
