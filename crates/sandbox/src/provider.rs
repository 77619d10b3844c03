//! The contract of every provider. `conformance` holds each of them to it.

use std::{fmt, net::SocketAddr};

use async_trait::async_trait;
use bytes::Bytes;

use crate::{
    Collected, Destination, Entry, ExecRequest, ExecResult, File, Handle, HomePath, LogChunk,
    ProcessSpec, ProcessState, Result, SnapshotId, SnapshotRef, SnapshotRequest, Spec,
};

/// What a provider can do, and what it keeps a sandbox from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capabilities {
    /// Snapshots of the home directory exist.
    pub snapshot: bool,
    /// A snapshot leaves its sandbox running.
    pub snapshot_leaves_running: bool,
    /// A snapshot has the processes too.
    pub memory_snapshot: bool,
    /// Several sandboxes can be made from one snapshot.
    pub fork: bool,
    pub pause: bool,
    /// A sandbox reaches its destinations and nobody else.
    pub egress_control: bool,
    /// Memory, processes and processors are bounded.
    pub resource_limits: bool,
    /// The disk is bounded.
    pub disk_limit: bool,
    /// A sandbox does not see this machine's files, processes and other sandboxes.
    pub isolation: bool,
}

/// Whether a sandbox runs. Not knowing is no answer to act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Liveness {
    Alive,
    Dead,
    Unknown,
}

/// A sandbox that there is something of here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub handle: Handle,
    /// As it was made with: its session's id.
    pub label: String,
    pub liveness: Liveness,
}

/// How a port inside is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Endpoint {
    /// Where a program inside has to listen.
    pub listen: SocketAddr,
    /// Where it is then reached from this machine.
    pub address: SocketAddr,
}

/// Makes sandboxes and acts on them. Every call but the first takes a [`Handle`], which may come from
/// another process.
#[async_trait]
pub trait Provider: Send + Sync + fmt::Debug {
    /// As it is written into handles.
    fn name(&self) -> &'static str;

    fn capabilities(&self) -> Capabilities;

    /// `host:port` of a destination as seen from inside. Known before there is a sandbox, so that it can be
    /// part of its files and environment; stays the same when a snapshot is restored where it can.
    fn address_inside(&self, destination: &Destination) -> String;

    /// A sandbox in which nothing runs yet. When it fails, nothing is left.
    async fn create(&self, spec: Spec) -> Result<Handle>;

    /// Takes over a sandbox that another process made; [`crate::Error::Gone`] if it does not live.
    async fn reattach(&self, handle: &Handle) -> Result<()>;

    async fn liveness(&self, handle: &Handle) -> Liveness;

    /// Runs a program to its end.
    async fn exec(&self, handle: &Handle, request: ExecRequest) -> Result<ExecResult>;

    /// Starts a program that goes on by itself.
    async fn start(&self, handle: &Handle, process: ProcessSpec) -> Result<()>;

    async fn process(&self, handle: &Handle, name: &str) -> Result<ProcessState>;

    /// Ends a started program with all that it started. That it has ended already is no error.
    async fn stop(&self, handle: &Handle, name: &str) -> Result<()>;

    /// A piece of a started program's log, from this byte on.
    async fn log(&self, handle: &Handle, name: &str, from: u64) -> Result<LogChunk>;

    /// Writes files, each whole or not at all. Links in the sandbox are not followed.
    async fn write(&self, handle: &Handle, files: Vec<File>) -> Result<()>;

    /// A plain file. Links are not followed.
    async fn read(&self, handle: &Handle, path: &HomePath) -> Result<Bytes>;

    /// What is in a directory, by name.
    async fn list(&self, handle: &Handle, path: &HomePath) -> Result<Vec<Entry>>;

    /// Removes files, links and whole directories. What is not there is no error.
    async fn remove(&self, handle: &Handle, paths: Vec<HomePath>) -> Result<()>;

    async fn endpoint(&self, handle: &Handle, port: u16) -> Result<Endpoint>;

    /// Keeps the home directory as it is at one moment. What is returned is whole and has been read back.
    async fn snapshot(&self, handle: &Handle, request: SnapshotRequest) -> Result<SnapshotRef>;

    /// Stops everything inside, until it is resumed.
    async fn pause(&self, handle: &Handle) -> Result<()>;

    async fn resume(&self, handle: &Handle) -> Result<()>;

    /// Ends everything inside and removes all of it but snapshots. That it is gone already is no error.
    async fn destroy(&self, handle: &Handle) -> Result<()>;

    /// Every sandbox of this installation that there is something of here, whoever made it. What is not in it may be on
    /// another machine. A provider that cannot tell lists none.
    async fn listed(&self) -> Result<Vec<Listed>> {
        Ok(Vec::new())
    }

    /// Removes snapshots that nothing refers to: not in `live`, not below one of them, not below a sandbox.
    async fn collect(&self, live: &[SnapshotId]) -> Result<Collected>;
}
