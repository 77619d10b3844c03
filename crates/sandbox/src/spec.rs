//! What a sandbox is to be made of.

use std::{collections::BTreeMap, fmt, net::SocketAddr, path::PathBuf};

use domain::{
    caller::Incarnation,
    clock::Timestamp,
    limits::{
        SANDBOX_CPU_MILLIS_DEFAULT, SANDBOX_DISK_BYTES_DEFAULT, SANDBOX_MEMORY_BYTES_DEFAULT,
        SANDBOX_PROCESSES_DEFAULT,
    },
};
use secrecy::{ExposeSecret as _, SecretString};

use crate::{Error, File, HomePath, Result, SnapshotRef};

/// Variables, whose values are never printed.
#[derive(Clone, Default)]
pub struct Env(BTreeMap<String, SecretString>);

impl Env {
    /// A later value of the same name wins.
    pub fn set(&mut self, name: &str, value: impl Into<String>) -> Result<()> {
        let mut bytes = name.bytes();
        let first = bytes.next();
        let good = first.is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
            && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !good {
            return Err(Error::invalid("not the name of a variable"));
        }
        let value = value.into();
        if value.contains('\0') {
            return Err(Error::invalid(format!("{name} has a NUL byte")));
        }
        self.0.insert(name.to_owned(), value.into());
        Ok(())
    }

    pub fn of<T: Into<String>>(pairs: impl IntoIterator<Item = (&'static str, T)>) -> Result<Self> {
        let mut env = Self::default();
        for (name, value) in pairs {
            env.set(name, value)?;
        }
        Ok(env)
    }

    /// The values, for passing them to a program.
    pub fn exposed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.expose_secret()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

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
    /// Whose it is, for people who look at the machine; the session's id.
    pub label: String,
    pub incarnation: Incarnation,
    pub origin: Origin,
    pub template: Vec<TemplateEntry>,
    /// Written before anything runs, over what template and snapshot have.
    pub files: Vec<File>,
    /// Of every program in it.
    pub env: Env,
    /// All of its destinations. Where a provider cannot keep it from others, its capabilities say so.
    pub destinations: Vec<Destination>,
    pub limits: Limits,
    /// When it may be ended, where its creator gives it a life.
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
