//! Places an agent runs in: one trait, a local provider in two tiers, one on a container engine, a fake.
//!
//! [`Provider`] is all that others use. A provider keeps nothing that its own process would take along when
//! it dies: a [`Handle`] can be stored, and another process goes on with it.

// What it is made of is only there.
#[cfg(target_os = "linux")]
pub mod container;
mod error;
mod exec;
pub mod fake;
mod files;
mod handle;
mod home_path;
// What it is made of is only there.
#[cfg(target_os = "linux")]
pub mod local;
#[cfg(target_os = "linux")]
mod pid;
mod provider;
mod snapshot;
mod spec;
#[cfg(target_os = "linux")]
mod stop;
#[cfg(target_os = "linux")]
mod stoppable;
#[cfg(target_os = "linux")]
mod unclaimed;

pub use error::{Error, Result, Retry};
pub use exec::{Captured, ExecRequest, ExecResult, Exit, LogChunk, ProcessSpec, ProcessState};
pub use files::{Entry, EntryKind, File};
pub use handle::{Handle, SandboxId};
pub use home_path::HomePath;
pub use provider::{Endpoint, Listed, Liveness, Provider};
pub use snapshot::{Collected, SnapshotId, SnapshotRef, SnapshotRequest};
pub use spec::{Destination, Env, Limits, Origin, Spec, TemplateEntry};

/// The home directory of a sandbox's user. All that a snapshot keeps is below it.
pub const HOME: &str = "/home/user";
/// Where repositories are.
pub const WORKSPACE: &str = "/home/user/workspace";
