//! Environment values in the sandbox: the file they arrive in, the dotenv files of the workspace that they
//! are written to, and that they leave the disk before a snapshot.
//!
//! INVARIANT: every change happens under one lock, and a file changes as a whole or not at all. A message
//! never quotes a value.

pub(crate) mod apply;
mod exclude;
pub(crate) mod get;
mod input;
mod lock;
mod paths;
pub(crate) mod restore;
pub(crate) mod scrub;
mod scrubbed_store;
mod values;

pub(crate) use self::paths::EnvPaths;
