//! Policy: who may do what in which lane, and the one decision every mediated call passes.
//!
//! A [`Snapshot`] is a policy that has been checked as a whole; [`decide`] is pure and total: the same
//! snapshot, principal, call and facts always give the same answer, and every call that is not
//! explicitly allowed is denied. A [`Permit`] comes out of it and from nowhere else.

mod argument;
mod decision;
mod engine;
mod lane;
mod name;
mod parameter;
mod pins;
mod snapshot;
mod tool;

pub use argument::{Argument, Piece, Places};
pub use decision::{
    CaseRelation, Check, Denial, Facts, LaneRequest, LockFacts, Permit, Principal, RuleId,
    RunFacts, ScopeTruth, ToolFacts, decide,
};
pub use engine::{CommandSpec, CommandStep, Engine, HttpSpec, OutputFile, Send, ServiceUrl};
pub use lane::{
    Lane, OVERRIDE_DISABLE, OVERRIDE_ENABLE, PolicyRole, Prohibition, RECORD_WRITE, RoleClass,
    ScopeKey, WriteMode, WriteTarget,
};
pub use name::{
    ArtifactKind, CaseId, ChoiceName, ClientSessionId, FileName, InvalidName, LaneId, Operation,
    PackageName, ParameterName, RecordKey, RoleId, TableName, ToolVersion,
};
pub use parameter::{
    InvalidParameter, ParameterKind, ParameterPattern, ParameterSpec, ParameterType,
    ParameterValue, ParameterValues, check_parameters,
};
pub use pins::{FilePin, InvalidPin, PolicyId, PolicyVersions};
pub use snapshot::{PolicyProblem, Snapshot};
pub use tool::{Executor, MediaType, ToolSpec};

#[cfg(test)]
mod tests;
