//! Policy as files: read strictly, checked as a whole, pinned by their bytes, put in force and replaced
//! while the gateway runs. What a policy *decides* is [`domain::policy::decide`]; this is where the
//! policy it decides under comes from, and how people ask what it says.
//!
//! INVARIANT: a [`Policy`] has passed every check of its three files. A file with a mistake is refused
//! with all others it has, and what was in force stays in force.

mod active;
mod command;
mod diff;
mod entries;
mod explain;
mod fields;
mod files;
mod git;
mod http;
mod lanes;
mod load;
mod parameters;
mod problem;
mod query;
mod roles;
mod source;
mod stored;
mod tools;
mod versions;
mod yaml;

pub use active::{ActivePolicy, NotInForce};
pub use diff::{ChangeKind, EntryKind, FieldChange, PolicyChange, PolicyDiff, diff};
pub use explain::{Explanation, FailedCheck, meaning};
pub use files::{FileBytes, PolicyFiles};
pub use load::{Policy, load};
pub use problem::{PolicyFile, Problem, Problems};
pub use query::{LaneAccess, PolicyQuestion, who_can, why};
pub use source::{LoadedPolicy, PolicySource};
pub use versions::{PolicyVersion, version, versions};

#[cfg(test)]
mod tests;
