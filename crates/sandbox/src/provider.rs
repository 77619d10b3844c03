//! The contract of every provider. One conformance suite (`tests/it/conformance.rs`) tests each of them.

use std::{fmt, net::SocketAddr};

use async_trait::async_trait;
use bytes::Bytes;

use crate::{
    Collected, Destination, Entry, ExecRequest, ExecResult, File, Handle, HomePath, LogChunk,
    ProcessSpec, ProcessState, Result, SnapshotId, SnapshotRef, SnapshotRequest, Spec,
};

/// Whether a sandbox runs. Callers must not act on `Unknown`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liveness {
    Alive,
    Dead,
    Unknown,
}

/// A sandbox of which something exists on this machine: processes, a container, a disk or a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSandbox {
    pub handle: Handle,
    /// The label of its [`Spec`]: the session's id.
    pub label: String,
    pub liveness: Liveness,
}

/// How the gateway reaches a port inside a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Endpoint {
    /// The address on which a program inside must listen.
    pub listen: SocketAddr,
    /// The address that reaches it from this machine.
    pub address: SocketAddr,
}

/// Creates sandboxes and acts on them. Every method that acts on a sandbox takes its [`Handle`], which may come
/// from another process.
#[async_trait]
pub trait Provider: Send + Sync + fmt::Debug {
    /// The name that handles of this provider carry.
    fn name(&self) -> &'static str;

    /// Returns `host:port` of a destination as seen from inside. It is known before the sandbox exists, so that files
    /// and environment can contain it; where possible it stays the same when a snapshot is restored.
    fn address_inside(&self, destination: &Destination) -> String;

    /// Creates a sandbox in which nothing runs yet. A failure leaves nothing behind.
    async fn create(&self, spec: Spec) -> Result<Handle>;

    /// Takes over a sandbox that another process created; [`crate::Error::Gone`] if it does not run.
    async fn reattach(&self, handle: &Handle) -> Result<()>;

    async fn liveness(&self, handle: &Handle) -> Liveness;

    /// Runs a program to its end.
    async fn exec(&self, handle: &Handle, request: ExecRequest) -> Result<ExecResult>;

    /// Starts a program in the background.
    async fn start(&self, handle: &Handle, process: ProcessSpec) -> Result<()>;

    async fn process(&self, handle: &Handle, name: &str) -> Result<ProcessState>;

    /// Ends a started program and its descendants. A program that has already ended is no error.
    async fn stop(&self, handle: &Handle, name: &str) -> Result<()>;

    /// Returns a chunk of a started program's log, from this byte on.
    async fn log(&self, handle: &Handle, name: &str, from: u64) -> Result<LogChunk>;

    /// Writes files, each completely or not at all. Does not follow links in the sandbox.
    async fn write(&self, handle: &Handle, files: Vec<File>) -> Result<()>;

    /// Reads a regular file. Does not follow links.
    async fn read(&self, handle: &Handle, path: &HomePath) -> Result<Bytes>;

    /// Lists a directory, sorted by name.
    async fn list(&self, handle: &Handle, path: &HomePath) -> Result<Vec<Entry>>;

    /// Removes files, links and whole directories. A missing path is no error.
    async fn remove(&self, handle: &Handle, paths: Vec<HomePath>) -> Result<()>;

    async fn endpoint(&self, handle: &Handle, port: u16) -> Result<Endpoint>;

    /// Saves the home directory as it is at one moment, and reads the snapshot back before it returns.
    async fn snapshot(&self, handle: &Handle, request: SnapshotRequest) -> Result<SnapshotRef>;

    /// Ends all processes inside and removes everything except snapshots. A sandbox that is gone is no error.
    async fn destroy(&self, handle: &Handle) -> Result<()>;

    /// Lists every sandbox of this installation that exists on this machine, regardless of the process that created it.
    /// A sandbox that is not listed may be on another machine. A provider that cannot tell lists none.
    async fn list_sandboxes(&self) -> Result<Vec<ListedSandbox>> {
        Ok(Vec::new())
    }

    /// Removes unused snapshots: not in `live`, not an ancestor of one in `live`, not an ancestor of a sandbox.
    async fn collect_snapshots(&self, live: &[SnapshotId]) -> Result<Collected>;
}
