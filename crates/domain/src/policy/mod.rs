//! Policy: who may do what in which lane, and the one decision every mediated call passes.
//!
//! A [`Snapshot`] is a policy that has been checked as a whole; [`decide`] is pure and total: the same
//! snapshot, principal, call and facts always give the same answer, and whatever is not plainly
//! allowed is denied. A [`Permit`] comes out of it and from nowhere else.

mod decision;
mod lane;
mod name;
mod pins;
mod snapshot;
mod tool;

pub use decision::{
    Call, CaseRelation, Check, Denial, Facts, Permit, Principal, RuleId, RunFacts, ScopeTruth,
    ToolFacts, decide,
};
pub use lane::{Lane, Prohibition, Role, RoleClass, ScopeKey, WriteMode, WriteTarget};
pub use name::{
    ArtifactKind, CaseId, InvalidName, LaneId, Operation, RoleId, TableName, ToolVersion,
};
pub use pins::{FilePin, InvalidPin, PolicyVersions};
pub use snapshot::{PolicyProblem, Snapshot};
pub use tool::{Executor, MediaType, ToolSpec};

#[cfg(test)]
mod tests;
