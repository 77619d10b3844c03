//! Checking a log that was given out, with its file and the public key alone: no database, no settings.
//!
//! A separate path on purpose. It shares with the writing side the hash functions of `domain` (canonical
//! bytes, leaf and node hash) and nothing else; format, chains, tree and signature are read here anew.
//! One record at a time: memory grows with the number of cases, about 100 bytes each, not with the log.

mod line;
mod note;
mod tree;
mod walk;

use std::io::{self, BufRead};

use domain::merkle::Hash;

pub use note::{Checkpoint, Comparison, VerifierKey, compare, open};

/// What a good log is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub organization_id: String,
    /// Records, as signed.
    pub size: u64,
    pub root: Hash,
    /// Distinct cases.
    pub cases: u64,
    /// Distinct sessions.
    pub sessions: u64,
    /// Records that are marked because their time is before that of the record before them: a clock was set
    /// back. Not a fault; the order is the log's, not the clock's.
    pub out_of_time: u64,
}

/// What is wrong with a log, and where first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Fault {
    /// From 1; the header is the first.
    pub line: u64,
    /// The record's number, or the number that was expected; `None` for the header.
    pub seq: Option<u64>,
    pub reason: String,
}

/// Why a verification did not end well.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the log cannot be read")]
    Read(#[source] io::Error),
    #[error(transparent)]
    Bad(Fault),
}

/// How far a verification is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub records: u64,
    /// As signed.
    pub size: u64,
}

/// Checks a whole bundle. `progress` is called now and then.
pub fn verify(
    reader: impl BufRead,
    key: &VerifierKey,
    progress: impl FnMut(Progress),
) -> Result<Report, Error> {
    walk::walk(reader, key, progress)
}

#[cfg(test)]
mod tests;
