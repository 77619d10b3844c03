//! Sandboxes that agents run in: one trait, a local provider in two tiers, one on a container engine, a fake.
//!
//! Other crates use [`Provider`]. A provider keeps nothing that would be lost with its process: a [`Handle`] can be stored,
//! and another process continues with it.

// Namespaces, engines' sockets and `/proc` exist on Linux alone.
#[cfg(target_os = "linux")]
mod blocking;
#[cfg(target_os = "linux")]
pub mod container;
mod env;
mod error;
mod exec;
pub mod fake;
mod files;
mod handle;
mod home_path;
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

pub use env::Env;
pub use error::{Error, Result, Retry};
pub use exec::{Captured, ExecRequest, ExecResult, Exit, LogChunk, ProcessSpec, ProcessState};
pub use files::{Entry, EntryKind, File};
pub use handle::{Handle, SandboxId};
pub use home_path::HomePath;
pub use provider::{Endpoint, ListedSandbox, Liveness, Provider};
pub use snapshot::{Collected, SnapshotId, SnapshotRef, SnapshotRequest};
pub use spec::{Destination, Limits, Origin, Spec, TemplateEntry};

/// The home directory of a sandbox's user. All that a snapshot keeps is below it.
pub const HOME: &str = "/home/user";
/// Where repositories are.
pub const WORKSPACE: &str = "/home/user/workspace";
