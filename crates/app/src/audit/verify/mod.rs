//! Checking a log, or a trail of it, that was given out, with its file and the public key alone: no
//! database, no settings.
//!
//! A separate path on purpose. It shares with the writing side the hash functions of `domain` (canonical
//! bytes, leaf and node hash, a file's blob id) and nothing else; format, chains, tree and signature are read
//! here anew. One line at a time: memory grows with the number of cases and sessions, about 100 bytes each,
//! not with the log.

mod evidence;
mod line;
mod lines;
mod log;
mod note;
mod trail;
mod tree;

use std::io::{self, BufRead};

use domain::merkle::Hash;

use self::{
    line::{Header, Scope},
    lines::Lines,
};

pub use note::{Checkpoint, Comparison, InvalidKey, InvalidNote, VerifierKey, compare, open};

/// What a good bundle is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub organization_id: String,
    /// `log`, `case ID` or `session ID`.
    pub scope: String,
    /// Records in the bundle.
    pub records: u64,
    /// Records in the log, as signed.
    pub size: u64,
    pub root: Hash,
    /// Distinct cases and sessions; of a log.
    pub cases: u64,
    pub sessions: u64,
    /// Records that are marked because their time is before that of the record before them: a clock was set
    /// back. Not a fault; the order is the log's, not the clock's.
    pub out_of_time: u64,
    /// Earlier checkpoints that the log agrees with.
    pub checkpoints: u64,
    /// Files of the policies that decided; and how many that the records name are not in the bundle.
    pub policy_files: u64,
    pub policy_files_missing: u64,
    /// Artifacts; how many of them with their bytes; and how many that the records name are not in the bundle.
    pub artifacts: u64,
    pub artifact_contents: u64,
    pub artifacts_missing: u64,
}

/// What is wrong with a bundle, and where first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Fault {
    /// From 1; the header is the first.
    pub line: u64,
    /// The record's number, or the number that was expected; `None` where it is about no record.
    pub seq: Option<u64>,
    /// The id of the record's event, where it has one.
    pub event_id: Option<String>,
    pub reason: String,
}

/// Why a verification did not end well.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the bundle cannot be read")]
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

/// What a bundle is measured by.
#[derive(Debug, Clone)]
pub struct Trust {
    pub key: VerifierKey,
    /// A checkpoint that was kept from before: the log must be its continuation.
    pub from: Option<Checkpoint>,
}

/// Checks a whole bundle. `progress` is called now and then.
pub fn verify(
    reader: impl BufRead,
    trust: &Trust,
    progress: impl FnMut(Progress),
) -> Result<Report, Error> {
    let mut lines = Lines::new(reader);
    let (header, checkpoint) = header(&mut lines, trust)?;
    match header.scope {
        Scope::Log => log::walk(lines, trust, header.organization_id, checkpoint, progress),
        Scope::Trail(trail) => trail::walk(lines, trust, header.organization_id, trail, checkpoint),
    }
}

fn header<R: BufRead>(lines: &mut Lines<R>, trust: &Trust) -> Result<(Header, Checkpoint), Error> {
    let header = match lines.next()?.map(Header::parse) {
        None => return Err(lines.fault("there is no header")),
        Some(Err(reason)) => return Err(lines.fault(reason)),
        Some(Ok(header)) => header,
    };
    if header.verifier_key != trust.key.to_string() {
        return Err(lines.fault("it is signed under another key"));
    }
    let checkpoint = open(&header.checkpoint, &trust.key);
    let checkpoint = checkpoint.map_err(|error| lines.fault(error.to_string()))?;
    if checkpoint.origin != format!("proliferate/audit/{}", header.organization_id) {
        return Err(lines.fault("the checkpoint is of another organization"));
    }
    if let Some(kept) = &trust.from {
        if kept.size > checkpoint.size {
            let reason = format!(
                "the log has {} records and the checkpoint you keep {}: the log was rolled back",
                checkpoint.size, kept.size
            );
            return Err(lines.fault(reason));
        }
        if kept.size == checkpoint.size && kept.root != checkpoint.root {
            return Err(lines.fault(FORKED));
        }
    }
    Ok((header, checkpoint))
}

/// Two signed roots for one size.
const FORKED: &str = "the log was forked: the checkpoint you keep has the same size and another root, and \
    both are signed";

#[cfg(test)]
mod tests;
