//! What a sandbox is to be made of.

use std::{net::SocketAddr, path::PathBuf};

use domain::{
    caller::Incarnation,
    clock::Timestamp,
    limits::{
        SANDBOX_CPU_MILLIS_DEFAULT, SANDBOX_DISK_BYTES_DEFAULT, SANDBOX_MEMORY_BYTES_DEFAULT,
        SANDBOX_PROCESSES_DEFAULT,
    },
};

use crate::{Env, File, HomePath, SnapshotRef};

/// What a sandbox begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The template alone.
    Template,
    /// The template and what a snapshot has on top.
    Snapshot(SnapshotRef),
}

/// A file or a directory tree of this machine that every sandbox of a template has. Read-only copies are
/// made once, and shared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TemplateEntry {
    pub source: PathBuf,
    pub target: HomePath,
}

/// A destination of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// What it is called inside, for example `gateway`.
    pub name: String,
    /// Where it listens, seen from this machine.
    pub address: SocketAddr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub memory_bytes: u64,
    pub processes: u32,
    /// Thousandths of a processor.
    pub cpu_millis: u32,
    pub disk_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: SANDBOX_MEMORY_BYTES_DEFAULT,
            processes: SANDBOX_PROCESSES_DEFAULT,
            cpu_millis: SANDBOX_CPU_MILLIS_DEFAULT,
            disk_bytes: SANDBOX_DISK_BYTES_DEFAULT,
        }
    }
}

/// A sandbox to be made.
#[derive(Debug, Clone)]
pub struct Spec {
    /// The session's id, for operators who look at the machine.
    pub label: String,
    pub incarnation: Incarnation,
    pub origin: Origin,
    pub template: Vec<TemplateEntry>,
    /// Written before anything runs, over what template and snapshot have.
    pub files: Vec<File>,
    /// Of every program in it.
    pub env: Env,
    /// All of its destinations. Which tier keeps a sandbox from other addresses is in [`crate::local::Tier::unprotected`].
    pub destinations: Vec<Destination>,
    pub limits: Limits,
    /// When its provider may end it, where its creator limits its life.
    pub expires_at: Option<Timestamp>,
}

impl Spec {
    pub fn new(label: impl Into<String>, incarnation: Incarnation) -> Self {
        Self {
            label: label.into(),
            incarnation,
            origin: Origin::Template,
            template: Vec::new(),
            files: Vec::new(),
            env: Env::default(),
            destinations: Vec::new(),
            limits: Limits::default(),
            expires_at: None,
        }
    }
}
